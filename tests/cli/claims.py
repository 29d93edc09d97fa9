#!/usr/bin/python3
"""Claims from the outside: what is read off the studies, what is written, what is refused."""

import copy
import csv
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml

import jsonschema

from support import BINARY, Case

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUDENT_T_3 = 3.182446305284263  # .975 quantile, 4 replications

STUDY = {
    "version": 1,
    "name": "try",
    "scenario": "small.json",
    "vary": {"workers": [4, 1, 2], "tenants.bob.streams.0.arrivals.poisson.rate_per_s": [0.5, 0.001]},
    "slo": ["all.latency.p50 <= 4"],
}
BUSY = {"where": "workers == 1"}
CLAIMS = {
    "version": 1,
    "title": "What is said",
    "about": "Of a small shop.",
    "base": "small.json",
    "claims": [
        {
            "id": "slow",
            "says": "One worker is slower than four.",
            "study": "study.json",
            "measures": [{"label": "median", "figure": "all.latency.p50", "before": BUSY, "after": {"article": 1.1},
                          "expects": "fall"}],
            "tried": [
                {"label": "p99", "figure": "tenant.ada.latency.p99", "after": {"where": "workers == 2", "at_most": 60}},
                {"label": "bob's part", "where": "workers == 4", "figure": "tenant.bob.completed", "of": "all.completed",
                 "after": {"article": [0.4, 0.6]}},
                {"label": "ada with and without bob", "relative_to": "rate_per_s < 0.1 && workers == 4",
                 "figure": "all.completed - tenant.bob.completed", "before": BUSY, "after": {}, "on_base": True},
            ],
            "because": "Queues grow with load.",
        },
        {
            "id": "enough",
            "says": "Two workers are enough.",
            "study": "study.json",
            "measures": [{"label": "workers", "reading": "capacity", "along": "workers", "after": {}}],
            "tried": [{"label": "best", "reading": "best", "along": "workers", "figure": "all.latency.p99", "after": {}}],
            "because": "They are.",
        },
    ],
}


class Claims(Case):
    def setUp(self):
        super().setUp()
        self.scenario()
        self.put("study.json", STUDY)
        self.put("claims.json", CLAIMS)

    def put(self, file, document):
        with open(self.path(file), "w", encoding="utf-8") as out:
            json.dump(document, out, indent=1)

    def claims(self, *arguments, **options):
        return self.fairlane("claims", "claims.json", *arguments, **options)

    def results(self):
        return json.loads(self.read("results", "claims", "claims.json"))

    def measure(self, label):
        return next(m for c in self.results()["claims"] for m in c["measures"] if m["label"] == label)


class Readings(Claims):
    def replications(self, *sets):
        """{figure: [value by replication]} of a run with these settings."""
        self.fairlane("run", "small.json", "--quiet", "--set", "slo=[]", *sum((["--set", s] for s in sets), []),
                      "--out", self.path("run"))
        values = {}
        for row in csv.DictReader(self.read("run", "replications.csv").splitlines()):
            values.setdefault(row["figure"], []).append(float(row["value"] or "nan"))
        return values, json.loads(self.read("run", "summary.json"))

    def test_a_figure_is_what_run_says(self):
        self.claims()
        _, summary = self.replications("workers=1")
        found = self.measure("median")["before"]
        for part in ("value", "lo", "hi"):
            self.assertEqual(found[part], summary["metrics"]["all.latency.p50"][part])
        _, summary = self.replications("workers=2")
        found = self.measure("p99")["after"]
        self.assertEqual(found["value"], summary["tenants"]["ada"]["latency.p99"]["value"])

    def test_knobs_of_which_nothing_is_said_stand_at_their_first_value(self):
        self.claims()
        self.assertEqual(self.measure("median")["before"]["knobs"], "workers=1 rate_per_s=0.5")
        self.assertEqual(self.measure("median")["after"]["knobs"], "workers=4 rate_per_s=0.5")

    def test_a_share_is_the_ratio_of_the_sums(self):
        self.claims()
        values, _ = self.replications()
        bob, everybody = values["tenant.bob.completed"], values["all.completed"]
        share = sum(bob) / sum(everybody)
        residuals = [b - share * e for b, e in zip(bob, everybody)]
        half = STUDENT_T_3 * math.sqrt(sum(d * d for d in residuals) / 3 / 4) / (sum(everybody) / 4)
        found = self.measure("bob's part")["after"]
        self.assertAlmostEqual(found["value"], share, 9)
        # Not tighter than that; Clopper-Pearson may widen it.
        self.assertLessEqual(found["lo"], share - half + 1e-9)
        self.assertGreaterEqual(found["hi"], share + half - 1e-9)
        self.assertLess(found["hi"] - found["lo"], 4 * half + 0.1)

    def test_a_change_is_paired_with_its_reference(self):
        self.claims()
        without, _ = self.replications("tenants.bob.streams.0.arrivals.poisson.rate_per_s=0.001")
        busy, _ = self.replications("workers=1")
        ada = [a - b for a, b in zip(busy["all.completed"], busy["tenant.bob.completed"])]
        alone = [a - b for a, b in zip(without["all.completed"], without["tenant.bob.completed"])]
        found = self.measure("ada with and without bob")
        self.assertEqual(found["unit"], "change")
        self.assertAlmostEqual(found["before"]["value"], sum(ada) / sum(alone) - 1, 9)

    def test_capacity_and_best(self):
        self.claims()
        capacity = self.measure("workers")
        # The median of one worker breaks the SLO, so that no row of levels from the first on passes.
        self.assertEqual([p["level"] for p in capacity["after"]["points"]], [1, 2, 4])
        verdicts = [p["verdict"] for p in capacity["after"]["points"]]
        self.assertEqual(verdicts, ["fail", "pass", "pass"])
        self.assertIsNone(capacity["after"]["value"])
        self.assertEqual(capacity["after"]["hi"], 1)
        best = self.measure("best")["after"]
        values = [p["value"] for p in best["points"]]
        self.assertEqual(best["value"], [1, 2, 4][values.index(min(values))])
        self.assertFalse(best["points"][0]["kept"])

    def test_levels_in_doubt_lie_between(self):
        knob = "tenants.bob.streams.0.arrivals.poisson.rate_per_s"
        _, summary = self.replications("workers=1", f"{knob}=0.3")
        limit = summary["metrics"]["all.latency.mean"]["value"]
        self.put("study.json", {**STUDY, "vary": {knob: [0.001, 0.3, 0.9], "workers": [1]},
                                "slo": [f"all.latency.mean <= {limit}"]})
        claim = {**CLAIMS["claims"][1], "tried": [],
                 "measures": [{"label": "rate", "reading": "capacity", "along": "rate_per_s", "after": {}}]}
        self.put("claims.json", {**CLAIMS, "claims": [claim]})
        self.claims()
        found = self.measure("rate")["after"]
        self.assertEqual([p["verdict"] for p in found["points"]], ["pass", "inconclusive", "fail"])
        self.assertEqual((found["value"], found["hi"]), (0.001, 0.9))

    def test_what_was_tried_decides_nothing(self):
        document = copy.deepcopy(CLAIMS)
        document["claims"][0]["tried"].append({"label": "never", "figure": "all.latency.p50", "after": {"article": 900}})
        self.put("claims.json", document)
        self.claims()
        self.assertEqual(self.measure("never")["verdict"], "not reproduced")
        self.assertEqual(self.results()["claims"][0]["verdict"], "reproduced")

    def test_verdicts(self):
        self.claims()
        results = self.results()
        self.assertEqual([c["verdict"] for c in results["claims"]], ["reproduced", "no number"])
        self.assertEqual([c["on_base"] for c in results["claims"]], ["no number", None])
        self.assertEqual(self.measure("bob's part")["verdict"], "reproduced")

    def test_departures_from_the_base(self):
        self.claims()
        self.assertEqual(self.results()["claims"][0]["departures"],
                         [{"measure": 1, "path": "workers", "base": 4, "before": 1, "after": 4}])

    def test_departures_of_every_measure_that_decides(self):
        document = copy.deepcopy(CLAIMS)
        claim = document["claims"][0]
        claim["measures"] += [claim["tried"].pop()]
        self.put("claims.json", document)
        self.put("study.json", {**STUDY, "vary": {**STUDY["vary"], "endpoint.burst_s": [60, 30],
                                                  "scheduler.tenants.quantum": [5]}})
        claim["measures"][1]["where"] = "burst_s == 30"
        claim["measures"][1]["relative_to"] += " && burst_s == 60"
        claim["measures"][1].pop("relative_to")
        self.put("claims.json", document)
        self.claims()
        # burst_s is absent in the base, where it is 60 by default; the quantum says no more than its default.
        self.assertEqual(self.results()["claims"][0]["departures"],
                         [{"measure": 1, "path": "workers", "base": 4, "before": 1, "after": 4},
                          {"measure": 2, "path": "endpoint.burst_s", "base": 60, "before": 30, "after": 30}])


class Files(Claims):
    def test_what_is_written(self):
        done = self.claims("--markdown", "page.md")
        self.assertEqual(sorted(os.listdir(self.path("results", "claims"))), ["claims.csv", "claims.json", "try"])
        table = list(csv.DictReader(self.read("results", "claims", "claims.csv").splitlines()))
        self.assertEqual([row["measure"] for row in table],
                         ["median", "p99", "bob's part", "ada with and without bob", "workers", "best"])
        self.assertIn("1  slow: reproduced", done.stdout)
        self.assertIn("Queues grow with load.", done.stdout)
        page = self.read("page.md")
        self.assertIn("# What is said", page)
        self.assertIn("| `workers` | 4 | 1 | 4 |", page)
        for line in page.splitlines():
            self.assertEqual(line, line.rstrip())

    def test_studies_are_those_of_sweep(self):
        self.claims("--quiet")
        self.fairlane("sweep", "study.json", "--quiet", "--out", "sweep", expect=99)
        for file in ("study.csv", "summary.json"):
            self.assertEqual(self.read("sweep", file), self.read("results", "claims", "try", file))

    def test_threads_and_repetitions_change_no_byte(self):
        files = [("claims.json",), ("claims.csv",), ("try", "study.csv")]
        self.claims("--jobs", "1")
        first = [self.read("results", "claims", *file) for file in files]
        again = self.claims("--json")
        self.assertEqual(json.loads(again.stdout), json.loads(first[0]))
        self.claims("--jobs", "2", "--out", "other")
        self.assertEqual([self.read("other", *file) for file in files], first)
        self.claims("--out", "third", "--seed", "5")
        self.assertNotEqual(self.read("third", "claims.json"), first[0])

    def test_one_claim(self):
        self.claims()
        before = self.read("results", "claims", "claims.json")
        alone = json.loads(self.claims("--only", "enough", "--json").stdout)
        self.assertEqual([(c["number"], c["id"]) for c in alone["claims"]], [(2, "enough")])
        self.assertIn("2  enough", self.claims("--only", "enough").stdout)
        self.assertEqual(self.read("results", "claims", "claims.json"), before)
        self.refused("claims", "claims.json", "--only", "enogh", says=["claims.json", "enogh", "enough"])
        self.refused("claims", "claims.json", "--only", "enough", "--markdown", "page.md", says=["--markdown", "--only"])

    def test_a_dry_run_checks_and_runs_nothing(self):
        done = self.claims("--dry-run")
        self.assertEqual(done.stdout, "claims: 2, measures: 6, studies: 1, replications: 24\n")
        self.assertEqual(self.claims("--dry-run", "--quiet").stdout, "")
        for option in (["--json"], ["--markdown", "page.md"]):
            self.refused("claims", "claims.json", "--dry-run", *option, says=["--dry-run", option[0]])
        self.assertFalse(os.path.exists(self.path("results")))
        self.put("claims.json", {**CLAIMS, "claims": []})
        self.refused("claims", "claims.json", "--dry-run", says=["claims"])

    def test_an_interrupted_run_goes_on(self):
        slow = copy.deepcopy(STUDY)
        slow["repeat"] = 400
        self.put("study.json", slow)
        with subprocess.Popen([BINARY, "claims", "claims.json", "--jobs", "1"], cwd=self.here, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            deadline = time.monotonic() + 60
            while not os.path.exists(self.path("results", "claims", "try", "study.db")) and time.monotonic() < deadline:
                time.sleep(.01)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted", errors)
        self.assertFalse(os.path.exists(self.path("results", "claims", "claims.json")))
        self.put("study.json", STUDY)
        self.claims("--quiet")
        self.claims("--quiet", "--out", "fresh")
        self.assertEqual(self.read("results", "claims", "claims.json"), self.read("fresh", "claims.json"))

    def test_other_results_are_spared(self):
        self.fairlane("run", "small.json", "--quiet", "--out", "mine")
        self.fairlane("sweep", "study.json", "--quiet", "--out", "swept", expect=99)
        for folder in ("mine", "swept"):
            self.refused("claims", "claims.json", "--out", folder, says=[folder])
        self.fairlane("run", "small.json", "--quiet", "--out", "other/try")
        self.refused("claims", "claims.json", "--out", "other", says=["other/try", "run"])
        self.claims("--quiet", "--out", "claimed")
        self.refused("sweep", "study.json", "--out", "claimed", says=["claimed", "claims"])
        self.put("others.json", CLAIMS)
        self.refused("claims", "others.json", "--out", "claimed", says=["claimed", "claims"])

    def test_inputs_and_results_are_spared(self):
        self.refused("claims", "claims.json", "--out", ".", says=["claims.json", "input"])
        self.claims("--quiet")
        for page in ("claims.json", "study.json", "small.json", "results/claims/claims.csv", "results/claims/try/study.db"):
            before = pathlib.Path(self.path(page)).read_bytes()
            self.refused("claims", "claims.json", "--markdown", page, says=[page])
            self.assertEqual(pathlib.Path(self.path(page)).read_bytes(), before)

    def test_files_that_scenarios_extend_are_spared(self):
        os.rename(self.path("small.json"), self.path("parent.json"))
        self.put("small.json", {"extends": "parent.json"})
        self.refused("claims", "claims.json", "--markdown", "parent.json", says=["parent.json", "input"])
        self.put("claims.json", {key: value for key, value in CLAIMS.items() if key != "base"})
        self.refused("claims", "claims.json", "--markdown", "parent.json", says=["parent.json", "input"])
        for option in ("--markdown", "--junit"):
            self.refused("run", "small.json", option, "parent.json", says=["parent.json", "input"])
            self.refused("sweep", "study.json", option, "parent.json", says=["parent.json", "input"])
        self.put("patch.json", {"workers": 3})
        self.refused("run", "small.json", "--set-file", "patch.json", "--junit", "patch.json", says=["patch.json", "input"])

    def test_a_page_in_the_folder_of_results(self):
        self.claims("--quiet", "--markdown", "results/claims/my page (1).md")
        page = self.read("results", "claims", "my page (1).md")
        self.assertIn("](pictures/my%20page%20%281%29/claim-slow.svg)", page)
        self.fairlane("run", "small.json", "--quiet", "--out", "fresh", "--junit", "fresh/junit.xml", "--set", "slo=[]")

    def test_hostile_words(self):
        document = copy.deepcopy(CLAIMS)
        hostile = "]]> \ufffe ~~~\n- `a` | <b> \u001b[31m \u202e *x*"
        document.update(title=hostile, about=hostile)
        document["claims"][0].update(id="a.b_C", says=hostile, because="--- " + hostile)
        document["claims"][0]["measures"][0]["label"] = hostile
        self.put("claims.json", document)
        done = self.claims("--markdown", "page.md")
        self.assertNotRegex(done.stdout, "[\u001b\u202e]")
        page = self.read("page.md")
        self.assertNotIn("\u001b", page)
        self.assertNotRegex(page, r"(?m)^(~|-|<b>)")
        for escaped in (r"\`a\`", r"\<b\>", r"\*x\*", r"\~\~\~", r"\|"):
            self.assertIn(escaped, page)
        self.assertIn("](#1-ab_c)", page)
        for picture in os.listdir(self.path("pictures", "page")):
            xml.parse(self.path("pictures", "page", picture))

    def test_files_that_cannot_be_written(self):
        for place in ("none/page.md", "."):
            self.refused("claims", "claims.json", "--quiet", "--markdown", place, says=[place])
        self.refused("claims", "claims.json", "--quiet", "--markdown", "claims.json", says=["claims.json", "input"])
        self.assertFalse(os.path.exists(self.path("results")))
        self.refused("claims", "claims.json", "--quiet", "--markdown", "/dev/full", expect=1, says=["/dev/full"])
        self.assertEqual(self.results()["title"], "What is said")


class Refusals(Claims):
    def changed(self, place, value):
        """The claims with the value at `place` (keys and indices) replaced; None: without it."""
        document = copy.deepcopy(CLAIMS)
        at = document
        for step in place[:-1]:
            at = at[step]
        if value is None:
            del at[place[-1]]
        else:
            at[place[-1]] = value
        return document

    def test_located_errors(self):
        measure = ("claims", 0, "measures", 0)
        series = ("claims", 1, "tried", 0)
        for place, value, words in (
                (("claims", 0, "id"), None, ["claims.0", "\"id\" is missing"]),
                (("claims", 1, "id"), "slow", ["claims.1.id", "taken"]),
                (("claims", 0, "study"), "none.json", ["none.json"]),
                (("claims", 0, "study"), "small.json", ["small.json"]),
                (("base",), "none.json", ["none.json"]),
                (("claims",), [], ["claims"]),
                (measure + ("figure",), "all.latency.p5", ["claims.0.measures.0.figure", "all.latency.p5"]),
                (measure + ("figure",), None, ["claims.0.measures.0", "figure"]),
                (measure + ("of",), "all.completed", ["claims.0.measures.0.figure", "all.latency.p50"]),
                (measure + ("figure",), "all.arrived < 2", ["claims.0.measures.0.figure", "+ and -"]),
                (measure + ("figure",), "all.arrived / all.completed", ["claims.0.measures.0.figure", "+ and -"]),
                (measure + ("before", "where"), "workers > 1", ["before.where", "one configuration", "found 2"]),
                (measure + ("before", "where"), "workers == 9", ["before.where", "found 0"]),
                (measure + ("before", "where"), "worker == 1", ["before.where"]),
                (measure + ("before", "where"), "workers ==", ["before.where"]),
                (measure + ("before",), None, ["expects"]),
                (measure + ("after",), None, ["\"after\" is missing"]),
                (measure + ("after", "at_least"), 3, ["after", "both"]),
                (measure + ("after", "article"), [2, 1], ["after", "first"]),
                (measure + ("after", "article"), [1, 2, 3], ["after.article"]),
                (measure + ("along",), "workers", ["along"]),
                (measure + ("reading",), "capacity", ["along"]),
                (measure + ("relativ_to",), "x", ["relativ_to", "relative_to"]),
                (series + ("along",), "nothing", ["along"]),
                (series + ("figure",), "all.arrived", ["figure"]),
                (series + ("where",), "workers == 1", ["two or more"]),
                (series + ("of",), "all.completed", ["series"]),
                (("claims", 1, "measures", 0, "relative_to"), "workers == 1", ["relative_to", "series"]),
                (measure + ("figure",), "all.completed * 2", ["+ and -"]),
                (measure + ("after",), {"where": "workers == 1"}, ["after", "another configuration"]),
                (measure + ("before", "article"), 9, ["expects", "numbers"]),
        ):
            with self.subTest(place=place, value=value):
                self.put("claims.json", self.changed(place, value))
                self.refused("claims", "claims.json", says=words)
                self.assertFalse(os.path.exists(self.path("results")))

    def test_studies_that_will_not_do(self):
        other = copy.deepcopy(STUDY)
        other.update(design="random", points=3, vary={"workers": {"from": 1, "to": 9}})
        self.put("study.json", other)
        self.refused("claims", "claims.json", says=["study.json", "grid"])
        self.put("study.json", {**STUDY, "repeat": 1})
        self.refused("claims", "claims.json", says=["study.json", "repeat", "2 replications"])
        self.put("study.json", {**STUDY, "slo": []})
        self.refused("claims", "claims.json", says=["claims.1.measures.0.reading", "SLO"])
        self.put("study.json", {**STUDY, "name": "claims.csv"})
        self.refused("claims", "claims.json", says=["claims.0.study", "claims.csv"])
        self.put("study.json", STUDY)
        self.put("twin.json", STUDY)
        self.put("claims.json", self.changed(("claims", 1, "study"), "twin.json"))
        self.refused("claims", "claims.json", says=["claims.1.study", "try"])

    def test_pairs_must_draw_the_same(self):
        for knob, values in (("seed", ["1", "2"]), ("duration_s", [300, 200]), ("warmup_s", [30, 40])):
            self.put("study.json", {**STUDY, "vary": {**STUDY["vary"], knob: values}})
            value = f"'{values[1]}'" if knob == "seed" else values[1]
            self.put("claims.json", self.changed(("claims", 0, "measures", 0, "before"),
                                                 {"where": f"workers == 1 && {knob} == {value}"}))
            self.refused("claims", "claims.json", says=["claims.0.measures.0.after", "seed, duration_s and warmup_s"])

    def test_a_configuration_that_fails(self):
        self.put("study.json", {**STUDY, "vary": {**STUDY["vary"], "max_pending_jobs": [10000, 1]}})
        self.put("claims.json", self.changed(("claims", 0, "measures", 0, "before"), {"where": "max_pending_jobs == 1"}))
        self.refused("claims", "claims.json", "--quiet", expect=1, says=["study.json", "slow", "median", "max_pending_jobs"])


class Documents(Claims):
    def test_the_example_of_the_page_about_claims(self):
        text = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
        blocks = re.findall(r"(?:^    .*\n|^\n)+", text, re.MULTILINE)
        example = next(json.loads(block) for block in blocks if block.strip().startswith('{ "version": 1'))
        example["base"] = str(ROOT / "scenarios" / "article" / example["base"])
        for claim in example["claims"]:
            claim["study"] = str(ROOT / "scenarios" / "article" / claim["study"])
        self.put("claims.json", example)
        self.claims("--dry-run")

    def test_the_schema_agrees_with_the_reader(self):
        schema = json.loads((ROOT / "scenarios" / "schema" / "claims.schema.json").read_text(encoding="utf-8"))
        validator = jsonschema.Draft202012Validator(schema)
        validator.validate(CLAIMS)
        validator.validate(json.loads((ROOT / "scenarios" / "article" / "claims.json").read_text(encoding="utf-8")))
        for changes in ({"version": 2}, {"title": 3}, {"claims": None}, {"claims": {}}, {"unknown": 1}, {"name": "a/b"}):
            bad = {key: value for key, value in {**CLAIMS, **changes}.items() if value is not None}
            self.put("claims.json", bad)
            self.refused("claims", "claims.json", says=["claims.json"])
            self.assertFalse(validator.is_valid(bad), bad)

    def test_scenarios_of_the_article_start_from_its_base(self):
        folder = ROOT / "scenarios" / "article"
        base = json.loads((folder / "base.json").read_text(encoding="utf-8"))
        self.assertEqual(base["extends"], "../article.json")
        for path in folder.glob("[0-9]*.json"):
            scenario = json.loads(path.read_text(encoding="utf-8"))
            self.assertTrue(scenario["extends"] == "base.json" or re.match(r"\d\d-", scenario["extends"]), path)
            self.assertIn("about", scenario)


if __name__ == "__main__":
    unittest.main()
