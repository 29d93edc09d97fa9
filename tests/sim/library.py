#!/usr/bin/python3
"""The scenarios of scenarios/library show what their `about` says, to the number.

A check that draws random numbers allows 4 standard errors of its own sample; the others are exact.
"""
import concurrent.futures
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

BINARY = os.environ["FAIRLANE_BINARY"]
LIBRARY = os.path.join(os.environ["FAIRLANE_SOURCE"], "scenarios", "library")
ROWS = {"large-input", "large-max-tokens", "output-reserved", "output-at-completion", "herd-spike", "herd-spread",
        "herd-positive", "budget-at-midnight", "burst-demotes"}


def scenarios():
    return sorted(name[:-len(".json")] for name in os.listdir(LIBRARY) if name.endswith(".json"))


class Result:
    def __init__(self, folder, name, *options):
        out = os.path.join(folder, name + "".join(options))
        rows = ["--jobs-csv"] if name in ROWS else []
        done = subprocess.run([BINARY, "run", os.path.join(LIBRARY, name + ".json"), "--out", out, "--quiet",
                               "--jobs", "1", *rows, *options], capture_output=True, text=True)
        self.status = done.returncode
        with open(os.path.join(out, "summary.json"), encoding="utf-8") as file:
            self.summary = json.load(file)
        self.rows = []
        if rows:
            with open(os.path.join(out, "jobs.csv"), newline="", encoding="utf-8") as file:
                self.rows = list(csv.DictReader(file))

    def __getitem__(self, figure):
        if figure.startswith("tenant."):
            _, tenant, name = figure.split(".", 2)
            return self.summary["tenants"][tenant][name]["value"]
        return self.summary["metrics"][figure]["value"]

    def verdicts(self):
        return [slo["verdict"] for slo in self.summary["slo"]]

    def jobs(self, tenant=None, replication=None):
        return [row for row in self.rows if tenant in (None, row["tenant"]) and replication in (None, row["replication"])]


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.results = dict(zip(scenarios(), pool.map(lambda name: Result(folder, name), scenarios())))

    def exact(self, name, expected):
        for figure, value in expected.items():
            self.assertEqual(self.results[name][figure], value, "%s: %s" % (name, figure))

    def verdict(self, name, *expected):
        self.assertEqual(self.results[name].verdicts(), list(expected), name)
        self.assertEqual(self.results[name].status, 99 if "fail" in expected else 0, name)

    def test_all_hold_their_invariants(self):
        for name, result in self.results.items():
            self.assertTrue(result.summary["invariants"]["ok"], "%s: %s" % (name, result.summary["invariants"]))

    def test_the_other_scenarios_hold_them_too(self):
        above = os.path.dirname(LIBRARY)
        names = sorted(name for name in os.listdir(above) if name.endswith(".json") and name != "replay.json")
        self.assertGreater(len(names), 3)
        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "out")
                subprocess.run([BINARY, "run", os.path.join(above, name), "--replications", "2", "--out", out, "--quiet"])
                with open(os.path.join(out, "summary.json"), encoding="utf-8") as file:
                    self.assertTrue(json.load(file)["invariants"]["ok"], name)

    def test_all_say_what_they_show_and_judge_it(self):
        for name in scenarios():
            with open(os.path.join(LIBRARY, name + ".json"), encoding="utf-8") as file:
                scenario = json.load(file)
            self.assertGreater(len(scenario["about"]), 50, name)
            self.assertEqual(scenario["$schema"], "../schema/scenario.schema.json")
            self.assertGreaterEqual(len(self.results[name].summary["slo"]), 1, name)

    def test_1_how_a_limit_is_enforced(self):
        self.exact("burst-strict", {"all.arrived": 200, "throttles.rpm": 190, "all.failed": 190, "all.completed": 10})
        self.exact("burst-minute", {"all.arrived": 200, "throttles.total": 0, "all.completed": 200})
        self.verdict("burst-strict", "fail")
        self.verdict("burst-minute", "pass")

    def test_2_requests_larger_than_a_bucket(self):
        self.exact("large-input", {"tenant.large.wait.max": 0, "tenant.large.latency.max": 1, "throttles.itpm": 1,
                                   "tenant.large.throttles": 0})
        # Debt 30000 - 56919, a second's refill of 500 later: (26419 + 1000) / 500, rounded up, is 55 s.
        self.exact("large-input", {"tenant.next.latency.max": 55 + 1})
        self.exact("large-max-tokens", {"unservable": 1, "tenant.greedy.failed": 1, "throttles.total": 0,
                                        "tenant.modest.wait.max": 0, "tenant.modest.completed": 1})
        self.assertEqual({row["attempts"] for row in self.results["large-max-tokens"].jobs("greedy")}, {"1"})
        self.verdict("large-input", "pass", "pass")
        self.verdict("large-max-tokens", "pass", "pass")

    def test_3_how_output_is_charged(self):
        for name, at_first in (("output-reserved", 3), ("output-at-completion", 20)):
            first = [row for row in self.results[name].jobs(replication="1")
                     if row["first_dispatch_s"] == "0.000000000" and row["attempts"] == "1"]
            self.assertEqual(len(first), at_first, name)
            self.assertEqual({row["ended_s"] for row in first}, {"10.000000000"}, name)
            # 16,000 tokens a minute at 400 a job.
            self.assertAlmostEqual(60 * self.results[name]["throughput.jobs_per_s"], 40, delta=0.4)
            self.verdict(name, "pass")

    def test_4_a_herd_told_the_same_time(self):
        spike, spread, positive = (self.results["herd-" + name] for name in ("spike", "spread", "positive"))
        # With one retry only a job ends with it: those that come too early fail then, the others are served in .5 s.
        with tempfile.TemporaryDirectory() as folder:
            once = Result(folder, "herd-spread", "--set", "scheduler.retry.max_retries=1")
        for result, least, most in ((spike, 720, 720), (once, 576, 864), (positive, 720, 864)):
            delays = [float(row["ended_s"]) - (0.5 if row["ending"] == "completed" else 0) for row in result.jobs("herd")]
            self.assertGreaterEqual(min(delays), least)
            self.assertLessEqual(max(delays), most)
            self.assertLess(min(delays), least + 2)
            self.assertGreater(max(delays), most - 2)
        self.exact("herd-spike", {"requests.peak_per_s": 30, "retries.early_share": 0})
        self.assertLess(spread["requests.peak_per_s"], 10)
        self.assertEqual(positive["retries.early_share"], 0)
        n = len(spread.jobs("herd"))
        self.assertEqual(n, 3000)
        self.assertAlmostEqual(spread["retries.early_share"], 24 / 288, delta=4 * math.sqrt(24 / 288 * 264 / 288 / n))
        self.verdict("herd-spike", "fail")
        self.verdict("herd-spread", "pass")
        self.verdict("herd-positive", "pass")

    def test_5_shares_of_picks_are_not_shares_of_time(self):
        result = self.results["shares-of-picks"]
        quick, slow = result["tenant.quick.served_cost"], result["tenant.slow.served_cost"]
        self.assertAlmostEqual(slow / (quick + slow), 0.4 * 120 / (0.4 * 120 + 0.6), delta=0.001)
        picks = quick + slow / 120
        self.assertAlmostEqual(slow / 120 / picks, 0.4, delta=4 * math.sqrt(0.24 / (5 * picks)))
        # A cost unit is a worker second: the four workers are busy throughout.
        self.assertAlmostEqual((quick + slow) / (4 * 36000), 1, delta=0.005)
        self.verdict("shares-of-picks", "pass")

    def test_6_max_min_fairness(self):
        self.exact("max-min", {"tenant.small.served_cost": 200, "tenant.middle.served_cost": 400,
                               "tenant.large.served_cost": 400, "jain.entitlement": 1})
        self.assertAlmostEqual(self.results["max-min"]["jain.service"], 100 / 108, places=12)
        self.verdict("max-min", "pass")

    def test_7_who_is_to_blame(self):
        blamed, spared = self.results["innocent-blamed"], self.results["innocent-spared"]
        self.assertGreater(blamed["tenant.innocent.demotions"], 1)
        self.assertGreater(blamed["demotions.time_share"], 0.9)
        self.assertEqual(spared["tenant.innocent.demotions"], 0)
        self.assertGreater(spared["tenant.innocent.throttles"], 100)
        self.assertGreaterEqual(spared["tenant.hog.demotions"], 1)
        self.verdict("innocent-blamed", "fail")
        self.verdict("innocent-spared", "pass")

    def test_8_a_budget_at_midnight(self):
        self.exact("budget-at-midnight", {"demotions.count": 1, "demotions.by_throttles": 0})
        # From 23:56:01, 3,361 s, to 300 s after 23:59:51: 00:04:51, 3,891 s.
        self.assertAlmostEqual(self.results["budget-at-midnight"]["demotions.time_share"], 530 / 90000, places=12)
        for row in self.results["budget-at-midnight"].jobs():
            demoted = 3361 <= float(row["arrived_s"]) < 3891
            self.assertEqual(row["class"], "batch" if demoted else "standard", row["arrived_s"])
        self.verdict("budget-at-midnight", "pass")

    def test_9_slots_held_by_back_off(self):
        held, paced, free = (self.results["slots-" + name] for name in ("held", "paced", "free"))
        self.exact("slots-free", {"all.wait.max": 0})
        for result in (held, paced):
            for neighbour in ("1", "2"):
                self.assertGreater(result["tenant.neighbour-%s.wait.p50" % neighbour], 10)
                self.assertEqual(result["tenant.neighbour-%s.throttles" % neighbour], 0)
            self.assertGreater(result["workers.backoff"], 0.9)
        self.assertGreater(held["throttles.total"], 1000)
        self.assertEqual(paced["throttles.total"], 0)
        self.assertGreater(paced["tenant.neighbour-1.wait.p50"], held["tenant.neighbour-1.wait.p50"])
        self.verdict("slots-held", "fail")
        self.verdict("slots-paced", "fail")
        self.verdict("slots-free", "pass")

    def test_10_a_burst_demotes(self):
        self.exact("burst-demotes", {"demotions.count": 1, "demotions.by_throttles": 1, "demotions.by_burst": 1,
                                     "tenant.app.demotions.by_burst": 1})
        # At 1.5 s, when six are refused at once: to the end of the 120 s.
        self.assertAlmostEqual(self.results["burst-demotes"]["demotions.time_share"], 118.5 / 120, places=12)
        self.assertEqual({row["class"] for row in self.results["burst-demotes"].jobs() if float(row["arrived_s"]) >= 60},
                         {"batch"})
        # 429s that come one by one are no burst.
        self.exact("innocent-blamed", {"demotions.by_burst": 0})
        self.verdict("burst-demotes", "fail")


if __name__ == "__main__":
    unittest.main()
