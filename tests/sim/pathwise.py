#!/usr/bin/python3
"""One worker, no drops, the same draws: whatever the policy, the same work is done at the same times.

Total unfinished work over time, busy periods and makespan are the same to the nanosecond for every policy that never idles
beside work; only whose work it is differs.
"""
import bisect
import csv
import json
import os
import subprocess
import tempfile

BINARY = os.environ["FAIRLANE_BINARY"]
POLICIES = ("fifo", "drr", "round_robin", "vtc", "article")


def stream(origin, rate, **more):
    return {"origin": origin, "sla_s": 60, "arrivals": {"poisson": {"rate_per_s": rate}},
            "input_tokens": {"lognormal": {"median": 6000, "sigma": 1}},
            "output_tokens": {"lognormal": {"median": 40, "sigma": 0.8}}, **more}


SCENARIO = {
    "version": 1, "name": "pathwise", "duration_s": 1500, "drain_s": 100000, "replications": 1, "workers": 1,
    "endpoint": {"latency": {"ttft_ms": {"exponential": {"mean": 300}}, "output_tokens_per_s": 100}},
    "tenants": [
        {"id": "a", "plan": "free", "streams": [stream("user_action", 0.2), stream("scheduled", 0.2)]},
        {"id": "b", "plan": "pro", "streams": [stream("scheduled", 0.1), stream("batch_job", 0.1)]},
        {"id": "c", "plan": "free", "count": 3, "streams": [stream("user_action", 0.05), stream("batch_job", 0.05)]},
    ],
}


def ns(text):
    whole, fraction = text.split(".")
    return int(whole) * 10**9 + int(fraction)


def run(folder, policy):
    """{job: (arrival, dispatch, end)} in ns."""
    path, out = os.path.join(folder, policy + ".json"), os.path.join(folder, policy)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**SCENARIO, "scheduler": {"tenants": {"policy": policy, "quantum": 2}}}, file)
    subprocess.run([BINARY, "run", path, "--out", out, "--quiet", "--jobs-csv"], check=True)
    with open(os.path.join(out, "summary.json"), encoding="utf-8") as file:
        assert json.load(file)["invariants"]["ok"], policy
    with open(os.path.join(out, "jobs.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["ending"] for row in rows} == {"completed"}, policy
    return {row["job"]: tuple(ns(row[c]) for c in ("arrived_s", "first_dispatch_s", "ended_s")) for row in rows}


def busy_periods(jobs):
    periods = []
    for _, start, end in sorted(jobs.values(), key=lambda job: job[1]):
        if periods and periods[-1][1] == start:
            periods[-1][1] = end
        else:
            assert not periods or periods[-1][1] < start, "two jobs at once on one worker"
            periods.append([start, end])
    return periods


def unfinished(jobs):
    """Total unfinished work just after each arrival: what came so far, less what the worker has done of it."""
    by_start = sorted(job[1:] for job in jobs.values())
    starts = [start for start, _ in by_start]
    done = [0]
    for start, end in by_start:
        done.append(done[-1] + end - start)
    arrived, found = 0, []
    for at, start, end in sorted(jobs.values()):
        arrived += end - start
        begun = bisect.bisect_right(starts, at)
        running = by_start[begun - 1][1] - at if begun else 0
        found.append((at, arrived - (done[begun] - max(0, running))))
    return found


def main():
    with tempfile.TemporaryDirectory() as folder:
        runs = {policy: run(folder, policy) for policy in POLICIES}
    first = runs[POLICIES[0]]
    periods = busy_periods(first)
    assert len(first) > 1000 and len(periods) > 20, (len(first), len(periods))
    assert max(work for _, work in unfinished(first)) > 10 * 10**9, "no backlog worth the name"
    for policy, jobs in runs.items():
        work = {job: (at, end - start) for job, (at, start, end) in jobs.items()}
        assert work == {job: (at, end - start) for job, (at, start, end) in first.items()}, policy + ": other work"
        assert busy_periods(jobs) == periods, policy + ": other busy periods"
        assert unfinished(jobs) == unfinished(first), policy + ": other unfinished work"
        assert max(end for _, _, end in jobs.values()) == periods[-1][1], policy + ": another makespan"
    orders = {tuple(sorted(jobs, key=lambda job: jobs[job][1])) for jobs in runs.values()}
    assert len(orders) == len(POLICIES), "two policies serve in the same order: this proves nothing"
    print("%d jobs, %d busy periods, %d policies" % (len(first), len(periods), len(POLICIES)))


if __name__ == "__main__":
    main()
