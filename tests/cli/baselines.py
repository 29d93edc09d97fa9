#!/usr/bin/python3
"""The committed baselines are of this model and these scenarios, and comparing against them gates a build.

When a baseline is stale on purpose: ./dev run scenarios/NAME.json -r 20 --out results/baselines/NAME
"""

import pathlib
import unittest

from support import Case

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULE = "critical.latency.p99 > +2%"


class Baselines(Case):
    def test_nothing_has_changed(self):
        folders = [path for path in (ROOT / "results" / "baselines").iterdir() if (path / "manifest.json").exists()]
        self.assertIn("article", [folder.name for folder in folders])
        for folder in folders:
            done = self.fairlane("compare", str(folder), str(ROOT / "scenarios" / f"{folder.name}.json"), "--fail-on",
                                 RULE)
            self.assertIn("not past", done.stdout, f"{folder.name} is stale? See the top of this file")

    def test_a_regression_fails(self):
        self.fairlane("run", str(ROOT / "scenarios" / "article.json"), "-q", "-r", "20", "--set", "workers=2", "--out",
                      "slow", expect=99)
        self.fairlane("compare", str(ROOT / "results" / "baselines" / "article"), "slow", "--fail-on", RULE, expect=99)


if __name__ == "__main__":
    unittest.main()
