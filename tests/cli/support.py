"""What the tests of the command line share: a temporary folder to stand in, and the program to call."""

import json
import os
import pty
import subprocess
import tempfile
import unittest

BINARY = os.environ["FAIRLANE_BINARY"]

SCENARIO = {
    "version": 1,
    "name": "small",
    "seed": "17",
    "duration_s": 300,
    "warmup_s": 30,
    "drain_s": 60,
    "replications": 4,
    "workers": 4,
    "endpoint": {
        "limits": {"rpm": 600, "itpm": 400000, "otpm": 80000},
        "latency": {
            "ttft_ms": {"lognormal": {"median": 400, "sigma": 0.3}},
            "output_tokens_per_s": {"lognormal": {"median": 100, "sigma": 0.15}},
            "prefill_ms_per_1k_tokens": 0,
        },
    },
    "plans": {"free": {"weight": 1}, "pro": {"weight": 3}},
    "tenants": [
        {
            "id": name,
            "plan": plan,
            "streams": [
                {
                    "origin": origin,
                    "sla_s": 3600,
                    "arrivals": {"poisson": {"rate_per_s": 0.5}},
                    "input_tokens": {"lognormal": {"median": 800, "sigma": 0.9}},
                    "output_tokens": {"lognormal": {"median": 60, "sigma": 0.5}},
                    "max_tokens": 1024,
                }
            ],
        }
        for name, plan, origin in (("ada", "pro", "user_action"), ("bob", "free", "scheduled"))
    ],
}


# Two studies of `small.json` and what somebody says of them.
STUDIES = {
    "hands.json": {"version": 1, "name": "hands", "scenario": "small.json", "repeat": 3,
                   "vary": {"workers": [1, 2, 8], "scheduler.tenants.policy": ["drr", "fifo"]},
                   "slo": ["standard.latency.p99 <= 60"]},
    "load.json": {"version": 1, "name": "load", "scenario": "small.json", "repeat": 3,
                  "vary": {"workers": [1, 2, 3, 4]}, "slo": ["standard.latency.p99 <= 4"]},
}
DRR = "scheduler.tenants.policy == \"drr\" && workers == "
CLAIMS = {
    "version": 1,
    "name": "said",
    "title": "What was said",
    "claims": [
        {
            "id": "hands",
            "says": "More hands make light work.",
            "study": "hands.json",
            "because": "Jobs wait for workers.",
            "measures": [
                {"label": "standard p99, from one worker to eight", "figure": "standard.latency.p99",
                 "before": {"where": DRR + "1", "article": 90000}, "after": {"where": DRR + "8", "at_most": 60}},
            ],
            "tried": [
                {"label": "share of jobs that were critical", "figure": "critical.completed", "of": "all.completed",
                 "after": {"where": DRR + "2", "article": [0.4, 0.6]}},
                {"label": "refusals", "on_base": True, "figure": "throttles.total", "before": {"where": DRR + "2", "article": 0},
                 "after": {"where": DRR + "8"}},
            ],
        },
        {
            "id": "load",
            "says": "Two workers are enough.",
            "study": "load.json",
            "because": "They are busy half of the time.",
            "measures": [
                {"label": "workers that are enough", "reading": "best", "along": "workers",
                 "figure": "standard.latency.p99", "after": {"article": 2}},
                {"label": "workers up to which every SLO holds", "reading": "capacity", "along": "workers",
                 "after": {"at_least": 2}},
            ],
        },
    ],
}


class Case(unittest.TestCase):
    """A test that stands in a folder of its own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="fairlane-cli-")
        self.addCleanup(self.folder.cleanup)
        self.here = self.folder.name

    def path(self, *parts):
        return os.path.join(self.here, *parts)

    def scenario(self, file="small.json", **changes):
        with open(self.path(file), "w", encoding="utf-8") as out:
            json.dump({**SCENARIO, **changes}, out)
        return file

    def fairlane(self, *arguments, expect=0, **options):
        """Run the program here; its exit status must be `expect`. Returns the finished process, texts decoded."""
        done = subprocess.run([BINARY, *arguments], cwd=self.here, capture_output=True, text=True, timeout=150,
                              **options)
        self.assertEqual(done.returncode, expect, f"{arguments}: {done.stdout}\n{done.stderr}")
        return done

    def claims(self, **changes):
        """A claims file with all it needs. Returns its name."""
        self.scenario(**changes)
        for file, content in {**STUDIES, "said.json": CLAIMS}.items():
            with open(self.path(file), "w", encoding="utf-8") as out:
                json.dump(content, out)
        return "said.json"

    def pseudo_terminal(self):
        """Both ends of one. Where there is none to be had, as in a bare chroot, the test is skipped."""
        try:
            return pty.openpty()
        except OSError as error:
            return self.skipTest(f"no pseudo-terminal here (is /dev/pts mounted?): {error}")

    def refused(self, *arguments, expect=2, says=()):
        """Run it; it must refuse with one line on standard error that holds all of `says`."""
        done = self.fairlane(*arguments, expect=expect)
        self.assertRegex(done.stderr, r"\Afairlane: [^\n]+\n\Z")
        for words in says:
            self.assertIn(words, done.stderr)
        return done

    def read(self, *parts):
        with open(self.path(*parts), encoding="utf-8") as file:
            return file.read()

    def summary(self, *parts):
        return json.loads(self.read(*(parts or ("results", "small")), "summary.json"))

    def listing(self, *parts):
        return sorted(os.listdir(self.path(*parts)))
