#!/usr/bin/python3
"""How fast the program simulates, and whether its memory stays flat: jobs per second and peak resident memory at one and
at ten times the jobs, side by side.

usage: jobs_per_second.py FAIRLANE SCENARIO [JOBS]

One replication on one thread, the scenario's duration stretched until about JOBS jobs (default: a million) arrive at the
larger size. Exit 0 when both runs ended well and the larger one took at most twice the memory; 1 otherwise.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

MEMORY_RATIO_MAX = 2.0


def simulate(program, scenario, duration_s, folder):
    """Run for @p duration_s simulated seconds. @return (jobs arrived, seconds, peak resident bytes)."""
    out = pathlib.Path(folder) / "result"
    command = [program, "run", scenario, "--jobs", "1", "--out", str(out)]
    for setting in (f"duration_s={duration_s}", "replications=1"):
        command += ["--set", setting]
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    took_s = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 98, 99):
        sys.exit(f"{' '.join(command)}: exit {process.returncode}")
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    return summary["metrics"]["all.arrived"]["value"], took_s, usage.ru_maxrss * 1024


def main():
    program, scenario = sys.argv[1:3]
    jobs = float(sys.argv[3]) if len(sys.argv) > 3 else 1e6
    with tempfile.TemporaryDirectory() as folder:
        probe_s = 3600
        arrived, _, _ = simulate(program, scenario, probe_s, folder)
        rows = []
        for share in (0.1, 1.0):
            duration_s = max(probe_s, round(probe_s * jobs * share / arrived))
            rows.append(simulate(program, scenario, duration_s, folder))
    print(f"{'':24}{'1x':>14}{'10x':>14}")
    for name, values in (
        ("jobs", [f"{row[0]:.0f}" for row in rows]),
        ("seconds", [f"{row[1]:.2f}" for row in rows]),
        ("jobs per second", [f"{row[0] / row[1]:.0f}" for row in rows]),
        ("peak memory in MiB", [f"{row[2] / 2**20:.1f}" for row in rows]),
    ):
        print(f"{name:24}{values[0]:>14}{values[1]:>14}")
    ratio = rows[1][2] / rows[0][2]
    if ratio > MEMORY_RATIO_MAX:
        print(f"memory grew {ratio:.1f} times with ten times the jobs")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
