#!/usr/bin/python3
"""Figures of small scenarios, pinned: whoever changes one must raise SIM_MODEL_VERSION (sim/model_version.h).

    model_version.py            the test
    model_version.py --pin      write tests/data/pinned.json anew, once the version was raised

Relative tolerance 1e-9: what the mathematics library's choice of code by processor may add up to in scenarios as small as
these, in which no decision hangs by the last digit. Needs FAIRLANE_BINARY.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PINNED = ROOT / "tests" / "data" / "pinned.json"
RELATIVE = 1e-9


def model_version():
    text = (ROOT / "sim" / "model_version.h").read_text(encoding="utf-8")
    return int(re.search(r"SIM_MODEL_VERSION = (\d+)", text)[1])


def figures_of(scenario):
    """Every figure of a run that is not null: name to value, or to what it lies beyond."""
    with tempfile.TemporaryDirectory(prefix="fairlane-pin-") as here:
        path = os.path.join(here, "scenario.json")
        with open(path, "w", encoding="utf-8") as out:
            json.dump(scenario, out)
        done = subprocess.run([os.environ["FAIRLANE_BINARY"], "run", "--json", "--quiet", path], cwd=here, check=False,
                              capture_output=True, text=True, timeout=100)
        if done.returncode not in (0, 98, 99):
            raise RuntimeError(done.stderr)
        summary = json.loads(done.stdout)
    named = dict(summary["metrics"])
    for tenant, figures in summary["tenants"].items():
        named.update({f"tenant.{tenant}.{name}": figure for name, figure in figures.items()})
    return {f"{name}{end}": figure[side] for name, figure in sorted(named.items())
            for side, end in (("value", ""), ("beyond", ".beyond")) if figure.get(side) is not None}


def differences(pinned, found):
    """Names whose values differ, or that only one side has."""
    return [f"{name}: {pinned.get(name)} was pinned, {found.get(name)} found"
            for name in sorted(set(pinned) | set(found))
            if name not in pinned or name not in found
            or abs(pinned[name] - found[name]) > RELATIVE * max(abs(pinned[name]), abs(found[name]))]


class ModelVersion(unittest.TestCase):
    def test_pinned_figures(self):
        pinned = json.loads(PINNED.read_text(encoding="utf-8"))
        for case in pinned["cases"]:
            changed = differences(case["figures"], figures_of(case["scenario"]))
            advice = ("raise SIM_MODEL_VERSION, then pin anew" if model_version() == pinned["model_version"]
                      else "pin anew")
            self.assertFalse(changed, f"{case['scenario']['name']}: {len(changed)} figures changed; if they are meant "
                                      f"to, {advice} (tests/cli/model_version.py --pin)\n" + "\n".join(changed[:20]))
        self.assertEqual(pinned["model_version"], model_version(), "the version was raised: pin anew")

    def test_a_change_would_be_seen(self):
        """A tenth of the tolerance passes, ten times it does not, nor do names that come or go."""
        case = json.loads(PINNED.read_text(encoding="utf-8"))["cases"][0]["figures"]
        name = "all.latency.mean"
        for factor, seen in ((1 + RELATIVE / 10, 0), (1 + 10 * RELATIVE, 1)):
            self.assertEqual(len(differences(case, {**case, name: case[name] * factor})), seen)
        self.assertEqual(len(differences(case, {key: value for key, value in case.items() if key != name})), 1)


def pin():
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))
    cases = [{"scenario": case["scenario"], "figures": figures_of(case["scenario"])} for case in pinned["cases"]]
    changed = sum(len(differences(old["figures"], new["figures"])) for old, new in zip(pinned["cases"], cases)
                  if old["figures"])
    if changed and pinned["model_version"] == model_version():
        sys.exit(f"{changed} figures changed: raise SIM_MODEL_VERSION in sim/model_version.h first")
    PINNED.write_text(json.dumps({"model_version": model_version(), "cases": cases}, indent=1) + "\n",
                      encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--pin"]:
        pin()
    else:
        unittest.main()
