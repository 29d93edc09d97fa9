#!/usr/bin/python3
"""The command line itself: help, versions, and what is refused before any file is read."""

import json
import subprocess
import unittest

from support import BINARY, Case

VERBS = ("run", "validate", "presets", "metrics", "plot", "report")


class Usage(Case):
    def test_help_names_every_verb(self):
        text = self.fairlane("--help").stdout
        for verb in VERBS:
            self.assertIn(f"\n  {verb}", text)
        self.assertIn("99", text)
        self.assertEqual(self.fairlane("help").stdout, text)
        self.assertEqual(self.fairlane("-h").stdout, text)

    def test_help_of_verbs(self):
        for verb in VERBS:
            text = self.fairlane(verb, "--help").stdout
            self.assertTrue(text.startswith(f"Usage: fairlane {verb}"), text)
            self.assertEqual(self.fairlane("help", verb).stdout, text)
        run = self.fairlane("run", "--help").stdout
        for option in ("--set PATH=VALUE", "--set-file FILE", "--seed", "--replications", "--jobs ", "--out DIR",
                       "--jobs-csv", "--json", "--quiet"):
            self.assertIn(option, run)
        self.assertNotIn("--out", self.fairlane("validate", "--help").stdout)

    def test_help_fits_the_terminal(self):
        for arguments in (["--help"], *([verb, "--help"] for verb in VERBS)):
            for line in self.fairlane(*arguments).stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_version(self):
        self.assertRegex(self.fairlane("--version").stdout, r"\Afairlane \d+\.\d+\.\d+\n\Z")

    def test_wrong_usage(self):
        for arguments, says in (
            ([], ["verb"]),
            (["rnu", "x"], ['"rnu"', '"run"']),
            (["frobnicate"], ['"frobnicate"']),
            (["run"], ["FILE"]),
            (["run", "x", "--replicatoins", "3"], ["--replicatoins", "--replications"]),
            (["run", "x", "-Z"], ["-Z"]),
            (["run", "x", "--seed", "12x"], ["--seed", '"12x"']),
            (["run", "x", "--seed", "18446744073709551616"], ["--seed"]),
            (["run", "x", "--seed", "-1"], ["--seed"]),
            (["run", "x", "--replications", "0"], ["--replications"]),
            (["run", "x", "--jobs", "0"], ["--jobs"]),
            (["run", "x", "--set"], ["--set", "PATH=VALUE"]),
            (["run", "x", "--set", "quantum"], ["--set", '"quantum"']),
            (["run", "x", "--json=yes"], ["--json"]),
            (["run", "x", "y", "--out", "z"], ["--out"]),
            (["validate", "x", "--out", "z"], ["validate", "--out"]),
            (["presets", "a", "b"], ['"b"']),
            (["--seed", "4"], ["verb"]),
        ):
            with self.subTest(arguments=arguments):
                if arguments[:3] == ["run", "x", "y"]:
                    self.scenario("x")
                    self.scenario("y", name="other")
                self.refused(*arguments, says=says)

    def test_a_file_that_is_missing(self):
        for verb in ("run", "validate", "metrics"):
            self.refused(verb, "missing.json", says=["missing.json", "fairlane new missing.json"])
        self.assertNotIn("fairlane new", self.refused("run", "missing").stderr)

    def test_a_file_of_the_other_kind(self):
        self.scenario()
        self.refused("sweep", "small.json", says=["is a scenario", "fairlane run small.json"])
        with open(self.path("study.json"), "w", encoding="utf-8") as file:
            json.dump({"version": 1, "name": "s", "scenario": "small.json", "vary": {"workers": [1, 2]}}, file)
        for verb in ("run", "validate"):
            self.refused(verb, "study.json", says=["is a study", f"{verb} takes a scenario", "fairlane sweep study.json"])

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([BINARY, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)


if __name__ == "__main__":
    unittest.main()
