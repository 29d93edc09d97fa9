#!/usr/bin/python3
"""A second scheduler, written from RULES alone, serves the same jobs: every job must start in the same nanosecond.

Without limits and with a strict picker nothing about a schedule is random once arrivals, costs and service times are
known; those come from the run's own jobs.csv. This file shares no line with the program and walks everything step by
step: rounds one at a time, every tick of every timer.
"""
import csv
import fractions
import json
import os
import subprocess
import tempfile

BINARY = os.environ["FAIRLANE_BINARY"]
CLASSES = ("critical", "standard", "batch")
S = 10**9
NEVER = 1 << 62


class Tenant:
    def __init__(self, rank, id, weight):
        self.rank, self.id, self.weight = rank, id, weight
        self.queue, self.deficit, self.counter, self.in_turn = [], 0, 0.0, False


class Class:
    """The queues of one class. Each policy's pick returns a job or None, and drops on its way jobs that have left."""

    def __init__(self, setup, shared_deficits):
        self.policy, self.quantum = setup["policy"], fractions.Fraction(str(setup["quantum"]))  # exact sums
        self.tenants = [Tenant(*t) for t in setup["tenants"]]
        self.active, self.last_left, self.all, self.shared = [], 0.0, [], shared_deficits

    def arrive(self, job):
        tenant = self.tenants[job["rank"]]
        self.all.append(job)
        if not tenant.queue:
            if self.policy == "vtc":
                floor = min((t.counter for t in self.active), default=self.last_left)
                tenant.counter = max(tenant.counter, floor)
            self.active.append(tenant)
        tenant.queue.append(job)

    def left(self, tenant):
        self.active.remove(tenant)
        self.last_left = tenant.counter
        tenant.in_turn = False
        if self.policy == "drr":
            tenant.deficit = 0

    def take(self, tenant):
        job = tenant.queue.pop(0)
        self.all.remove(job)
        if not tenant.queue:
            self.left(tenant)
        return job

    def drop_expired(self, tenant, now):
        """True when the tenant still has a job."""
        while tenant.queue and tenant.queue[0]["patience_end"] <= now:
            self.take(tenant)
        return bool(tenant.queue)

    def to_tail(self, tenant):
        self.active.remove(tenant)
        self.active.append(tenant)

    def pick(self, now):
        return getattr(self, self.policy)(now)

    def fifo(self, now):
        while self.all:
            tenant = self.tenants[self.all[0]["rank"]]
            job = self.take(tenant)
            if job["patience_end"] > now:
                return job
        return None

    def round_robin(self, now):
        while self.active:
            tenant = self.active[0]
            if self.drop_expired(tenant, now):
                job = self.take(tenant)
                if tenant.queue:
                    self.to_tail(tenant)
                return job
        return None

    def vtc(self, now):
        while self.active:
            tenant = min(self.active, key=lambda t: (t.counter, t.rank))
            if tenant.queue[0]["patience_end"] <= now:
                self.take(tenant)
                continue
            tenant.counter += tenant.queue[0]["cost"] / tenant.weight
            return self.take(tenant)
        return None

    def drr(self, now):
        while self.active:
            tenant = self.active[0]
            if not self.drop_expired(tenant, now):
                continue
            if not tenant.in_turn:
                tenant.deficit += self.quantum * tenant.weight
                tenant.in_turn = True
            if tenant.queue[0]["cost"] > tenant.deficit:
                tenant.in_turn = False
                self.to_tail(tenant)
                continue
            tenant.deficit -= tenant.queue[0]["cost"]
            job = self.take(tenant)
            waiting = [j for j in tenant.queue if j["patience_end"] > now]
            if waiting and waiting[0]["cost"] > tenant.deficit:
                tenant.in_turn = False
                self.to_tail(tenant)
            return job
        return None

    def tick(self, tenant):
        cap = max(self.quantum * tenant.weight, tenant.queue[0]["cost"] if tenant.queue else 0)
        tenant.deficit = max(tenant.deficit, min(cap, tenant.deficit + self.quantum * tenant.weight))

    def timer(self, now):
        for tenant in list(self.active):
            if self.drop_expired(tenant, now):
                if tenant.queue[0]["cost"] <= tenant.deficit:
                    tenant.deficit -= tenant.queue[0]["cost"]
                    return self.take(tenant)
                self.to_tail(tenant)
        return None

    def article(self, now):
        while self.all:
            for tenant in sorted(self.active, key=lambda t: t.rank):
                self.shared[tenant.rank] = self.shared.get(tenant.rank, 0) + self.quantum
                if self.drop_expired(tenant, now) and tenant.queue[0]["cost"] <= self.shared[tenant.rank]:
                    self.shared[tenant.rank] -= tenant.queue[0]["cost"]
                    return self.take(tenant)
        return None


def fnv(text):
    value = 14695981039346656037
    for byte in text.encode():
        value = ((value ^ byte) * 1099511628211) % 2**64
    return value


def simulate(jobs, setup):
    """Dispatch instants by job, in ns; jobs that left are absent."""
    shared, dispatched = {}, {}
    classes = [Class(setup, shared) for _ in CLASSES]
    free_at, linger_until = [0] * setup["workers"], [0] * setup["workers"]
    idle = set(range(setup["workers"]))
    arrivals = sorted(jobs, key=lambda j: (j["arrived"], j["stream"], j["number"]))
    interval = setup["interval"]
    ticks = [[fnv(id) % setup["jitter_ms"] * 10**6 if setup["jitter_ms"] else 0, rank] for rank, id, _ in setup["tenants"]]
    while True:
        waiting = any(c.all for c in classes)
        times = [arrivals[0]["arrived"]] if arrivals else []
        times += [free_at[w] for w in range(setup["workers"]) if w not in idle]
        if waiting:
            times += [linger_until[w] for w in idle if linger_until[w] > now]
        if setup["policy"] == "timer" and (waiting or arrivals):
            times += [tick[0] for tick in ticks]
            times += [t.queue[0]["patience_end"] for c in classes for t in c.active if t.queue[0]["patience_end"] > now]
        if not times:
            return dispatched
        now = min(times)
        for w in range(setup["workers"]):
            if w not in idle and free_at[w] == now:
                idle.add(w)
                linger_until[w] = now + setup["linger"]
        for tick in ticks if setup["policy"] == "timer" else ():
            while tick[0] <= now:
                for c in classes:
                    c.tick(c.tenants[tick[1]])
                tick[0] += interval
        while arrivals and arrivals[0]["arrived"] == now:
            job = arrivals.pop(0)
            classes[CLASSES.index(job["class"])].arrive(job)
        for w in sorted(idle):
            job = classes[0].pick(now)
            for c in classes[1:]:
                job = job or (linger_until[w] <= now and c.pick(now)) or None
            if job:
                dispatched[job["job"]] = now
                idle.discard(w)
                free_at[w] = now + job["service"]


def stream(origin, rate, **more):
    return {"origin": origin, "sla_s": 60, "arrivals": {"poisson": {"rate_per_s": rate}},
            "input_tokens": {"lognormal": {"median": 6000, "sigma": 1}},
            "output_tokens": {"lognormal": {"median": 40, "sigma": 0.8}}, **more}


def ns(text):
    whole, fraction = text.split(".")
    return int(whole) * S + int(fraction)


def compare(folder, name, policy, workers, quantum=2, linger_ms=0, interval_ms=1000, jitter_ms=1000, patience=None, scale=1):
    more = {"patience_s": patience} if patience else {}
    tenants = [("a", 1, [stream("user_action", 0.2 * scale), stream("scheduled", 0.2 * scale, **more)]),
               ("b", 3, [stream("scheduled", 0.1 * scale, **more), stream("batch_job", 0.1 * scale)]),
               ("c", 1, [stream("user_action", 0.05 * scale), stream("batch_job", 0.15 * scale, **more)])]
    refill = {"mode": "timer" if policy == "timer" else "round", "interval_ms": interval_ms, "jitter_ms": jitter_ms}
    scenario = {
        "version": 1, "name": "independent", "duration_s": 1000, "drain_s": 1000000, "replications": 1, "workers": workers,
        "scheduler": {"picker": {"critical_win_probability": 1, "critical_linger_ms": linger_ms,
                                 "weights": {"critical": 1, "standard": 1, "batch": 0}},
                      "tenants": {"policy": "drr" if policy == "timer" else policy, "quantum": quantum, "refill": refill},
                      "demotion": {"enabled": False}},
        "endpoint": {"latency": {"ttft_ms": {"exponential": {"mean": 300}}, "output_tokens_per_s": 100}},
        "tenants": [{"id": id, "plan": "free" if weight == 1 else "pro", "streams": streams} for id, weight, streams in tenants]}
    path, out = os.path.join(folder, name + ".json"), os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scenario, file)
    subprocess.run([BINARY, "run", path, "--out", out, "--quiet", "--jobs-csv"], check=True)
    with open(os.path.join(out, "jobs.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    ids = [t[0] for t in tenants]
    jobs, expected = [], {}
    for row in rows:
        served = row["ending"] == "completed"
        stream_index, number = row["job"].split(".")
        jobs.append({"job": row["job"], "stream": int(stream_index), "number": int(number), "class": row["class"],
                     "rank": ids.index(row["tenant"]), "cost": int(row["cost"]), "arrived": ns(row["arrived_s"]),
                     "service": ns(row["ended_s"]) - ns(row["first_dispatch_s"]) if served else 0,
                     "patience_end": ns(row["ended_s"]) if row["ending"] == "abandoned" else NEVER})
        if served:
            expected[row["job"]] = ns(row["first_dispatch_s"])
    found = simulate(jobs, {"policy": policy, "workers": workers, "quantum": quantum, "linger": linger_ms * 10**6,
                            "interval": interval_ms * 10**6, "jitter_ms": jitter_ms,
                            "tenants": [(rank, id, weight) for rank, (id, weight, _) in enumerate(tenants)]})
    wrong = sorted((expected.get(job, NEVER), job) for job in set(expected) | set(found) if expected.get(job) != found.get(job))
    assert not wrong, "%s: %d of %d jobs start at another time, first %s: %s, here %s" % (
        name, len(wrong), len(rows), wrong[0][1], expected.get(wrong[0][1]), found.get(wrong[0][1]))
    print("%-16s %d jobs, %d left, each served in the same nanosecond" % (name, len(rows), len(rows) - len(expected)))


def main():
    impatient = {"exponential": {"mean": 8}}
    with tempfile.TemporaryDirectory() as folder:
        for policy in ("fifo", "round_robin", "drr", "vtc", "article"):
            compare(folder, policy, policy, workers=1)
            compare(folder, policy + "-impatient", policy, workers=2, scale=3, patience=impatient)
        compare(folder, "drr-rounds", "drr", workers=2, quantum=0.3, scale=2)
        compare(folder, "article-small", "article", workers=2, quantum=0.3, scale=2)
        compare(folder, "timer", "timer", workers=2, scale=2)
        compare(folder, "timer-slow", "timer", workers=3, quantum=1.5, interval_ms=2300, jitter_ms=0, scale=0.5)
        compare(folder, "timer-impatient", "timer", workers=3, interval_ms=4000, patience=impatient)
        compare(folder, "linger", "drr", workers=3, linger_ms=700, scale=1.5)
        compare(folder, "linger-impatient", "vtc", workers=2, linger_ms=300, patience=impatient)
        compare(folder, "linger-timer", "timer", workers=3, linger_ms=400)


if __name__ == "__main__":
    main()
