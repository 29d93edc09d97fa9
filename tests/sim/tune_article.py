#!/usr/bin/python3
"""The shipped study scenarios/studies/tune-article.json ends as docs/tune.md says: the article's defaults miss an SLO, and
what is recommended keeps all of them on replications that the search has not seen."""

import json
import os
import subprocess
import tempfile
import unittest

BINARY = os.environ["FAIRLANE_BINARY"]
STUDY = os.path.join(os.environ["FAIRLANE_SOURCE"], "scenarios", "studies", "tune-article.json")


class TuneArticle(unittest.TestCase):
    def test_recommends(self):
        with tempfile.TemporaryDirectory(prefix="fairlane-tune-") as folder:
            done = subprocess.run([BINARY, "tune", STUDY, "--json", "--out", os.path.join(folder, "out")],
                                  capture_output=True, text=True, timeout=280)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        confirmation = result["confirmation"]
        self.assertEqual(result["verdict"], "recommended")
        self.assertEqual([slo["verdict"] for slo in confirmation["baseline"]["slo"]], ["fail", "pass", "pass", "pass"])
        self.assertEqual({slo["verdict"] for slo in confirmation["winner"]["slo"]}, {"pass"})
        self.assertEqual(confirmation["winner"]["throughput"], "pass")
        self.assertLess(confirmation["difference"]["hi"], 0)
        self.assertLess(confirmation["differences"]["requested.critical.latency.p99"]["hi"], 0)
        kept = {knob["path"] for knob in result["screening"]["knobs"] if knob["kept"]}
        self.assertIn("scheduler.picker.critical_win_probability", kept)
        self.assertNotIn("scheduler.demotion.duration_s", kept)
        self.assertLess(result["replications"], 2000)


if __name__ == "__main__":
    unittest.main()
