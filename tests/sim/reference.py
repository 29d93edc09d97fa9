#!/usr/bin/python3
"""The scenarios of the independent reference simulator agree with it, figure by figure, by its own compare.py."""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

SKIPPED = 77  # as meson has it
BINARY = os.environ["FAIRLANE_BINARY"]
REFERENCE = os.path.join(os.environ["FAIRLANE_SHARED"], "reference")


def check(folder, name):
    """(agrees, what was printed)"""
    out = os.path.join(folder, name)
    run = subprocess.run([BINARY, "run", os.path.join(REFERENCE, "scenarios", name + ".json"), "--out", out, "--quiet",
                          "--jobs", "1"], capture_output=True, text=True)
    if run.returncode not in (0, 98, 99):  # its SLOs are not the question
        return False, "%s: exit %d: %s" % (name, run.returncode, run.stderr)
    with open(os.path.join(out, "summary.json"), encoding="utf-8") as file:
        invariants = json.load(file)["invariants"]
    if not invariants["ok"]:
        return False, "%s: invariants %s" % (name, invariants)
    compared = subprocess.run([sys.executable, os.path.join(REFERENCE, "compare.py"), os.path.join(out, "summary.json"),
                               "--strict"], capture_output=True, text=True)
    said = compared.stdout.strip() + compared.stderr
    return compared.returncode == 0, said if compared.returncode else said.splitlines()[-1]


def main():
    if not os.path.isdir(REFERENCE):
        print("skipped: there is no folder %s" % REFERENCE)
        return SKIPPED
    names = sorted(name[:-len(".json")] for name in os.listdir(os.path.join(REFERENCE, "scenarios")))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda name: check(folder, name), names))
    for _, text in results:
        print(text)
    print("%d of %d agree" % (sum(agrees for agrees, _ in results), len(results)))
    return 0 if results and all(agrees for agrees, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
