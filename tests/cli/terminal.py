"""What people see: colours, widths, bars and progress, on a pseudo-terminal and in a pipe."""

import fcntl
import json
import os
import re
import struct
import subprocess
import termios
import unittest

from support import BINARY, SCENARIO, Case

SOURCE = os.environ["FAIRLANE_SOURCE"]
# Colours, and progress that was drawn over again.
PAINT = re.compile(r"\r\x1b\[K(?:\[[#.]+\][^\r\n]*)?|\x1b\[[0-9;]*[A-Za-z]")
BARS = "▁▂▃▄▅▆▇█"


class Terminal(Case):
    def on_terminal(self, *arguments, columns=80, expect=0, **environment):
        """Run it with standard output and error on a terminal. Returns what came there, line ends as LF."""
        master, slave = self.pseudo_terminal()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        clean = {key: value for key, value in os.environ.items()
                 if key not in ("NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE")}
        with subprocess.Popen([BINARY, *arguments], cwd=self.here, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                              env={**clean, "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment}) as process:
            os.close(slave)
            text = b""
            while True:
                try:
                    read = os.read(master, 65536)
                except OSError:  # all is read, and nobody holds the other end
                    break
                if not read:
                    break
                text += read
        os.close(master)
        self.assertEqual(process.returncode, expect, text.decode())
        return text.decode().replace("\r\n", "\n")

    def busy(self):
        """A scenario with queues and refusals, one SLO that fails and one that holds."""
        self.scenario(workers=2, slo=["all.latency.p99 <= 0.1", "jain.entitlement >= 0.01"],
                      endpoint={**SCENARIO["endpoint"], "limits": {"rpm": 60, "itpm": 40000, "otpm": 80000}})
        return "small.json"

    def test_colour_where_it_can_be_seen(self):
        file = self.busy()
        text = self.on_terminal("run", file, expect=99)
        self.assertIn("\x1b[1;31mFAIL\x1b[0m", text)
        self.assertIn("\x1b[32mPASS\x1b[0m", text)
        plain = self.fairlane("run", file, expect=99).stdout
        self.assertNotIn("\x1b", plain)
        self.assertIn("FAIL ", plain)
        # the same words, with the colours taken off
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        plain = self.fairlane("run", file, expect=99, env=environment).stdout
        self.assertEqual(PAINT.sub("", text), plain)

    def test_no_color_and_dumb_terminals(self):
        file = self.busy()
        text = self.on_terminal("run", file, expect=99, NO_COLOR="1")
        self.assertNotRegex(text, r"\x1b\[[0-9;]*m")
        self.assertIn("FAIL ", text)
        self.assertIn("\x1b[", self.on_terminal("presets", NO_COLOR=""))  # empty is not set
        for verb in (["run", file], ["--help"], ["validate", file]):
            text = self.on_terminal(*verb, expect=99 if verb[0] == "run" else 0, TERM="dumb")
            self.assertNotRegex(text, r"[\x1b\r]")

    def test_lines_fit(self):
        file = self.busy()
        long = os.path.join(SOURCE, "scenarios", "noisy-neighbour.json")
        study = os.path.join(SOURCE, "scenarios", "studies", "quantum-weights.json")
        for columns in (80, 120):
            for arguments, expect in ((["--help"], 0), (["run", "--help"], 0), (["sweep", "--help"], 0),
                                      (["compare", "--help"], 0), (["presets"], 0), (["metrics"], 0),
                                      (["validate", long], 0), (["run", file], 99),
                                      (["run", long, "-r", "3"], None), (["sweep", study, "--set", "duration_s=900",
                                                                          "--set", "warmup_s=60", "--filter",
                                                                          "quantum == 1"], None),
                                      (["compare", file, file, "--set", "replications=3"], 0)):
                with self.subTest(columns=columns, arguments=arguments):
                    done = self.on_terminal(*arguments, columns=columns) if expect == 0 else self.any_end(
                        *arguments, columns=columns)
                    for line in PAINT.sub("", done).splitlines():
                        self.assertLessEqual(len(line), columns, line)

    def any_end(self, *arguments, columns):
        for status in (0, 98, 99):
            try:
                return self.on_terminal(*arguments, columns=columns, expect=status)
            except AssertionError:
                continue
        raise AssertionError(arguments)

    def queue_line(self, text):
        return re.search(r"^queue +(\S+)  mean ([\d.,]+), bars to ([\d.,]+), max (\d+) jobs$", text, re.M)

    def test_bars_of_the_queue(self):
        # nothing until 200 s, then a burst that two workers take a while to work off
        stream = {**SCENARIO["tenants"][0]["streams"][0], "arrivals": {"burst": {"count": 200, "at_s": 200}}}
        self.scenario(workers=2, plans={}, endpoint={"latency": SCENARIO["endpoint"]["latency"]},
                      tenants=[{"id": "t", "streams": [stream]}])
        found = self.queue_line(PAINT.sub("", self.on_terminal("run", "small.json")))
        bars = found[1]
        self.assertEqual(len(bars), 20)
        self.assertEqual(set(bars[:12]), {BARS[0]})
        heights = [BARS.index(bar) for bar in bars[12:]]
        self.assertEqual(max(heights), 7)
        peak = heights.index(7)
        self.assertEqual(heights[peak:], sorted(heights[peak:], reverse=True))
        self.assertLessEqual(float(found[3]), float(found[4]))
        ascii_bars = self.queue_line(PAINT.sub("", self.on_terminal("run", "small.json", LC_ALL="C")))[1]
        self.assertEqual(ascii_bars, bars.translate(str.maketrans(BARS, ".:-=+*#@")))
        wide = self.queue_line(PAINT.sub("", self.on_terminal("run", "small.json", columns=100)))[1]
        self.assertEqual(len(wide), 40)

    def test_no_slo_says_how_to_add_one(self):
        self.scenario()
        said = self.fairlane("run", "small.json").stdout
        self.assertIn('"slo": [ "critical.latency.p99 <= 2.0" ]', said)
        line = re.search(r'"slo": \[.*\]', said)[0]
        self.scenario(**json.loads("{" + line + "}"))
        self.assertNotIn("no SLO", self.fairlane("run", "small.json", expect=98).stdout)


class Json(Case):
    def test_lists_and_load_sheets(self):
        figures = json.loads(self.fairlane("metrics", "--json").stdout)["figures"]
        words = [line.split()[0] for line in self.fairlane("metrics").stdout.splitlines()[1:]]
        self.assertEqual([figure["name"] for figure in figures], words)
        self.assertIn({"less", "more", None}, [{figure["better"] for figure in figures}])
        presets = json.loads(self.fairlane("presets", "--json").stdout)
        self.assertEqual(presets["haiku-4.5-tier-1"], json.loads(self.fairlane("presets", "haiku-4.5-tier-1").stdout))
        self.scenario(slo=["all.latency.p99 <= 20"])
        self.scenario("b.json", name="b")
        sheet = json.loads(self.fairlane("validate", "--json", "small.json", "b.json").stdout)
        self.assertEqual([one["scenario"] for one in sheet["scenarios"]], ["small", "b"])
        first = sheet["scenarios"][0]
        self.assertEqual([load["tenant"] for load in first["loads"]], ["ada", "bob"])
        self.assertAlmostEqual(first["loads"][0]["jobs_per_min"], 30)
        self.assertAlmostEqual(first["loads"][0]["rpm_share"], 0.05)
        self.assertEqual(first["slo"][0]["text"], "all.latency.p99 <= 20")

    def test_progress_stays_off_standard_output(self):
        self.scenario()
        done = self.fairlane("run", "--json", "small.json")
        json.loads(done.stdout)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
