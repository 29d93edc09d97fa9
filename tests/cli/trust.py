"""Precision on demand and the automatic warm-up, from the outside."""

import csv
import json
import os
import re
import unittest

from support import Case

# One worker whose jobs last an exponential second.
QUEUE = {
    "duration_s": 2000, "warmup_s": 0, "drain_s": 100000, "replications": 20, "workers": 1, "plans": {},
    "scheduler": {"demotion": {"enabled": False}},
    "endpoint": {"latency": {"ttft_ms": 0, "output_tokens_per_s": 100000, "prefill_ms_per_1k_tokens": 0}},
}


def stream(arrivals):
    return {"origin": "scheduled", "sla_s": 3600, "arrivals": arrivals, "input_tokens": 1,
            "output_tokens": {"exponential": {"mean": 100000}}}


def queue(*arrivals, **changes):
    return {**QUEUE, "tenants": [{"id": "t", "streams": [stream(a) for a in arrivals]}], **changes}


def poisson(rate):
    return {"poisson": {"rate_per_s": rate}}


class Precision(Case):
    def run_with(self, relative, expect, most=100, **changes):
        self.scenario(**queue(poisson(0.5), precision={"metric": "all.latency.mean", "relative": relative,
                                                       "max_replications": most}, **changes))
        return self.fairlane("run", "small.json", expect=expect).stdout

    def used(self):
        with open(self.path("results", "small", "replications.csv"), encoding="utf-8") as file:
            numbers = [int(row["replication"]) for row in csv.DictReader(file)]
        summary, manifest = self.summary(), json.loads(self.read("results", "small", "manifest.json"))
        self.assertEqual(sorted(set(numbers)), list(range(1, summary["replications"] + 1)))
        self.assertEqual(manifest["replications"], summary["replications"])
        return summary["replications"]

    def test_replications_are_added_until_it_holds(self):
        self.assertIn("PRECISE", self.run_with(0.03, 0))
        used, row = self.used(), self.summary()["metrics"]["all.latency.mean"]
        self.assertIn(used, (30, 45, 67))
        self.assertEqual(self.summary()["precision"]["verdict"], "reached")
        self.assertLessEqual((row["hi"] - row["lo"]) / 2, 0.03 * row["value"])
        # it had not held one look before, on the same replications
        self.run_with(0.03, 98, most={30: 20, 45: 30, 67: 45}[used])
        self.assertEqual(self.summary()["precision"]["verdict"], "inconclusive")

    def test_the_bytes_do_not_depend_on_threads(self):
        self.run_with(0.05, 0)
        for jobs in ("1", "3"):
            self.fairlane("run", "small.json", "-q", "--jobs", jobs, "--jobs-csv", "--out", jobs)
        for name in self.listing("1"):
            self.assertEqual(self.read("1", name), self.read("3", name), name)

    def test_not_reached_is_inconclusive(self):
        said = self.run_with(0.001, 98, most=25)
        self.assertIn("INCONCLUSIVE  all.latency.mean", said)
        self.assertEqual(self.used(), 25)

    def test_a_null_side_stops_at_once(self):
        # the only limit admits nothing of this size, so every job fails
        said = self.run_with(0.1, 98, endpoint={"limits": {"otpm": 60}, "output_charge": "reserve"},
                             tenants=[{"id": "t", "streams": [{**stream(poisson(0.5)), "max_tokens": 4000}]}])
        self.assertIn("no value", said)
        self.assertEqual(self.used(), 20)

    def test_a_failed_slo_comes_first(self):
        self.run_with(0.001, 99, most=20, slo=["all.latency.p99 <= 0.1"])

    def test_bad_metrics_are_refused_where_they_stand(self):
        self.scenario(**queue(poisson(0.5), precision={"metric": "queue.max"}))
        self.refused("validate", "small.json", says=("small.json:1:", "precision.metric", "queue.max"))


class Warmup(Case):
    def test_a_transient_of_known_length_is_dropped(self):
        # 150 jobs at once on a half-loaded worker: it takes about 150 / (1 - 0.5) = 300 s to work them off
        self.scenario(**queue(poisson(0.5), {"burst": {"count": 150, "at_s": 0}}, warmup_s="auto"))
        said = self.fairlane("run", "small.json").stdout
        chosen = self.summary()["warmup_s"]
        self.assertTrue(250 <= chosen <= 450, chosen)
        self.assertIn(f"warm-up     {chosen:g} s", said)
        with open(self.path("results", "small", "welch.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(float(rows[-1]["time_s"]), 2000)
        self.assertGreater(float(rows[0]["backlog_jobs"]), 140)
        self.assertEqual(sum(int(row["dropped"]) for row in rows) * float(rows[0]["time_s"]), chosen)
        # the same figures as with the number given
        auto = self.summary()
        self.fairlane("run", "small.json", "-q", "--set", f"warmup_s={chosen:g}")
        self.assertEqual(auto["metrics"], self.summary()["metrics"])
        self.assertNotIn("welch.csv", self.listing("results", "small"))

    def test_the_choice_depends_on_neither_replications_nor_threads(self):
        self.scenario(**queue(poisson(0.8), warmup_s="auto"))
        for jobs, replications in (("1", "2"), ("2", "7")):
            self.fairlane("run", "small.json", "-q", "--jobs", jobs, "--replications", replications, "--out", jobs)
        self.assertEqual(self.read("1", "welch.csv"), self.read("2", "welch.csv"))

    def test_overload_has_no_steady_state(self):
        self.scenario(**queue(poisson(1.2), warmup_s="auto"))
        self.refused("run", "small.json", expect=1, says=("warmup_s", "no steady state", "second half"))
        self.scenario(**queue(poisson(0.5), warmup_s="auto", duration_s=5))
        self.refused("run", "small.json", expect=1, says=("warmup_s", "at least 10 s"))

    def test_no_other_word_is_taken(self):
        self.scenario(warmup_s="automatic")
        self.refused("validate", "small.json", says=("small.json:", "warmup_s", '"auto"'))


class Statistics(Case):
    def test_the_page_about_statistics_names_every_figure(self):
        with open(os.path.join(os.environ["FAIRLANE_SOURCE"], "docs", "statistics.md"), encoding="utf-8") as file:
            patterns = re.findall(r"`([A-Za-z_.*0-9]+)`", file.read())
        parts = {"S": "(critical|standard|batch|all)", "Q": "(p50|p90|p95|p99|p999|mean|max)", "ID": "[^.]+", "*": ".+"}
        known = re.compile("|".join(r"\.".join(parts.get(part, re.escape(part)) for part in pattern.split("."))
                                    for pattern in patterns))
        self.scenario()
        for listed in (("metrics",), ("metrics", "small.json")):
            names = [line.split()[0] for line in self.fairlane(*listed).stdout.splitlines()[1:] if line[:1].strip()]
            self.assertGreater(len(names), 100)
            self.assertEqual([name for name in names if not known.fullmatch(name)], [])


if __name__ == "__main__":
    unittest.main()
