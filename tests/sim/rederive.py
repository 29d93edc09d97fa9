#!/usr/bin/python3
"""Every figure of a real run, derived again from its own rows by another hand.

usage: FAIRLANE_BINARY=... rederive.py

Runs a scenario that has all kinds of figures (plenty of jobs and few, 429s, failures, a class whose p99 lies among its
failed jobs), then computes values, 95 % intervals and verdicts from replications.csv and jobs.csv alone and compares them
with summary.json. Only the standard library, and none of the program's methods where there is a choice: binomial tails
are sums, Student's t is integrated, quantiles are read off sorted lists.
"""
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

REPLICATIONS = 12
SLOS = ["critical.latency.p99 <= 3", "critical.latency.p50 <= 1", "standard.latency.p95 <= 2.5", "batch.latency.p99 <= 60",
        "all.wait.p90 <= 0.5", "served.all.latency.p99 <= 6", "jain.service >= 0.5", "throttles.rate <= 0.2",
        "queue.max <= 1000", "tenant.few.latency.p99 <= 3"]


def stream(origin, rate, output, **more):
    return {"origin": origin, "sla_s": 3600, "arrivals": {"poisson": {"rate_per_s": rate}},
            "input_tokens": {"lognormal": {"median": 400, "sigma": 0.8}},
            "output_tokens": {"lognormal": {"median": output, "sigma": 0.7}}, "max_tokens": 1000, **more}


SCENARIO = {
    "version": 1, "name": "rederive", "seed": "4", "duration_s": 900, "warmup_s": 60, "drain_s": 20,
    "replications": REPLICATIONS, "workers": 6,
    "scheduler": {"retry": {"max_retries": 1}},
    "endpoint": {"limits": {"rpm": 64, "itpm": 60000}, "burst_s": 20,
                 "latency": {"ttft_ms": {"lognormal": {"median": 300, "sigma": 0.4}}, "output_tokens_per_s": 100,
                             "prefill_ms_per_1k_tokens": 0}},
    "plans": {"free": {"weight": 1}, "pro": {"weight": 3}},
    "tenants": [
        {"id": "many", "plan": "pro", "streams": [stream("user_action", 0.5, 40), stream("scheduled", 0.3, 90)]},
        {"id": "few", "plan": "free", "streams": [stream("user_action", 0.01, 40), stream("batch_job", 0.02, 200)]},
        {"id": "leaver", "plan": "free", "streams": [stream("scheduled", 0.1, 60, patience_s={"exponential": {"mean": 60}})]},
    ],
    "slo": SLOS,
}

RATIOS = {"throttles.rate", "retries.recurrence", "retries.amplification", "retries.early_share"}


def kind_of(name):
    last = name.rsplit(".", 1)[-1]
    if ".latency." in name or ".wait." in name:
        return {"mean": "times mean", "max": "times max"}.get(last, "quantile")
    if name.startswith("jain."):
        return "jain"
    if name in RATIOS:
        return "ratio"
    return "largest" if last == "max" or "peak" in name else "mean"


# ---- distributions ----

def student_t(level, df):
    """Two-sided quantile, by Simpson's rule on the density and bisection."""
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)

    def inside(x, steps=2000):
        h = x / steps
        total = sum((1 if i in (0, steps) else 4 if i % 2 else 2) * (1 + (i * h) ** 2 / df) ** (-(df + 1) / 2)
                    for i in range(steps + 1))
        return 2 * scale * total * h / 3
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < level else (low, middle)
    return low


def clopper_pearson(hits, trials, level):
    tail = (1 - level) / 2

    def at_least(k, p):
        """P(Binomial >= k), summed from the shorter end."""
        def term(i):
            return math.exp(math.lgamma(trials + 1) - math.lgamma(i + 1) - math.lgamma(trials - i + 1)
                            + i * math.log(p) + (trials - i) * math.log1p(-p))
        upper = trials - k < k
        total = sum(map(term, range(k, trials + 1) if upper else range(k)))
        return total if upper else 1 - total

    def solve(k, target):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if at_least(k, middle) < target else (low, middle)
        return low
    return (solve(hits, tail) if hits else 0.0), (solve(hits + 1, 1 - tail) if hits < trials else 1.0)


T = {}


def t_of(level, count):
    if (level, count) not in T:
        T[level, count] = student_t(level, count - 1)
    return T[level, count]


# ---- estimates: (value, lo, hi), None for null ----

NULL = (None, None, None)


def by_mean(values, level=.95):
    values = [v for v in values if v is not None]
    if not values:
        return NULL
    n, mean = len(values), sum(values) / len(values)
    if n < 2:
        return mean, None, None
    half = t_of(level, n) * math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n)
    return mean, mean - half, mean + half


def within_share(interval, parts, wholes):
    """The interval of a ratio whose part exceeds its whole in no replication ends at 0 and 1."""
    ratio, lo, hi = interval
    if lo is None or not all(0 <= part <= whole for part, whole in zip(parts, wholes)):
        return interval
    return ratio, max(0, lo), min(1, hi)


def by_ratio(tops, bottoms, level=.95):
    pairs = [(a, b) for a, b in zip(tops, bottoms) if a is not None and b is not None]
    bottom = sum(b for _, b in pairs)
    if not bottom:
        return NULL
    n, ratio = len(pairs), sum(a for a, _ in pairs) / bottom
    if sum(b > 0 for _, b in pairs) < 2:
        return ratio, None, None
    se = math.sqrt(sum((a - ratio * b) ** 2 for a, b in pairs) / (n - 1) / n) / (bottom / n)
    half = t_of(level, n) * se
    return ratio, ratio - half, ratio + half


def by_jain(values, level=.95):
    mean, lo, _ = by_mean(values, level)
    if mean is None or lo is None or not 0 < mean < 1:
        return mean, lo if lo is None else mean, lo if lo is None else mean
    # error of ln CV^2 where J = 1 / (1 + CV^2): that of J times |d ln CV^2 / dJ|
    cv2, half = 1 / mean - 1, (mean - lo) / (mean * (1 - mean))
    return mean, 1 / (1 + cv2 * math.exp(half)), 1 / (1 + cv2 * math.exp(-half))


def rank(p, n):
    """The smallest rank with at least p n at or below it; p as the decimal that it is meant to be."""
    return max(1, -(-round(p * 1000) * n // 1000))


def reading(ordered, p):
    """Finite value at the ceiling of p n, or None."""
    value = ordered[min(len(ordered), max(1, math.ceil(p * len(ordered)))) - 1] if p < 1 else math.inf
    return value if value < math.inf else None


def by_quantile(sections, p, level=.95):
    """`sections`: times by replication, infinite for jobs beyond. Nearly exact: the program's bins are .1 % wide."""
    pooled = sorted(sum(sections, []))
    if not pooled:
        return NULL, None
    value = pooled[rank(p, len(pooled)) - 1]
    if value == math.inf:
        return NULL, None
    own = [sorted(s)[rank(p, len(s)) - 1] if s else math.inf for s in sections]
    n = len(sections)
    if all(len(s) * (1 - p) > 1 - 1e-9 for s in sections) and max(own) < math.inf:
        half = t_of(level, n) * math.sqrt(sum((q - value) ** 2 for q in own) / (n - 1) / n)
        last = max(x for x in pooled if x < math.inf)
        return (value, max(0, value - half), None if pooled[-1] == math.inf and value + half > last else value + half), "sections"
    edge = value * (1 + 1e-3)
    below, jobs = [[sum(x <= edge for x in s) for s in sections], [sum(x <= value for x in s) for s in sections]], [
        len(s) for s in sections]
    bounds = []
    for counts in below:  # the bin of the value ends somewhere between both
        share, lo, _ = by_ratio(counts, jobs, level)
        if lo is None:
            return (value, None, None), "shares"
        half = max(share - lo, t_of(level, n) * math.sqrt(p * (1 - p) / len(pooled)))
        bounds.append((reading(pooled, max(0, p - half)), reading(pooled, p + half)))
    return (value, [b[0] for b in bounds], [b[1] for b in bounds]), "shares"


# ---- reading ----

def number(text):
    return float(text) if text else None


def read_replications(folder):
    figures = {}
    with open(os.path.join(folder, "replications.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            figures.setdefault(row["figure"], []).append((number(row["value"]), number(row["weight"])))
    return figures


def read_jobs(folder):
    with open(os.path.join(folder, "jobs.csv"), newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["counted"] == "1"]


def nanoseconds(text):
    whole, _, fraction = text.partition(".")
    return int(whole) * 10 ** 9 + int(fraction.ljust(9, "0"))


def sections_of(jobs, name):
    """Times that the figure `name` is about, by replication."""
    group = re.sub(r"\.(latency|wait)\..*", "", name)
    served, waits = group.startswith("served."), ".wait." in name
    column, wanted = "class", group.replace("served.", "")
    if group.startswith("requested."):
        column, wanted = "requested_class", group[len("requested."):]
    elif group.startswith("tenant."):
        column, wanted = "tenant", group[len("tenant."):]
    sections = [[] for _ in range(REPLICATIONS)]
    for job in jobs:
        if wanted not in ("all", job[column]) or (served and job["ending"] != "completed"):
            continue
        end = job["first_dispatch_s"] if waits else job["ended_s"] if job["ending"] == "completed" else ""
        time = (nanoseconds(end) - nanoseconds(job["arrived_s"])) / 1e9 if end else math.inf
        sections[int(job["replication"]) - 1].append(time)
    return sections


# ---- comparing ----

class Judge:
    def __init__(self):
        self.bad, self.checked = 0, {}

    def complain(self, *words):
        print(*words)
        self.bad += 1

    def same(self, what, found, expected, tolerance):
        choices = expected if isinstance(expected, list) else [expected]
        if found is None or None in choices:
            agrees = found in choices
        else:
            agrees = min(choices) - tolerance * abs(min(choices)) - 1e-12 <= found <= max(choices) + tolerance * abs(
                max(choices)) + 1e-12
        if not agrees:
            self.complain(what, "summary has", found, "rows give", expected)

    def estimate(self, name, row, expected, kind, tolerance):
        self.checked[kind] = self.checked.get(kind, 0) + 1
        for side, value in zip(("value", "lo", "hi"), expected):
            self.same(f"{name} {side} ({kind}):", row[side], value, tolerance)


def all_figures(summary):
    for name, row in summary["metrics"].items():
        yield name, row
    for tenant, figures in summary["tenants"].items():
        for name, row in figures.items():
            yield f"tenant.{tenant}.{name}", row


def expected_of(name, rows, jobs, level=.95):
    """(value, lo, hi), the method, and how far bins may move it."""
    kind = kind_of(name)
    values, weights = [v for v, _ in rows], [w for _, w in rows]
    if kind == "quantile":
        p = {"p999": .999}.get(name.rsplit(".", 1)[-1]) or int(name[-2:]) / 100
        estimate, method = by_quantile(sections_of(jobs, name), p, level)
        return estimate, "quantile by " + method if method else "quantile that is null", 3e-3
    if kind == "times mean":
        beyond = math.inf in values
        return (NULL if beyond else by_ratio(values, weights, level)), kind, 1e-9
    if kind in ("times max", "largest"):
        finite = [v for v in values if v is not None]
        return ((max(finite) if finite and max(finite) < math.inf else None), None, None), kind, 1e-9
    if kind == "ratio":
        return within_share(by_ratio(values, weights, level), values, weights), kind, 1e-9
    return (by_jain if kind == "jain" else by_mean)(values, level), kind, 1e-9


def check_figures(judge, summary, replications, jobs):
    for name, row in all_figures(summary):
        estimate, kind, tolerance = expected_of(name, replications[name], jobs)
        judge.estimate(name, row, estimate, kind, tolerance)


def check_slo(judge, slo, replications, jobs):
    name, relation, limit = slo["text"].split()
    limit, level = float(limit), 1 - .05 / len(SLOS)
    judge.same(slo["text"] + " level:", slo["level"], level, 1e-12)
    if kind_of(name) == "quantile":
        sections = sections_of(jobs, name)
        over, counts = [sum(x > limit for x in s) for s in sections], [len(s) for s in sections]
        for told, k, n in zip(replications["over: " + slo["text"]], over, counts):
            judge.same(slo["text"] + " over:", told[0], k, 0)
            judge.same(slo["text"] + " jobs:", told[1], n, 0)
        share, lo, hi = by_ratio(over, counts, level)
        exact = clopper_pearson(sum(over), sum(counts), level)
        lo, hi = max(0, min(lo, exact[0])), min(1, max(hi, exact[1]))
        for side, value in (("share", share), ("lo", lo), ("hi", hi)):
            judge.same(f"{slo['text']} exceedance {side}:", slo["exceedance"][side], value, 1e-6)
        allowed = 1 - ({"p999": .999}.get(name.rsplit(".", 1)[-1]) or int(name[-2:]) / 100)
        verdict = "pass" if hi <= allowed + 1e-12 else "fail" if lo > allowed else "inconclusive"
        verdict = "fail" if slo["value"] is None else verdict
    else:
        (value, lo, hi), kind, _ = expected_of(name, replications[name], jobs, level)
        lo, hi = (value, value) if kind == "largest" else (lo, hi)
        if relation == ">=":
            lo, hi, limit = -hi, -lo, -limit
        verdict = "pass" if hi <= limit else "fail" if lo > limit else "inconclusive"
    if slo["verdict"] != verdict:
        judge.complain(slo["text"], "summary says", slo["verdict"], "rows say", verdict)
    return verdict


def main():
    judge = Judge()
    with tempfile.TemporaryDirectory() as folder:
        path, results = os.path.join(folder, "rederive.json"), os.path.join(folder, "results")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(SCENARIO, file)
        subprocess.run([os.environ["FAIRLANE_BINARY"], "run", path, "--out", results, "--quiet", "--jobs-csv"], check=False)
        with open(os.path.join(results, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        replications, jobs = read_replications(results), read_jobs(results)
    check_figures(judge, summary, replications, jobs)
    verdicts = [check_slo(judge, slo, replications, jobs) for slo in summary["slo"]]
    print("checked:", ", ".join(f"{count} {kind}" for kind, count in sorted(judge.checked.items())))
    print("verdicts:", ", ".join(f"{verdicts.count(v)} {v}" for v in ("pass", "fail", "inconclusive")))
    # a scenario without some kind would prove nothing about it
    for kind in ("quantile by sections", "quantile by shares", "quantile that is null", "times mean", "ratio", "jain", "mean"):
        if not judge.checked.get(kind):
            judge.complain("no figure of kind", kind)
    for verdict in ("pass", "fail", "inconclusive"):
        if verdict not in verdicts:
            judge.complain("no SLO came out as", verdict)
    return 1 if judge.bad else 0


if __name__ == "__main__":
    sys.exit(main())
