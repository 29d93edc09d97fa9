#!/usr/bin/python3
"""Tuning from the outside: verdicts and exit statuses, what is written, and that a recommendation is what it says."""

import csv
import io
import json
import os
import signal
import subprocess
import time
import unittest

from support import BINARY, SCENARIO, Case

FILES = ["candidates.csv", "manifest.json", "pareto.csv", "recommended.json", "sensitivity.csv", "stages.csv",
         "tune.json"]
# One worker is too few; the number of workers decides, and a threshold of demotion that nobody reaches does not.
STUDY = {
    "version": 1,
    "name": "knobs",
    "scenario": "small.json",
    "design": "sobol",
    "points": 24,
    "vary": {
        "workers": [1, 2, 3, 4],
        "scheduler.tenants.quantum": {"from": 1, "to": 10},
        "scheduler.demotion.throttles": {"from": 3, "to": 9},
    },
    "slo": ["critical.latency.p99 <= 3", "standard.latency.p99 <= 6"],
}


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


class Tune(Case):
    def setUp(self):
        super().setUp()
        self.scenario(workers=1)
        self.study()

    def scenario(self, **changes):
        """Short runs: what is tested here is the machinery."""
        return super().scenario(**{"duration_s": 150, "warmup_s": 15, **changes})

    def study(self, file="knobs.json", **changes):
        with open(self.path(file), "w", encoding="utf-8") as out:
            json.dump({key: value for key, value in {**STUDY, **changes}.items() if value is not None}, out)
        return file

    def tune(self, *arguments, expect=0, **options):
        return self.fairlane("tune", "knobs.json", *arguments, expect=expect, **options)

    def result(self, *parts):
        return json.loads(self.read(*(parts or ("results", "knobs-tune")), "tune.json"))

    def rows(self, file):
        return rows(self.read("results", "knobs-tune", file))


class Recommends(Tune):
    def test_stages_files_and_verdict(self):
        done = self.tune()
        for words in ("screening", "round 1", "selection", "confirmation", "RECOMMENDED", "guarantee", "normal"):
            self.assertIn(words, done.stdout)
        self.assertEqual(self.listing("results", "knobs-tune"), FILES)
        result = self.result()
        self.assertEqual(result["verdict"], "recommended")
        self.assertGreater(result["recommendation"]["knobs"]["workers"], 1)
        # By how much: the interval of the paired difference lies below 0.
        self.assertLess(result["confirmation"]["difference"]["hi"], 0)
        self.assertEqual([result["confirmation"][side]["verdict"] for side in ("baseline", "winner")],
                         ["fail", "pass"])
        self.assertEqual(len(set(result["seeds"].values())), 3)

    def test_screening_freezes_what_does_nothing(self):
        self.tune("-q")
        knobs = {row["path"]: row for row in self.rows("sensitivity.csv")}
        self.assertEqual(knobs["workers"]["kept"], "yes")
        self.assertEqual(knobs["scheduler.demotion.throttles"]["kept"], "no")
        self.assertEqual(float(knobs["scheduler.demotion.throttles"]["mu_star"]), 0)
        self.assertGreater(float(knobs["workers"]["mu_star"]), 0.5)
        # Frozen: every candidate has the scenario's own value.
        self.assertEqual({row["scheduler.demotion.throttles"] for row in self.rows("candidates.csv")}, {"5"})
        self.assertNotIn("demotion", self.read("results", "knobs-tune", "recommended.json"))

    def test_tables_agree_with_each_other(self):
        self.tune("-q")
        candidates, stages = self.rows("candidates.csv"), self.rows("stages.csv")
        self.assertEqual([row["candidate"] for row in candidates], [str(i) for i in range(len(candidates))])
        self.assertEqual(len({row["hash"] for row in candidates}), len(candidates))
        first = [row for row in stages if (row["stage"], row["round"]) == ("halving", "1")]
        self.assertEqual(len(first), len(candidates))
        winner = str(self.result()["selection"]["winner"])
        self.assertEqual([row["candidate"] for row in stages if row["stage"] == "confirmation"], ["0", winner])
        pareto = {row["candidate"]: row for row in self.rows("pareto.csv")}
        self.assertEqual((pareto["0"]["role"], pareto[winner]["role"]), ("baseline", "winner"))
        # One worker is slower in every replication: whoever dominates it is not dominated.
        self.assertEqual(pareto["0"]["dominated"], "yes")
        self.assertIn("no", {row["dominated"] for row in pareto.values()})

    def test_the_patch_is_the_recommended_scenario(self):
        self.study(slo=None)
        self.scenario(workers=1, slo=STUDY["slo"])
        self.tune("-q")
        result = self.result()
        seed = result["seeds"]["confirmation"]
        replications = str(result["confirmation"]["replications"])
        patch = os.path.join("results", "knobs-tune", "recommended.json")
        # The hash tells whether it is the very scenario (the study's own has one replication).
        self.fairlane("run", "small.json", "--set-file", patch, "-r", "1", "-q", expect=98)
        manifest = json.loads(self.read("results", "small", "manifest.json"))
        self.assertEqual(manifest["hash"], result["recommendation"]["hash"])
        # With the confirmation's seed, run and confirmation are the same numbers.
        self.fairlane("run", "small.json", "--set-file", patch, "--seed", seed, "-r", replications, "-q")
        confirmed = {slo["text"]: slo for slo in result["confirmation"]["winner"]["slo"]}
        p99 = self.summary()["metrics"]["critical.latency.p99"]
        self.assertEqual(confirmed["critical.latency.p99 <= 3"]["value"], p99["value"])
        # As a scenario of its own.
        patched = {"extends": "small.json", **json.loads(self.read(patch))}
        with open(self.path("tuned.json"), "w", encoding="utf-8") as out:
            json.dump(patched, out)
        self.fairlane("run", "tuned.json", "--seed", seed, "-r", replications, "-q")
        self.assertEqual(self.summary()["metrics"]["critical.latency.p99"], p99)

    def test_paths_into_lists_take_the_whole_list(self):
        self.study(vary={"workers": [1, 4], "tenants.bob.plan": ["free", "pro"]}, points=8)
        self.scenario(workers=1)
        self.tune("-q")
        patch = os.path.join("results", "knobs-tune", "recommended.json")
        if self.result()["recommendation"]["knobs"].get("tenants.bob.plan"):
            self.assertEqual([tenant["id"] for tenant in json.loads(self.read(patch))["tenants"]], ["ada", "bob"])
        self.fairlane("run", "small.json", "--set-file", patch, "-q")

    def test_threads_do_not_show(self):
        self.tune("-q", "-j1", "-o", "one")
        self.tune("-q", "-j2", "-o", "two")
        for file in FILES:
            self.assertEqual(self.read("one", file), self.read("two", file), file)
        self.tune("-q", "-j2", "-o", "two", "--seed", "18")
        self.assertNotEqual(self.read("one", "tune.json"), self.read("two", "tune.json"))

    def test_automatic_warm_up_is_settled_once(self):
        self.scenario(workers=4, warmup_s="auto", duration_s=600)
        self.tune("-q")
        result = self.result()
        self.assertTrue(0 < result["warmup_s"] <= 300, result["warmup_s"])
        self.fairlane("run", "small.json", "-q")
        self.assertEqual(json.loads(self.read("results", "small", "manifest.json"))["warmup_s"], result["warmup_s"])

    def test_json_is_the_file(self):
        done = self.tune("--json")
        self.assertEqual(done.stdout, self.read("results", "knobs-tune", "tune.json"))

    def test_candidates_that_cannot_be_run_are_out(self):
        self.scenario(workers=4, max_pending_jobs=25)
        self.tune("-q")
        failures = {row["workers"] for row in self.rows("candidates.csv") if row["failure"]}
        self.assertEqual(failures, {"1"})
        self.assertIn("max_pending_jobs", next(row["failure"] for row in self.rows("candidates.csv") if row["failure"]))


class Otherwise(Tune):
    def test_no_better(self):
        self.scenario(workers=4)
        self.study(vary={"scheduler.demotion.throttles": [3, 5, 7]})
        done = self.tune()
        self.assertIn("NO BETTER", done.stdout)
        self.assertIn("No knob does anything here", done.stdout)
        self.assertEqual(self.result()["verdict"], "no_better")
        self.assertIsNone(self.result()["recommendation"])
        patch = json.loads(self.read("results", "knobs-tune", "recommended.json"))
        self.assertEqual(list(patch), ["$comment"])
        self.fairlane("validate", "small.json", "--set-file", "results/knobs-tune/recommended.json")

    def test_nothing_keeps_the_slos(self):
        self.study(slo=["critical.latency.p99 <= 0.5", "standard.latency.p99 <= 6"])
        done = self.tune(expect=99)
        for words in ("NOTHING FITS", "nearest", "what binds", "no scheduler can keep it"):
            self.assertIn(words, " ".join(done.stdout.split()))
        result = self.result()
        self.assertEqual(result["verdict"], "nothing_feasible")
        self.assertEqual(result["confirmation"]["winner"]["tightest_rule"], "critical.latency.p99 <= 0.5")

    def test_the_limit_that_binds(self):
        self.scenario(workers=8, endpoint={**SCENARIO["endpoint"], "limits": {"rpm": 40, "itpm": 400000}})
        self.study(vary={"workers": [7, 8]})
        self.tune("-q", expect=99)
        self.assertIn("RPM", self.result()["confirmation"]["winner"]["binding"]["limit"])

    def test_too_few_jobs_to_tell(self):
        tenants = json.loads(json.dumps(SCENARIO["tenants"]))
        tenants[0]["streams"][0]["arrivals"]["poisson"]["rate_per_s"] = 0.02
        self.scenario(workers=4, tenants=tenants)
        self.study(vary={"workers": [3, 4]})
        done = self.tune(expect=98)
        self.assertIn("INCONCLUSIVE", done.stdout)

    def test_objective_in_the_place_of_phi(self):
        self.scenario(workers=2)
        self.study(objectives=["minimise standard.latency.mean"], slo=None)
        done = self.tune()
        self.assertIn("minimise standard.latency.mean", done.stdout)
        self.assertEqual(self.result()["goal"]["figure"], "standard.latency.mean")
        self.assertEqual(self.result()["recommendation"]["knobs"]["workers"], 4)
        self.assertIn("standard.latency.mean_s", self.rows("pareto.csv")[0])

    def test_constraints_bind_every_candidate(self):
        self.study(constraint=["workers <= 2 || quantum > 8"])
        self.tune("-q")
        for row in self.rows("candidates.csv"):
            self.assertTrue(int(row["workers"]) <= 2 or float(row["scheduler.tenants.quantum"]) > 8, row)


class Refuses(Tune):
    def test_nothing_to_minimise(self):
        self.study(slo=["jain.service >= 0.5"])
        self.refused("tune", "knobs.json", says=("nothing to minimise", "critical.latency.p99"))

    def test_values_that_make_no_scenario(self):
        self.study(vary={"workers": [0, 1]})
        self.refused("tune", "knobs.json", says=("workers=0",))

    def test_other_tenants(self):
        self.study(vary={"tenants.ada.count": [1, 2]})
        self.refused("tune", "knobs.json", expect=1, says=("leave the tenants",))

    def test_a_folder_that_is_no_result(self):
        os.mkdir(self.path("mine"))
        with open(self.path("mine", "letter.txt"), "w", encoding="utf-8") as out:
            out.write("dear")
        self.refused("tune", "knobs.json", "-o", "mine", says=("mine",))

    def test_interrupted(self):
        self.scenario(workers=1, duration_s=20000)
        self.study(points=2000)
        with subprocess.Popen([BINARY, "tune", "knobs.json"], cwd=self.here, stderr=subprocess.PIPE, text=True,
                              stdout=subprocess.DEVNULL) as process:
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted", errors)
        self.assertFalse(os.path.exists(self.path("results", "knobs-tune")))


if __name__ == "__main__":
    unittest.main()
