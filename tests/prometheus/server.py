"""A Prometheus on the loopback, over blocks that promtool made of OpenMetrics text."""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request


def installed():
    return shutil.which("promtool") and shutil.which("prometheus")


def make_blocks(text_file, folder):
    """Have promtool turn the file into blocks. Returns the finished process."""
    return subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", text_file, folder],
                          capture_output=True, text=True, timeout=120, check=False)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Serves the blocks of `folder` while the `with` block lasts."""

    def __init__(self, folder):
        self.folder, self.port, self.process = folder, free_port(), None
        self.log = os.path.join(folder, "log")

    def __enter__(self):
        config = os.path.join(self.folder, "empty.yml")
        with open(config, "w", encoding="utf-8"):
            pass
        # Simulated time is not ours: blocks of any age are kept.
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={self.folder}",
                 "--storage.tsdb.retention.time=100y", f"--web.listen-address=127.0.0.1:{self.port}"],
                stdout=log, stderr=log, cwd=self.folder)
        self.wait_until_ready()
        return self

    def wait_until_ready(self):
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/-/ready", timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError):
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        self.__exit__()
        with open(self.log, encoding="utf-8") as log:
            raise RuntimeError("prometheus did not start:\n" + log.read())

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def get(self, path, **parameters):
        """The `data` of an answer of the HTTP API."""
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as refusal:
            raise RuntimeError(f"{parameters}: {refusal.read().decode()}") from refusal
