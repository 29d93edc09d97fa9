#!/usr/bin/python3
"""Pictures: what is drawn and how it ends when gnuplot does not play along. Skips where there is no gnuplot."""

import csv
import json
import os
import shutil
import stat
import sys
import unittest
import xml.etree.ElementTree as xml

from support import Case

RESULT = ["buckets", "latency", "requests", "tenants", "timeline"]
SVG = "{http://www.w3.org/2000/svg}"
CRITICAL = "#d55e00"


class Plots(Case):
    def setUp(self):
        super().setUp()
        self.fairlane("run", "--quiet", self.scenario(slo=["critical.latency.p99 <= 2"]), expect=98)

    def plot(self, *arguments, **options):
        return self.fairlane("plot", "results/small", *arguments, **options)

    def svg(self, name):
        return xml.fromstring(self.read("results", "small", "plots", name + ".svg"))

    def texts(self, name):
        return [element.text for element in self.svg(name).iter(SVG + "text")]

    def test_every_picture_of_a_result(self):
        done = self.plot()
        self.assertEqual(self.listing("results", "small", "plots"), [name + ".svg" for name in RESULT])
        self.assertEqual(sorted(done.stdout.split()), [f"results/small/plots/{name}.svg" for name in RESULT])
        for name in RESULT:
            svg = self.svg(name)
            self.assertEqual(svg.get("role"), "img", name)
            ids = [element.get("id") for element in svg.iter() if element.get("id")]
            self.assertEqual(len(ids), len(set(ids)), name)
            for label in svg.get("aria-labelledby").split():
                self.assertIn(label, ids, name)
            self.assertGreater(len(svg.find(SVG + "desc").text), 30, name)

    def test_a_class_has_one_colour_everywhere(self):
        self.plot()
        for name in ("latency", "timeline"):
            self.assertIn(CRITICAL, self.read("results", "small", "plots", name + ".svg"), name)
        self.assertIn("critical", self.texts("latency"))

    def test_axes_say_their_units(self):
        self.plot()
        self.assertIn("latency in seconds (logarithmic)", self.texts("latency"))
        self.assertIn("2 s", self.texts("latency"), "the SLO is marked")
        self.assertIn("time in seconds", self.texts("requests"))

    def test_formats_and_themes(self):
        heads = {"svg": b"<?xml", "png": b"\x89PNG\r\n", "pdf": b"%PDF"}
        for kind, head in heads.items():
            for theme, suffix in (("light", ""), ("dark", "-dark")):
                self.plot("--format", kind, "--theme", theme, "--only", "tenants")
                with open(self.path("results", "small", "plots", f"tenants{suffix}.{kind}"), "rb") as file:
                    self.assertTrue(file.read().startswith(head), kind)
        self.assertNotEqual(self.read("results/small/plots/tenants.svg"), self.read("results/small/plots/tenants-dark.svg"))

    def test_a_picture_that_does_not_exist(self):
        self.plot("--only", "latncy", expect=2)
        self.refused("plot", "results/small", "--only", "latncy", says=['"latency"'])
        self.refused("plot", "results/small", "--format", "gif", says=["svg, png or pdf"])

    def test_what_is_no_result(self):
        os.mkdir(self.path("thesis"))
        self.refused("plot", "thesis", says=["thesis", "no results"])
        self.refused("plot", "nowhere", says=["nowhere"])
        with open(self.path("results", "small", "latency.csv"), "a", encoding="utf-8") as file:
            file.write("critical,1,2,3,4,5\n")
        self.refused("plot", "results/small", says=["latency.csv", "expected 4 fields"])

    def test_names_are_only_names(self):
        hostile = ["it's", '"quoted"', "`touch here`", "$(touch there)", "</text><script>alert(1)</script>", "100 %s %n",
                   "two\nlines'; system 'touch here'", "END_OF_DATA", "é 中 {/Bold x} a_b^c", "x" * 300]
        path = self.path("results", "small", "tenants.csv")
        with open(path, encoding="utf-8", newline="") as file:
            header, row, *_ = csv.reader(file)
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header] + [[name, ""] + row[2:] for name in hostile])
        before = sorted(os.listdir(self.here))
        self.plot("--only", "tenants")
        self.assertEqual(sorted(os.listdir(self.here)), before)
        texts = self.texts("tenants")
        for name in hostile[:4] + hostile[5:6]:
            self.assertIn(name, texts)
        self.assertTrue(any(text.startswith("</text><script>") for text in texts))
        self.assertEqual(sum(element.tag == SVG + "script" for element in self.svg("tenants").iter()), 0)


class Claims(Case):
    """Pictures of what somebody says: one of all, and one of each."""

    def setUp(self):
        super().setUp()
        self.fairlane("claims", "--quiet", self.claims())

    def plot(self, *arguments, **options):
        return self.fairlane("plot", "results/said", *arguments, **options)

    def change(self, change):
        with open(self.path("results", "said", "claims.json"), encoding="utf-8") as file:
            content = json.load(file)
        change(content["claims"])
        with open(self.path("results", "said", "claims.json"), "w", encoding="utf-8") as file:
            json.dump(content, file)

    def texts(self, name):
        svg = xml.fromstring(self.read("results", "said", "plots", name + ".svg"))
        return " ".join(element.text for element in svg.iter(SVG + "text") if element.text)

    def test_one_of_all_and_one_of_each(self):
        done = self.plot()
        names = ["claims", "claim-hands", "claim-load"]
        self.assertEqual(done.stdout.split(), [f"results/said/plots/{name}.svg" for name in names])
        for name in names:
            svg = xml.fromstring(self.read("results", "said", "plots", name + ".svg"))
            self.assertGreater(len(svg.find(SVG + "desc").text), 30, name)
        self.assertIn("hands: direction only", self.texts("claim-hands"))
        self.assertIn("; 90,000 s", self.texts("claims"), "what is stated stands beside the row")
        self.assertIn("seconds (logarithmic)", self.texts("claim-hands"), "60 s and 90,000 s")
        self.assertIn("more than this", self.texts("claim-hands"), "one worker never finishes")
        self.assertIn("best", self.texts("claim-load"))

    def test_only_one(self):
        self.plot("--only", "claim-load", "--format", "png", "--theme", "dark")
        self.plot("--only", "claims", "--theme", "dark")
        self.assertEqual(self.listing("results", "said", "plots"), ["claim-load-dark.png", "claims-dark.svg"])
        self.refused("plot", "results/said", "--only", "claim-lod", says=['"claim-load"'])
        self.refused("plot", "results/said", "--only", "knobs", says=["claim-hands"])

    def test_labels_are_whole_and_only_text(self):
        label = "'it's' 100 %s ''twice'' </text><script>alert(1) `touch here` {/Bold x} " + "and much more of it " * 6 + "END_OF_DATA"

        def rename(claims):
            claims[0]["measures"][0]["label"] = label

        self.change(rename)
        before = sorted(os.listdir(self.here))
        self.plot("-q")
        self.assertEqual(sorted(os.listdir(self.here)), before)
        for name in ("claims", "claim-hands"):
            self.assertIn(label.replace("'", "’"), self.texts(name).replace("'", "’"))

    def test_nothing_to_draw(self):
        """A claim without a value has no picture; without any number stated there is no overview."""
        def empty(claims):
            for claim in claims:
                for measure in claim["measures"]:
                    for side in filter(None, (measure["before"], measure["after"])):
                        side["article"] = None
                        if claim["id"] == "hands":
                            side.update(value=None, lo=None, hi=None, beyond=None)

        self.change(empty)
        self.assertEqual(self.plot().stdout.split(), ["results/said/plots/claim-load.svg"])
        self.fairlane("plot", "results/said", "--only", "claim-hands", expect=1)

    def test_ids_stay_in_the_folder(self):
        self.change(lambda claims: claims[0].update(id="../../away"))
        self.refused("plot", "results/said", says=["claims.json", "name"])
        self.change(lambda claims: claims[0].update(id="load"))
        self.refused("report", "results/said", says=["of its own"])


class Failures(Case):
    """A gnuplot that is missing, fails or dies leaves the results as they were and no half picture."""

    def setUp(self):
        super().setUp()
        self.fairlane("run", "--quiet", self.scenario())
        self.before = self.listing("results", "small")
        os.mkdir(self.path("bin"))

    def plot(self, script=None):
        if script:
            with open(self.path("bin", "gnuplot"), "w", encoding="ascii") as file:
                file.write("#!/bin/sh\n" + script)
            os.chmod(self.path("bin", "gnuplot"), stat.S_IRWXU)
        done = self.fairlane("plot", "results/small", expect=1, env={**os.environ, "PATH": self.path("bin")})
        self.assertRegex(done.stderr, r"\Afairlane: [^\n]+\n\Z")
        self.assertEqual(self.listing("results", "small"), self.before)
        return done.stderr

    def test_missing(self):
        text = self.plot()
        self.assertIn("gnuplot-nox", text)
        self.assertIn("not installed", text)

    def test_killed_in_the_middle(self):
        self.assertIn("signal", self.plot('echo "<svg xmlns="; kill -9 $$\n'))

    def test_failing(self):
        self.assertIn("out of ink", self.plot('echo "<svg "; echo "  line 3: out of ink" >&2; exit 1\n'))

    def test_ended_early(self):
        self.assertIn("in the middle", self.plot('echo "<svg xmlns=\'x\'>"; exit 0\n'))

    def test_silent(self):
        self.plot("exit 0\n")


if __name__ == "__main__":
    if not shutil.which("gnuplot"):
        print("skipped: there is no gnuplot")
        sys.exit(77)
    unittest.main()
