"""An installation into an empty prefix works from anywhere: install.py BUILD-FOLDER"""

import glob
import json
import os
import shutil
import subprocess
import sys
import unittest

from support import Case

BUILD = sys.argv[1]


class Install(Case):
    def setUp(self):
        super().setUp()
        if not shutil.which("meson"):
            self.skipTest("meson is not on PATH")
        done = subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", self.path("root")],
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        (program,) = glob.glob(self.path("root", "**", "bin", "fairlane"), recursive=True)
        self.prefix = os.path.dirname(os.path.dirname(program))
        self.program = program
        os.mkdir(self.path("elsewhere"))

    def run_there(self, *arguments, expect=0):
        done = subprocess.run([self.program, *arguments], cwd=self.path("elsewhere"), capture_output=True, text=True,
                              timeout=150, check=False)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout

    def test_everything_is_there_and_works(self):
        share = os.path.join(self.prefix, "share")
        for file in ("man/man1/fairlane.1", "man/man1/fairlane-run.1", "bash-completion/completions/fairlane",
                     "zsh/site-functions/_fairlane", "fairlane/scenarios/article.json", "fairlane/scenarios/README.md",
                     "fairlane/scenarios/schema/scenario.schema.json", "fairlane/scenarios/schema/study.schema.json",
                     "fairlane/plots/grafana/fairlane.json", "doc/fairlane/results.md"):
            self.assertTrue(os.path.isfile(os.path.join(share, file)), file)
        for template in ("article", "noisy", "trace", "batch"):
            self.run_there("new", "-q", "-t", template, f"{template}.json")
            self.run_there("run", "-q", f"{template}.json", "--replications", "3", "--set", "slo=[]")
        with open(self.path("elsewhere", "article.json"), encoding="utf-8") as file:
            schema = json.load(file)["$schema"]
        self.assertEqual(schema, "file://" + os.path.realpath(
            os.path.join(share, "fairlane/scenarios/schema/scenario.schema.json")))
        self.assertIn("haiku-4.5-tier-1", self.run_there("presets"))
        self.run_there("run", "-q", os.path.join(share, "fairlane/scenarios/dump.json"), "--replications", "3",
                       "--set", "slo=[]")
        self.assertEqual(sorted(os.listdir(self.path("elsewhere", "results"))),
                         ["article", "batch", "dump", "noisy", "trace"])
        if shutil.which("gnuplot"):
            self.run_there("plot", "-q", "results/article")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
