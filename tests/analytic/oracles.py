#!/usr/bin/python3
"""Closed results of queueing theory against the whole program.

usage: oracles.py FAIRLANE NAME     check one row; without NAME, list them

Each row writes a scenario file, runs `fairlane run` on it and compares figures with values that theory gives. A figure
agrees when it lies within 4 standard errors, those of the run's own interval, and the run is long enough that 4 standard
errors are at most 5 % of the value (10 % for a p99), so that the check can fail.
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

REPLICATIONS = 20
T_975 = 2.093024  # Student t quantile for 20 replications
TOKENS_PER_S = 100000  # so fine that rounding to tokens does not show


def exponential(mean_s):
    """A service time that is all output, exponentially distributed."""
    return {"exponential": {"mean": mean_s * TOKENS_PER_S}}


def stream(arrivals, service=None, origin="scheduled", **more):
    return {"origin": origin, **({"sla_s": 3600} if origin == "scheduled" else {}), "arrivals": arrivals,
            "input_tokens": 1, "output_tokens": exponential(1) if service is None else service, **more}


def poisson(rate):
    return {"poisson": {"rate_per_s": rate}}


def scenario(streams, jobs, workers=1, ttft_ms=0, endpoint=None, retry=None, picker=None, policy="fifo", warmup_s=2000):
    """`jobs`: over all replications, at the rate of the streams."""
    rate = sum(list(s["arrivals"].values())[0]["rate_per_s"] for s in streams)
    return {
        "version": 1, "name": "oracle", "seed": "20260105", "replications": REPLICATIONS, "workers": workers,
        "warmup_s": warmup_s, "duration_s": warmup_s + math.ceil(jobs / REPLICATIONS / rate), "drain_s": 100000,
        "scheduler": {"picker": picker or {"critical_win_probability": 1, "weights": {"critical": 1, "standard": 1, "batch": 0}},
                      "tenants": {"policy": policy}, "retry": retry or {}, "demotion": {"enabled": False}},
        "endpoint": {"limits": {}, "latency": {"ttft_ms": ttft_ms, "output_tokens_per_s": TOKENS_PER_S,
                                               "prefill_ms_per_1k_tokens": 0}, **(endpoint or {})},
        "tenants": [{"id": "t", "streams": streams}],
    }


def spread_over(tenants, streams):
    """The same streams, their rates divided among `tenants` {id: share}."""
    made = []
    for name, share in tenants.items():
        parts = [json.loads(json.dumps(s)) for s in streams]
        for part in parts:
            part["arrivals"]["poisson"]["rate_per_s"] *= share
        made.append({"id": name, "streams": parts})
    return made


def mm1(rate, jobs):
    def waits(p):
        return math.log(rate / (1 - p)) / (1 - rate)
    return scenario([stream(poisson(rate))], jobs), {
        "all.wait.mean": rate / (1 - rate), "all.wait.p99": waits(.99),
        **{"all.latency.p%d" % (100 * p): -math.log(1 - p) / (1 - rate) for p in (.5, .95, .99)}}


def mmc(workers, rate, jobs, mean, wait_p99, sojourn_p99):
    return scenario([stream(poisson(rate))], jobs, workers=workers), {
        "all.wait.mean": mean, "all.wait.p99": wait_p99, "all.latency.p99": sojourn_p99}


def md1(rate, jobs, mean, wait_p99):
    return scenario([stream(poisson(rate), service=0)], jobs, ttft_ms=1000), {"all.wait.mean": mean, "all.wait.p99": wait_p99}


def mg1(ttft_ms, mean, jobs):
    return scenario([stream(poisson(.8), service=0)], jobs, ttft_ms=ttft_ms), {"all.wait.mean": mean}


def gim1(arrivals, mean, sojourn_p99, jobs):
    return scenario([stream(arrivals)], jobs), {"all.wait.mean": mean, "all.latency.p99": sojourn_p99}


def priorities(rates, means, waits, jobs, workers=1):
    origins = ("user_action", "scheduled", "batch_job")
    streams = [stream(poisson(r), service=exponential(m), origin=o) for r, m, o in zip(rates, means, origins)]
    return scenario(streams, jobs, workers=workers), {
        "%s.wait.mean" % c: w for c, w in zip(("critical", "standard", "batch"), waits)}


def conservation(rates, means, total, jobs, policy):
    """Kleinrock: sum of rho_i W_i is the same for every rule that does not look at sizes, whether the groups are classes
    between which the picker draws, each shared by two tenants, or tenants of one class."""
    loads = [r * m for r, m in zip(rates, means)]
    if len(set(means)) == 1:
        made, _ = priorities(rates, means, (), jobs)
        made["scheduler"]["picker"] = {"critical_win_probability": .9,
                                       "weights": {"critical": 70, "standard": 25, "batch": 5}}
        made["tenants"] = spread_over({"most": .75, "few": .25}, made["tenants"][0]["streams"])
        groups = ["critical", "standard", "batch"]
    else:
        streams = [stream(poisson(r), service=exponential(m)) for r, m in zip(rates, means)]
        made = scenario(streams, jobs)
        made["tenants"] = [{"id": "t%d" % i, "streams": [s]} for i, s in enumerate(streams)]
        groups = ["tenant.t%d" % i for i in range(3)]
    made["scheduler"]["tenants"] = {"policy": policy, "quantum": 3}
    return made, {"sum of rho W": (lambda results: per_replication(results, lambda f: sum(
        load * f[group + ".wait.mean"] for load, group in zip(loads, groups))), total)}


def policer(rate, burst_s, share, jobs):
    """A token bucket without retries: who finds it empty is lost."""
    made = scenario([stream(poisson(rate), service=0)], jobs, workers=16, retry={"max_retries": 0}, warmup_s=100,
                    endpoint={"limits": {"rpm": 60}, "burst_s": burst_s})
    return made, {"share accepted": (lambda r: per_replication(r, lambda f: f["all.completed"] / f["all.arrived"]), share)}


def retrial(rate, retry_rate, orbit, jobs, workers):
    """M/M/1 with retrials: a single place, and everybody who finds it taken tries again after an exponential time."""
    made = scenario([stream(poisson(rate))], jobs, workers=workers, endpoint={"concurrency": 1},
                    retry={"policy": "fixed", "fixed": {"delay_s": {"exponential": {"mean": 1 / retry_rate}}},
                           "max_retries": 1000})
    return made, {"mean orbit": (lambda r: per_replication(r, lambda f: workers * f["workers.backoff"]), orbit)}


def impatience(rate, share, jobs):
    made = scenario([stream(poisson(rate), patience_s={"exponential": {"mean": 1}})], jobs, warmup_s=100)
    return made, {"share abandoned": (lambda r: per_replication(r, lambda f: f["all.abandoned"] / f["all.arrived"]), share)}


def pasta(jobs):
    """Arrivals that are not Poisson do not see time averages."""
    made = scenario([stream({"constant": {"rate_per_s": .8}})], jobs, warmup_s=0)

    def seen_empty(results):
        found, empty = [0] * REPLICATIONS, [0] * REPLICATIONS
        with open(os.path.join(results, "jobs.csv"), newline="") as f:
            for row in csv.DictReader(f):
                found[int(row["replication"]) - 1] += 1
                empty[int(row["replication"]) - 1] += row["first_dispatch_s"] == row["arrived_s"]
        return [e / n for e, n in zip(empty, found)]
    return made, {"seen empty": (seen_empty, .371370), "workers.idle": .2}


def spread_of_mean_wait(rate, jobs_each, replications, expected):
    """n Var(mean wait) over replications of about n jobs; the error of a variance is sqrt(2 / (R - 1)) of it."""
    made = scenario([stream(poisson(rate))], jobs_each * replications)
    made["replications"] = replications
    made["duration_s"] = made["warmup_s"] + math.ceil(jobs_each / rate)

    def scaled(results):
        waits = per_replication(results, lambda f: (f["all.wait.mean"], f["all.arrived"]))
        mean = sum(w * n for w, n in waits) / sum(n for _, n in waits)
        return [n * (w - mean) ** 2 * replications / (replications - 1) for w, n in waits]
    return made, {"n Var(mean wait)": (scaled, expected, .30)}


def equal_tenants(tenants, mean, windows):
    """Jain's index of equal Poisson tenants falls short of 1 by the variance of their counts alone."""
    made = scenario([stream(poisson(mean / 60), service=0)], 1, ttft_ms=1, workers=4, warmup_s=0)
    made["tenants"] = [{"id": "t", "count": tenants, "streams": made["tenants"][0]["streams"]}]
    made["duration_s"] = 60 * windows
    short = 1 - 1 / (1 + (tenants - 1) / (tenants * mean))
    return made, {
        "1 - windowed index": (lambda r: per_replication(r, lambda f: 1 - f["jain.service.windowed"]), short),
        "jain.service.windowed": 1 - short, "1 - poisson": (
            lambda r: per_replication(r, lambda f: 1 - f["jain.service.poisson"]), short)}


PRIORITIES = {"even": ((.2, .3, .3), (1, 1, 1)), "uneven": ((.2, .3, .04), (.5, 1, 10))}

ROWS = {
    "mm1-0.5": lambda: mm1(.5, 600000),
    "mm1-0.8": lambda: mm1(.8, 1500000),
    "mm1-0.9": lambda: mm1(.9, 5500000),
    "mm2": lambda: mmc(2, 1.6, 1500000, 1.777778, 10.660609, 11.937370),
    "mm4": lambda: mmc(4, 3.2, 2500000, .745541, 5.110476, 6.893204),
    "mm8": lambda: mmc(8, 6.4, 3500000, .286028, 2.389693, 5.152182),
    "md1-0.5": lambda: md1(.5, 1000000, .5, 3.336256),
    "md1-0.8": lambda: md1(.8, 1500000, 2, 10.355887),
    "md1-0.9": lambda: md1(.9, 3000000, 4.5, 21.898237),
    "mg1-uniform": lambda: mg1({"uniform": {"min": 0, "max": 2000}}, 2.666667, 1000000),
    "mg1-erlang": lambda: mg1({"gamma": {"mean": 1000, "cv": math.sqrt(.5)}}, 3, 1000000),
    "mg1-lognormal": lambda: mg1({"lognormal": {"median": 1000 * math.exp(-.5), "sigma": 1}}, 5.436564, 4000000),
    "dm1": lambda: gim1({"constant": {"rate_per_s": .8}}, 1.692731, 12.400484, 1000000),
    "em1": lambda: gim1({"gamma": {"rate_per_s": .8, "cv": math.sqrt(.5)}}, 2.843980, 17.702181, 1500000),
    "priority-even": lambda: priorities(*PRIORITIES["even"], (1, 2, 8), 2000000),
    "priority-uneven": lambda: priorities(*PRIORITIES["uneven"], (4.833333, 8.055556, 36.25), 4000000),
    "priority-mm4": lambda: priorities((.8, 1.2, 1.2), (1, 1, 1), (.186385, .372770, 1.491081), 2000000, workers=4),
    **{"conservation-%s-%s" % (k, p): (lambda k=k, p=p, w=w, n=n: conservation(*PRIORITIES[k], w, n, p))
       for k, w, n in (("even", 3.2, 1200000), ("uneven", 17.4, 4800000)) for p in ("fifo", "drr", "round_robin", "vtc")},
    "policer-2-1": lambda: policer(2, 1, .333333, 400000),
    "policer-2-2": lambda: policer(2, 2, .468311, 400000),
    "policer-2-5": lambda: policer(2, 5, .499747, 400000),
    "policer-0.8-1": lambda: policer(.8, 1, .555556, 400000),
    "policer-0.8-2": lambda: policer(.8, 2, .800430, 400000),
    "policer-0.8-5": lambda: policer(.8, 5, .964710, 400000),
    "policer-1-5": lambda: policer(1, 5, .896551, 400000),
    "retrial-0.5-1": lambda: retrial(.5, 1, 1, 600000, 64),
    "retrial-0.5-0.2": lambda: retrial(.5, .2, 3, 600000, 96),
    "retrial-0.8-1": lambda: retrial(.8, 1, 6.4, 2000000, 192),
    "impatience-0.8": lambda: impatience(.8, .311661, 400000),
    "impatience-1": lambda: impatience(1, .367879, 400000),
    "impatience-2": lambda: impatience(2, .567668, 400000),
    "pasta": lambda: pasta(400000),
    "mean-wait-spread": lambda: spread_of_mean_wait(.5, 2000, 400, 29),
    "jain-poisson": lambda: equal_tenants(10, 100, 150),
}


def per_replication(results, combine):
    """`combine` of the figures of each replication, ratios already divided."""
    figures = {}
    with open(os.path.join(results, "replications.csv"), newline="") as f:
        for row in csv.DictReader(f):
            if row["value"] and float(row["weight"]) > 0:
                figures.setdefault(row["replication"], {})[row["figure"]] = float(row["value"]) / float(row["weight"])
    return [combine(f) for f in figures.values()]


def from_summary(summary, name):
    row = summary["metrics"][name]
    return row["value"], (row["hi"] - row["lo"]) / 2 / T_975


def from_values(values):
    n = len(values)
    mean = sum(values) / n
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n)


def check(name, value, error, expected, allowed=None):
    allowed = allowed or (.10 if name.endswith("p99") else .05)
    agrees = abs(value - expected) <= 4 * error
    sharp = 4 * error <= allowed * expected
    print("%-18s expected %12.6f found %12.6f, 4 standard errors %.6f%s%s" % (
        name, expected, value, 4 * error, "" if agrees else "  DISAGREES", "" if sharp else "  TOO BLUNT"))
    return agrees and sharp


def run(fairlane, row):
    made, expected = ROWS[row]()
    with tempfile.TemporaryDirectory() as folder:
        path, results = os.path.join(folder, "oracle.json"), os.path.join(folder, "results")
        with open(path, "w") as f:
            json.dump(made, f)
        rows = ["--jobs-csv"] if row == "pasta" else []
        subprocess.run([fairlane, "run", path, "--out", results, "--quiet", *rows], check=True)
        with open(os.path.join(results, "summary.json")) as f:
            summary = json.load(f)
        if not summary["invariants"]["ok"]:
            print("invariants violated: %s" % summary["invariants"])
            return False
        good = True
        for name, value in expected.items():
            if isinstance(value, tuple):
                good &= check(name, *from_values(value[0](results)), *value[1:])
            else:
                good &= check(name, *from_summary(summary, name), value)
        return good


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.exit(0 if run(sys.argv[1], sys.argv[2]) else 1)
    print("\n".join(ROWS))
