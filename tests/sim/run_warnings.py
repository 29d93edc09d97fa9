"""Every warning, on real runs: it comes where there is reason, and stays away where there is none."""

import json
import os
import subprocess
import tempfile
import unittest

BINARY = os.environ["FAIRLANE_BINARY"]


def stream(rate, **more):
    return {"origin": "scheduled", "sla_s": 3600, "arrivals": {"poisson": {"rate_per_s": rate}}, "input_tokens": 1,
            "output_tokens": {"exponential": {"mean": 100000}}, **more}


def queue(load, jobs, warmup_s=0, **changes):
    """One worker whose jobs last an exponential second, about `jobs` of them a replication."""
    return {"version": 1, "name": "queue", "seed": "5", "duration_s": warmup_s + jobs / load, "warmup_s": warmup_s,
            "drain_s": 100000, "replications": 20, "workers": 1, "scheduler": {"demotion": {"enabled": False}},
            "endpoint": {"latency": {"ttft_ms": 0, "output_tokens_per_s": 100000, "prefill_ms_per_1k_tokens": 0}},
            "tenants": [{"id": "t", "streams": [stream(load)]}], **changes}


def warnings_of(scenario):
    with tempfile.TemporaryDirectory() as folder:
        path, results = os.path.join(folder, "queue.json"), os.path.join(folder, "results")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(scenario, file)
        done = subprocess.run([BINARY, "run", path, "--quiet", "--out", results], check=False)
        assert done.returncode in (0, 98, 99), done.returncode
        with open(os.path.join(results, "summary.json"), encoding="utf-8") as file:
            # those of the load sheet come before a run and do not look at it
            return [w for w in json.load(file)["warnings"] if "expects only" not in w and "the backlog grows" != w[-17:]]


class Warnings(unittest.TestCase):
    def warned(self, scenario, words):
        found = warnings_of(scenario)
        self.assertTrue(any(words in warning for warning in found), f"no \"{words}\" in {found}")

    def silent(self, scenario, words=""):
        found = [warning for warning in warnings_of(scenario) if words in warning]
        self.assertEqual(found, [])

    def test_overload_is_called_unstable(self):
        for load, jobs in ((1.05, 5000), (1.1, 2000), (1.2, 1000), (1.5, 300)):
            for warmup_s in (0, 300):
                self.warned(queue(load, jobs, warmup_s), "unstable, and no steady-state p99 exists")

    def test_overload_behind_a_limit(self):
        # 60 requests a minute for 72, and patience for as many retries as it takes
        self.warned(queue(1.2, 2000, workers=8, endpoint={
            "limits": {"rpm": 60}, "burst_s": 1, "latency": {"ttft_ms": 100, "output_tokens_per_s": 1e9,
                                                             "prefill_ms_per_1k_tokens": 0}},
            scheduler={"retry": {"max_retries": 1000}, "demotion": {"enabled": False}}), "unstable")

    def test_busy_is_not_unstable(self):
        for load, jobs, warmup_s in ((.8, 2000, 0), (.9, 5000, 0), (.95, 1000, 0), (.95, 20000, 0), (.98, 5000, 1000)):
            self.silent(queue(load, jobs, warmup_s), "unstable")

    def test_a_single_replication_tells_overload_too(self):
        self.warned(queue(1.3, 5000, replications=1), "unstable")
        self.warned(queue(.5, 5000, replications=1), "one replication")

    def test_long_replications_are_trusted(self):
        self.silent(queue(.5, 10000, 500))
        self.silent(queue(.8, 10000, 1000))

    def test_short_ones_are_not(self):
        for load, jobs in ((.8, 1000), (.9, 5000), (.95, 5000)):
            self.warned(queue(load, jobs, 1000), "all.latency.p99 varies by")

    def test_few_jobs_vary_however_independent(self):
        self.warned(queue(.1, 60), "all.latency.p99 varies by")

    def test_jobs_for_a_quantile(self):
        slo = {"slo": ["all.latency.p999 <= 50"], "replications": 10}
        self.warned(queue(.5, 300, **slo), "jobs in all replications are too few")
        self.silent(queue(.5, 500, **slo), "too few")
        self.warned(queue(.5, 30, replications=10, slo=[], precision={
            "metric": "all.latency.p99", "max_replications": 10}), "all.latency.p99:")
        self.warned(queue(.5, 300, slo=["batch.latency.p99 <= 1"]), "the run has no such job")

    def test_failures_that_decide_the_p99(self):
        def limited(rpm):
            return queue(.5, 4000, workers=8, scheduler={"retry": {"max_retries": 0}, "demotion": {"enabled": False}},
                         endpoint={"limits": {"rpm": rpm}, "burst_s": 10,
                                   "latency": {"ttft_ms": 100, "output_tokens_per_s": 1e9}})
        self.warned(limited(36), "all.latency.p99 lies among them")
        self.silent(limited(600), "did not complete")


if __name__ == "__main__":
    unittest.main()
