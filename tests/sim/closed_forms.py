#!/usr/bin/python3
"""Scenarios so small that the outcome can be worked out by hand, through the whole program.

Each test names the times or counts that RULES of the model give; times are exact to the nanosecond that jobs.csv shows.
"""
import csv
import json
import math
import os
import statistics
import subprocess
import tempfile
import unittest

BINARY = os.environ["FAIRLANE_BINARY"]


def latency(ttft_s=1, rate=100):
    return {"ttft_ms": 1000 * ttft_s, "output_tokens_per_s": rate, "prefill_ms_per_1k_tokens": 0}


def at(times, count=1):
    return {"burst": {"count": count, "at_s": times}}


def stream(arrivals, origin="scheduled", input_tokens=1000, output_tokens=0, **more):
    return {"origin": origin, **({"sla_s": 3600} if origin == "scheduled" else {}), "arrivals": arrivals,
            "input_tokens": input_tokens, "output_tokens": output_tokens, **more}


def tenant(id, *streams, **more):
    return {"id": id, "streams": list(streams), **more}


class Run:
    def __init__(self, tenants, endpoint=None, scheduler=None, **more):
        scenario = {"version": 1, "name": "closed-form", "duration_s": 100, "drain_s": 10000, "replications": 1,
                    "workers": 1, "endpoint": {**({} if "preset" in (endpoint or {}) else {"latency": latency()}), **(endpoint or {})},
                    "scheduler": {"demotion": {"enabled": False}, **(scheduler or {})}, "tenants": tenants, **more}
        if not tenants:
            del scenario["tenants"]
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "s.json"), os.path.join(folder, "out")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(scenario, file)
            done = subprocess.run([BINARY, "run", path, "--out", out, "--quiet", "--jobs-csv"], capture_output=True, text=True)
            if done.returncode not in (0, 98, 99):
                raise AssertionError(done.stderr)
            with open(os.path.join(out, "summary.json"), encoding="utf-8") as file:
                self.summary = json.load(file)
            with open(os.path.join(out, "manifest.json"), encoding="utf-8") as file:
                self.scenario = json.load(file)["scenario"]
            with open(os.path.join(out, "jobs.csv"), newline="", encoding="utf-8") as file:
                self.rows = list(csv.DictReader(file))
            with open(os.path.join(out, "tenants.csv"), newline="", encoding="utf-8") as file:
                self.tenants = list(csv.DictReader(file))
        if not self.summary["invariants"]["ok"]:
            raise AssertionError(self.summary["invariants"])

    def __getitem__(self, figure):
        return self.summary["metrics"][figure]["value"]

    def column(self, name, tenant=None, **where):
        """Values of a column in order of arrival, then of job."""
        rows = [row for row in self.rows if tenant in (None, row["tenant"]) and all(row[k] == v for k, v in where.items())]
        rows.sort(key=lambda row: (float(row["arrived_s"]), int(row["job"].split(".")[0]), int(row["job"].split(".")[1])))
        return [float(row[name]) if name.endswith("_s") or name == "attempts" else row[name] for row in rows]


class Batches(unittest.TestCase):
    FIVE = at([0, 10, 20, 30, 40])

    def five(self, **more):
        batch = {"destination": "batches", "size": 3, "flush_s": 100, "completion_s": 50, **more.pop("batch", {})}
        return Run([tenant("a", stream(self.FIVE, "batch_job", 1000, 100, **more))], batch=batch,
                   slo=["batch.latency.p99 <= 200", "batch.latency.p99 <= 100"])

    def test_size_and_flush(self):
        run = self.five()
        # Three make a batch at 20 s; the fourth opens one that is flushed at 130 s. Jobs of one are done one by one.
        self.assertEqual(run.column("first_dispatch_s"), [20, 20, 20, 130, 130])
        self.assertEqual(run.column("ended_s"), [70, 70, 70, 180, 180])
        self.assertEqual(run["workers.busy"], 0)
        self.assertEqual(run["requests.peak_per_s"], 0)

    def test_half_price(self):
        # 1,000 tokens at 1 USD a million and 100 at 5, five times, halved. Completed within [0, 100 s): three.
        self.assertAlmostEqual(self.five()["cost.usd"], 3 * 0.0015 / 2, places=12)
        messages = Run([tenant("a", stream(self.FIVE, "batch_job", 1000, 100))])
        self.assertAlmostEqual(messages["cost.usd"], 5 * 0.0015, places=12)

    def test_expiry(self):
        run = self.five(batch={"expires_s": 40})
        self.assertEqual(run.column("ending"), ["failed"] * 5)
        self.assertEqual(run.column("ended_s"), [60, 60, 60, 170, 170])
        self.assertEqual(run["cost.usd"], 0)

    def test_slos_see_them(self):
        run = self.five()
        self.assertEqual(run["batch.latency.max"], 150)
        self.assertEqual([slo["value"] for slo in run.summary["slo"]], [run["batch.latency.p99"]] * 2)
        self.assertEqual([slo["exceedance"]["share"] for slo in run.summary["slo"]], [0, 0.4])

    def test_patience_in_an_open_batch(self):
        run = self.five(patience_s=15)
        # At 20 s only the last two of three still wait; at 130 s nobody does.
        self.assertEqual(run.column("ending"), ["abandoned", "completed", "completed", "abandoned", "abandoned"])
        self.assertEqual(run.column("ended_s"), [15, 70, 70, 45, 55])

    def test_demoted_tenants_jobs_go_there(self):
        run = Run([tenant("a", stream(at([0, 10, 20])), daily_input_tokens=1000)], scheduler={"demotion": {}},
                  batch={"destination": "batches", "size": 1, "completion_s": 50})
        # 2,000 tokens at 11 s are over 1.5 x 1,000: the third job is batch.
        self.assertEqual(run.column("class"), ["standard", "standard", "batch"])
        self.assertEqual(run.column("ended_s"), [1, 11, 70])

    def test_a_requeued_job_keeps_its_first_dispatch(self):
        run = Run([tenant("a", stream(at([0, 1, 1, 1, 1, 1])))], {"limits": {"rpm": 60}, "burst_s": 1},
                  {"retry": {"max_retries": 0, "on_exhausted": "requeue", "retry_after": {"jitter": 0}},
                   "demotion": {"throttles": 1}},
                  batch={"destination": "batches", "size": 1, "completion_s": 50}, workers=5)
        # One passes at 1 s; the others are refused, demoted, and go to batches 1.2 s later.
        self.assertEqual(sorted(run.column("ended_s")), [1, 2] + [52.2] * 4)
        self.assertEqual(run.column("first_dispatch_s"), [0, 1, 1, 1, 1, 1])


class Populations(unittest.TestCase):
    def test_zipf(self):
        run = Run([], population={"id": "p", "n": 4, "spread": {"zipf": 1}, "total_rate_per_s": 1,
                                  "streams": [stream({"constant": {}})]}, duration_s=2500.5, workers=8)
        # 1 : 1/2 : 1/3 : 1/4, together 1 a second: 48, 24, 16 and 12 %.
        self.assertEqual([len(run.column("job", "p-%d" % i)) for i in (1, 2, 3, 4)], [1200, 600, 400, 300])

    def test_lognormal(self):
        run = Run([], population={"id": "p", "n": 400, "spread": {"lognormal": 0.5}, "total_rate_per_s": 100,
                                  "streams": [stream({"constant": {}})]}, duration_s=400, workers=200)
        counts = [len(run.column("job", "p-%d" % (i + 1))) for i in range(400)]
        self.assertAlmostEqual(sum(counts) / 40000, 1, delta=0.01)
        # The standard deviation of a sample of n has a relative error of 1 / sqrt(2 n).
        self.assertAlmostEqual(statistics.stdev(math.log(n) for n in counts), 0.5, delta=0.5 * 4 / math.sqrt(800))

    def test_plans_are_shares_of_tenants(self):
        run = Run([], population={"id": "p", "n": 10, "plans": {"free": 0.8, "pro": 0.2},
                                  "streams": [stream(at(1))]}, workers=10)
        self.assertEqual(sorted(row["plan"] for row in run.tenants), ["free"] * 8 + ["pro"] * 2)

    def test_count_has_streams_of_its_own(self):
        run = Run([tenant("a", stream({"poisson": {"rate_per_s": 1}}), count=3)], workers=20)
        times = [run.column("arrived_s", "a-%d" % i) for i in (1, 2, 3)]
        self.assertEqual(len({tuple(t) for t in times}), 3)
        self.assertEqual(run.column("tenant", "a"), [])


class Endpoint(unittest.TestCase):
    def test_model_classes_have_limits_of_their_own(self):
        models = {"x": {"limits": {"rpm": 1}, "latency": latency(2)}, "y": {"limits": {"rpm": 1}, "price": {"input": 10}}}
        run = Run([tenant("a", stream(at([0, 10]), model="x")), tenant("b", stream(at(0), model="y", output_tokens=0)),
                   tenant("c", stream(at(0), input_tokens=500))],
                  {"models": models, "price": {"input": 2}}, {"retry": {"max_retries": 0}}, workers=4)
        self.assertEqual(run.column("ending", "a"), ["completed", "failed"])
        self.assertEqual(run.column("ended_s", "a"), [2, 10])
        self.assertEqual(run["throttles.rpm"], 1)
        self.assertAlmostEqual(run["cost.usd"], (1000 * 1 + 1000 * 10 + 500 * 2) * 1e-6, places=12)

    def test_changes_and_null(self):
        every_10 = {"constant": {"rate_per_s": 0.1, "first_s": 5}}
        run = Run([tenant("a", stream(every_10))],
                  {"limits": {"rpm": 1}, "burst_s": 1,
                   "changes": [{"at_s": 30, "limits": None, "latency": latency(3)},
                               {"at_s": 50, "overload": {"good_probability": 1}, "limits": {"rpm": 1}},
                               {"at_s": 70, "overload": None}]}, {"retry": {"max_retries": 0}})
        # One at first, two refused by RPM; no limit from 30 s; a 529 each from 50 s; from 70 s a limit that has been
        # full since 50 s, since it had none before.
        self.assertEqual(run.column("ending"), ["completed", "failed", "failed", "completed", "completed", "failed",
                                                "failed", "completed", "failed", "failed"])
        self.assertEqual([run["throttles." + by] for by in ("rpm", "overload", "total")], [4, 2, 4])
        self.assertEqual(run.column("ended_s", ending="completed"), [6, 38, 48, 78])

    def test_changes_keep_levels_and_requests_in_service(self):
        run = Run([tenant("a", stream(at([0, 2, 4, 6]), output_tokens=0))],
                  {"limits": {"rpm": 60}, "burst_s": 10, "latency": latency(5),
                   "changes": [{"at_s": 1, "burst_s": 1, "latency": latency(1)}]}, {"retry": {"max_retries": 0}}, workers=4)
        # 10 - 1 + 1 s at 1 s, cut to 1; one a second from then on. The first keeps its 5 s.
        self.assertEqual(run.column("ended_s"), [5, 3, 5, 7])

    def test_ramp(self):
        run = Run([tenant("a", stream({"constant": {"rate_per_s": 1, "first_s": 0.5}}, input_tokens=100, from_s=0, until_s=150),
                          stream({"constant": {"rate_per_s": 1, "first_s": 330.5}}, input_tokens=100))],
                  {"latency": latency(0.1), "ramp": {"initial_tokens_per_min": 1000, "step_tokens_per_min": 500}},
                  {"retry": {"max_retries": 0}}, start="2026-01-05T00:00:30Z", duration_s=390)
        # Clock minutes end at 30, 90, 150, 210, 270, 330 s. 10, 15 and 20 pass; then A would be 25, three idle minutes
        # take it back by a step each: 2500 - 1500 = 1000 tokens.
        passed = run.column("arrived_s", ending="completed")
        bounds = [0, 30, 90, 150, 210, 270, 330, 390]
        self.assertEqual([sum(a <= t < b for t in passed) for a, b in zip(bounds, bounds[1:])], [10, 15, 20, 0, 0, 0, 10])
        self.assertEqual(run["throttles.ramp"], 150 + 60 - len(passed))

    def test_ramp_retry_after_is_the_next_minute(self):
        run = Run([tenant("a", stream(at([1, 10.5]), input_tokens=800))],
                  {"ramp": {"initial_tokens_per_min": 1000, "step_tokens_per_min": 500}},
                  {"retry": {"retry_after": {"factor": 1, "jitter": 0}}}, workers=2)
        self.assertEqual(run.column("ended_s"), [2, 61.5])

    def test_overload_episodes(self):
        run = Run([tenant("a", stream({"constant": {"rate_per_s": 1}}))],
                  {"latency": latency(0.01), "overload": {"good_probability": 0, "bad_probability": 1, "mean_bad_s": 5,
                                                         "episodes_per_day": 8640}},
                  {"retry": {"max_retries": 0}}, duration_s=20000, workers=2)
        # Half of the time is bad. 2,000 cycles: relative error of the share .5 about 1 / sqrt(2 x 2000).
        self.assertAlmostEqual(run["throttles.overload"] / 20000, 0.5, delta=4 * 0.5 / math.sqrt(4000))
        self.assertEqual(run["throttles.total"], 0)

    def test_529s_demote_nobody(self):
        run = Run([tenant("a", stream(at(0, 20)))], {"overload": {"good_probability": 1}},
                  {"demotion": {"throttles": 1}}, workers=20)
        self.assertEqual(run["throttles.overload"], 100)
        self.assertEqual(run["demotions.count"], 0)

    def test_spend_cap(self):
        run = Run([tenant("a", stream({"constant": {"rate_per_s": 0.2, "first_s": 0}}, input_tokens=10000))],
                  {"spend_cap_usd_per_day": 0.05}, {"retry": {"max_retries": 0}}, start="2026-01-05T23:59:00Z")
        # A cent each, booked at completion a second later: five until 21 s, none until midnight at 60 s, five again.
        self.assertEqual(run.column("arrived_s", ending="completed"), [0, 5, 10, 15, 20, 60, 65, 70, 75, 80])
        self.assertEqual(run["throttles.spend"], 10)

    def test_cache(self):
        both = [stream(at(0, 12), input_tokens=1000, cached_tokens=900, cache_write_tokens=60)]
        price = {"price": {"input": 1, "cache_write": 10, "cache_read": 100}, "limits": {"itpm": 1000}}
        run = Run([tenant("a", *both)], price, {"retry": {"max_retries": 0}}, workers=12)
        # 100 of each count: ten fit. 40 plain, 60 written, 900 read.
        self.assertEqual(run["throttles.itpm"], 2)
        self.assertAlmostEqual(run["cost.usd"], 10 * (40 * 1 + 60 * 10 + 900 * 100) * 1e-6, places=12)
        run = Run([tenant("a", *both)], {**price, "cache_reads_count": True}, {"retry": {"max_retries": 0}}, workers=12)
        self.assertEqual(run["throttles.itpm"], 11)

    def test_estimates_are_corrected_at_the_first_token(self):
        for second_s, expected in ((0.5, "completed"), (0.499, "failed")):
            run = Run([tenant("a", stream(at([0, second_s]), input_tokens=500, output_tokens=50))],
                      {"limits": {"itpm": 60000}, "burst_s": 1, "input_estimate": 2, "latency": latency(0.5)},
                      {"retry": {"max_retries": 0}}, workers=2)
            # 1,000 taken for 500; the first token at .5 s gives 500 back, the refill has given 500.
            self.assertEqual(run.column("ending"), ["completed", expected])

    def test_concurrency(self):
        run = Run([tenant("a", stream(at([0, 0.5, 1])))], {"concurrency": 1}, {"retry": {"max_retries": 0}}, workers=3)
        self.assertEqual(run.column("ending"), ["completed", "failed", "completed"])
        self.assertEqual(run["throttles.concurrency"], 1)


class Retries(unittest.TestCase):
    """Every attempt meets a 529, which has no retry-after; the last of five fails the job."""

    def ended(self, retry, count=1):
        return Run([tenant("a", stream(at(0, count)))], {"overload": {"good_probability": 1}}, {"retry": retry},
                   workers=count).column("ended_s")

    def test_exact_delays(self):
        exponential = {"policy": "exponential"}
        for retry, ended in ((exponential, 1 + 2 + 4 + 8),
                             ({**exponential, "exponential": {"cap_s": 2}}, 1 + 2 + 2 + 2),
                             ({**exponential, "exponential": {"base_s": 2, "multiplier": 3}}, 2 + 6 + 18 + 54),
                             ({"policy": "fixed", "fixed": {"delay_s": 3}}, 4 * 3),
                             ({"policy": "immediate"}, 0),
                             ({"policy": "retry_after", "retry_after": {"jitter": 0}}, 4 * 1.2),
                             ({**exponential, "max_retries": 2}, 1 + 2),
                             ({**exponential, "give_up_s": 7}, 1 + 2 + 4),
                             ({**exponential, "give_up_s": 6.9}, 1 + 2)):
            self.assertEqual(self.ended(retry), [ended], retry)

    def test_jitter(self):
        exponential = {"policy": "exponential"}
        for retry, least, most in (({"policy": "sdk"}, 0.75 * 7.5, 7.5),
                                   ({**exponential, "exponential": {"jitter": "full"}}, 0, 15),
                                   ({**exponential, "exponential": {"jitter": "equal"}}, 7.5, 15),
                                   ({"policy": "retry_after"}, 4 * 0.96, 4 * 1.44),
                                   ({"policy": "retry_after", "retry_after": {"jitter_mode": "positive"}}, 4.8, 4 * 1.44)):
            times = self.ended(retry, 400)
            self.assertGreaterEqual(min(times), least, retry)
            self.assertLessEqual(max(times), most, retry)
            # All these jitters are uniform: the mean lies in the middle. A sum of four varies by less than a sixth of its range.
            self.assertAlmostEqual(statistics.mean(times), (least + most) / 2, delta=4 * (most - least) / 6 / 20)

    def test_decorrelated_jitter(self):
        times = self.ended({"policy": "exponential", "max_retries": 1, "exponential": {"jitter": "decorrelated"}}, 400)
        self.assertTrue(1 <= min(times) < 1.05 and 2.95 < max(times) <= 3)
        times = self.ended({"policy": "exponential", "max_retries": 2, "exponential": {"jitter": "decorrelated"}}, 400)
        # d1 in U(1, 3), d2 in U(1, 3 d1): mean 2 + (1 + 6) / 2.
        self.assertAlmostEqual(statistics.mean(times), 5.5, delta=4 * 2.2 / 20)

    def test_requeue_goes_to_the_tail(self):
        run = Run([tenant("a", stream(at([0, 0.1, 0.2])))], {"overload": {"good_probability": 1, "bad_probability": 1},
                                                             "changes": [{"at_s": 0.5, "overload": None}]},
                  {"retry": {"policy": "fixed", "fixed": {"delay_s": 1}, "max_retries": 0, "on_exhausted": "requeue"}})
        # Refused at 0, back in the queue at 1 s behind the two that came meanwhile.
        self.assertEqual(run.column("ended_s"), [4, 2, 3])
        self.assertEqual(run.column("first_dispatch_s"), [0, 1, 2])


class Jobs(unittest.TestCase):
    def test_patience(self):
        run = Run([tenant("a", stream(at(0), output_tokens=900)), tenant("b", stream(at([1, 2]), patience_s=9))])
        # The worker is free at 10 s: the one whose patience ends then has left, the other has a second to spare.
        self.assertEqual(run.column("ending", "b"), ["abandoned", "completed"])
        self.assertEqual(run.column("ended_s", "b"), [10, 11])

    def test_closed_population(self):
        run = Run([tenant("a", stream({"closed": {"population": 1, "think_s": 4}}))], duration_s=20)
        self.assertEqual(run.column("arrived_s"), [4, 9, 14, 19])

    def test_who_leaves_a_closed_population_thinks_from_then_on(self):
        run = Run([tenant("a", stream(at(0), output_tokens=900)),
                   tenant("b", stream({"closed": {"population": 1, "think_s": 4}}, patience_s=3))], duration_s=20)
        # Came at 4, left at 7, which the worker notices at 10; thought until 11, served until 12, thought until 16.
        self.assertEqual(run.column("arrived_s", "b"), [4, 11, 16])

    def test_demotion_by_429s(self):
        block = tenant("block", stream(at(0), output_tokens=99900))
        later = [10, 25, 40, 55, 70, 71, 72, 370.999, 371]
        run = Run([block, tenant("a", stream(at(later)))], {"concurrency": 1},
                  {"retry": {"max_retries": 0}, "demotion": {"throttles": 5, "window_s": 60, "duration_s": 300}},
                  workers=2, duration_s=400)
        # The one at 10 s has left the window (10, 70]; the one at 71 s makes five in (11, 71]; so does the one at 72 s,
        # which renews: demoted on [71, 372).
        self.assertEqual(run.column("class", "a"), ["standard"] * 6 + ["batch"] * 3)
        self.assertEqual(run["demotions.count"], 1)
        self.assertAlmostEqual(run["demotions.time_share"], (372 - 71) / 800, places=12)
        run = Run([block, tenant("a", stream(at(later[:6] + [370.999, 371])))], {"concurrency": 1},
                  {"retry": {"max_retries": 0}, "demotion": {"throttles": 5, "window_s": 60, "duration_s": 300}},
                  workers=2, duration_s=400)
        self.assertEqual(run.column("class", "a"), ["standard"] * 6 + ["batch", "standard"])


class Presets(unittest.TestCase):
    """Published figures: limits a minute, TTFT percentiles in ms, tokens a second, USD a million tokens."""

    TIERS = {"haiku-4.5": {"tier-1": (50, 50000, 10000), "tier-2": (1000, 450000, 90000), "tier-3": (2000, 1000000, 200000),
                           "tier-4": (4000, 4000000, 800000)},
             "sonnet-4.6": {"tier-1": (50, 30000, 8000), "tier-2": (1000, 450000, 90000), "tier-3": (2000, 800000, 160000),
                            "tier-4": (4000, 2000000, 400000)}}
    TIERS["opus-4.6"] = TIERS["sonnet-4.6"]
    LATER = {"start": (1000, 2000000, 400000), "build": (5000, 5000000, 1000000), "scale": (10000, 10000000, 2000000)}
    MODELS = {"haiku-4.5": ((541, 1591, 4117), 100, (1, 1.25, 0.1, 5)),
              "sonnet-4.6": ((941, 2939, 4787), 63, (3, 3.75, 0.3, 15)),
              "opus-4.6": ((1626, 2420, 3797), 45, (5, 6.25, 0.5, 25))}

    def test_every_published_tier_and_model(self):
        for model, (ttft, rate, price) in self.MODELS.items():
            for tier, limits in {**self.TIERS[model], **self.LATER}.items():
                run = Run([tenant("a", stream(at(0)))], {"preset": model + "-" + tier})
                endpoint = run.scenario["endpoint"]
                self.assertEqual(endpoint["limits"], dict(zip(("rpm", "itpm", "otpm"), limits)), model + tier)
                self.assertEqual(endpoint["latency"]["ttft_ms"], {"percentiles": dict(zip(("p50", "p95", "p99"), ttft))})
                self.assertEqual(endpoint["latency"]["output_tokens_per_s"]["lognormal"]["median"], rate)
                self.assertEqual(endpoint["price"], dict(zip(("input", "cache_write", "cache_read", "output"), price)))


class Scheduling(unittest.TestCase):
    def test_timer_refill(self):
        refill = {"mode": "timer", "interval_ms": 10000, "jitter_ms": 0}
        run = Run([tenant("a", stream(at([0, 50], 6)))], None, {"tenants": {"quantum": 2, "refill": refill}})
        # A quantum of two at 0, 10, 20 s, none saved up while idle.
        self.assertEqual(run.column("first_dispatch_s"), [0, 1, 10, 11, 20, 21, 50, 51, 60, 61, 70, 71])
        run = Run([tenant("a", stream(at(1, 3), input_tokens=20000))], None, {"tenants": {"quantum": 2, "refill": refill}})
        # Jobs of 5 units; the bucket grows by 2 and holds 5 for their sake: 2 at 1 s, 4, 5; then 2, 4, 5 again.
        self.assertEqual(run.column("first_dispatch_s"), [20, 50, 80])

    def test_linger(self):
        run = Run([tenant("a", stream(at(0, 3)), stream(at(3), "user_action"))], None,
                  {"picker": {"critical_win_probability": 1, "critical_linger_ms": 5000}})
        # No linger at first; until 6 s after the first, cut short by the critical job at 3 s; until 4 + 5, until 10 + 5.
        self.assertEqual(run.column("first_dispatch_s"), [0, 9, 15, 3])

    def test_article(self):
        run = Run([tenant("a", stream(at(0, 2), input_tokens=12000)), tenant("b", stream(at(0, 6)))], None,
                  {"tenants": {"policy": "article", "quantum": 1}})
        # Each call refills a first: 1, 2, 3. b goes at once whenever a cannot.
        self.assertEqual(run.column("first_dispatch_s", "a"), [2, 5])
        self.assertEqual(run.column("first_dispatch_s", "b"), [0, 1, 3, 4, 6, 7])

    def test_article_serves_the_first_tenant_first(self):
        run = Run([tenant("a", stream(at(0, 4))), tenant("b", stream(at(0, 2)))], None, {"tenants": {"policy": "article"}})
        self.assertEqual(run.column("first_dispatch_s", "a"), [0, 1, 2, 3])

    def test_vtc_lifts_who_returns(self):
        run = Run([tenant("a", stream(at(0, 20))), tenant("b", stream(at(10.5, 4)))], None, {"tenants": {"policy": "vtc"}})
        # b comes in at a's 11, so that they alternate, a first; without the lift b would have four in a row.
        self.assertEqual(run.column("first_dispatch_s", "b"), [12, 14, 16, 18])

    def test_vtc_by_weight(self):
        run = Run([tenant("a", stream(at(0, 9))), tenant("b", stream(at(0, 9)), plan="double")], None,
                  {"tenants": {"policy": "vtc"}}, plans={"double": {"weight": 2}})
        # Counters grow by 1 and by a half: a, b b a, b b a, ... ties to the first in the file.
        self.assertEqual(run.column("first_dispatch_s", "a")[:4], [0, 3, 6, 9])

    def test_mirror_pacing(self):
        run = Run([tenant("a", stream(at(0, 3)))], {"limits": {"rpm": 60}, "burst_s": 1},
                  {"retry": {"pacing": "mirror"}}, workers=3)
        self.assertEqual(run["throttles.total"], 0)
        self.assertEqual(run.column("first_dispatch_s"), [0, 0, 0])
        for ended, expected in zip(sorted(run.column("ended_s")), (1, 2, 3)):
            self.assertAlmostEqual(ended, expected, delta=1e-6)
        # Held from 0 to 1 and from 0 to 2 s, of 3 x 100.
        self.assertAlmostEqual(run["workers.backoff"], 3 / 300, places=6)

    def test_mirror_pacing_heeds_the_headers_of_a_429(self):
        run = Run([tenant("a", stream(at(0), input_tokens=900), stream(at([1, 1.5]), input_tokens=100))],
                  {"limits": {"itpm": 1000}, "changes": [{"at_s": 0.5, "limits": {"itpm": 60}}]},
                  {"retry": {"pacing": "mirror", "retry_after": {"factor": 1, "jitter": 0}}}, workers=3)
        # From .5 s the bucket holds 60 and the copy does not know. The first to try is refused, and the header says why
        # the second must wait: without it there would be a second 429 at 1.5 s.
        self.assertEqual(run["throttles.itpm"], 1)


if __name__ == "__main__":
    unittest.main()
