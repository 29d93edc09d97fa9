"""Scenarios to start from, and the schema that every scenario names for the sake of editors."""

import glob
import json
import os
import unittest
import urllib.parse

from support import BINARY, Case

SOURCE = os.environ["FAIRLANE_SOURCE"]
SCHEMA = os.path.join(SOURCE, "scenarios", "schema", "scenario.schema.json")
TEMPLATES = ("article", "noisy", "trace", "batch")


def comments(value):
    """Number of $comment keys in a document."""
    if isinstance(value, dict):
        return ("$comment" in value) + sum(comments(inner) for inner in value.values())
    return sum(comments(inner) for inner in value) if isinstance(value, list) else 0


def schema_of(file):
    """Where an editor finds the schema that the file names."""
    with open(file, encoding="utf-8") as text:
        name = json.load(text)["$schema"]
    if name.startswith("file://"):
        return urllib.parse.unquote(name[len("file://"):])
    return os.path.join(os.path.dirname(os.path.realpath(file)), name)


class New(Case):
    def test_every_template_is_valid_explained_and_runs(self):
        for template in TEMPLATES:
            with self.subTest(template=template):
                said = self.fairlane("new", "--template", template, f"my-{template}.json").stdout
                self.assertIn(f"fairlane run my-{template}.json", said)
                self.fairlane("validate", f"my-{template}.json")
                self.fairlane("run", f"my-{template}.json", "-q")  # its SLOs hold
                document = json.loads(self.read(f"my-{template}.json"))
                self.assertGreaterEqual(comments(document), 4)
                self.assertIn(f"my-{template}", self.listing("results"))
                self.assertEqual(os.path.realpath(schema_of(self.path(f"my-{template}.json"))), SCHEMA)
        with open(os.path.join(SOURCE, "sim", "cli", "templates", "trace.csv"), encoding="utf-8") as sample:
            self.assertEqual(self.read("my-trace.csv"), sample.read())
        self.assertEqual(self.listing(), sorted([f"my-{t}.json" for t in TEMPLATES] + ["my-trace.csv", "results"]))

    def test_the_comparisons_that_noisy_names(self):
        self.fairlane("new", "-q", "-t", "noisy", "noisy.json")
        loss = ["--set", "scheduler.demotion.enabled=false"]
        over = []
        for changes in (loss, [*loss, "--set", "scheduler.tenants.policy=fifo"]):
            self.fairlane("run", "noisy.json", "-q", *changes, expect=99)
            over.append(self.summary("results", "noisy")["slo"][0]["exceedance"]["share"])
        self.assertGreater(over[1], 5 * over[0])

    def test_nothing_is_overwritten(self):
        self.assertEqual(self.fairlane("new", "--quiet").stdout, "")
        before = self.read("scenario.json")
        self.refused("new", "-t", "noisy", says=["scenario.json", "already", "--template noisy FILE"])
        with open(self.path("t.csv"), "w", encoding="utf-8") as file:
            file.write("mine")
        self.refused("new", "-t", "trace", "t.json", says=["t.csv"])
        self.assertEqual(self.read("t.csv"), "mine")
        self.assertEqual(self.listing(), ["scenario.json", "t.csv"])
        self.assertEqual(self.read("scenario.json"), before)

    def test_names_that_cannot_name_results(self):
        self.fairlane("new", "-q", "-t", "trace", 'a "b".json')
        self.fairlane("run", "-q", 'a "b".json')
        self.assertEqual(self.listing("results"), ["trace"])

    def test_refusals(self):
        self.refused("new", "-t", "quiet", says=["article, noisy, trace or batch", '"quiet"'])
        self.refused("new", "missing/x.json", says=["missing/x.json", "No such file"])
        self.refused("new", "a.json", "b.json", says=['"b.json"'])

    def test_relative_schema_inside_the_tree(self):
        """A copy of program and schema laid out as an installation: the schema beside the file is named relatively."""
        os.makedirs(self.path("p", "bin"))
        os.makedirs(self.path("p", "share", "fairlane", "scenarios", "schema"))
        os.makedirs(self.path("p", "share", "fairlane", "scenarios", "a", "b"))
        with open(BINARY, "rb") as program, open(self.path("p", "bin", "fairlane"), "wb") as copy:
            copy.write(program.read())
        os.chmod(self.path("p", "bin", "fairlane"), 0o755)
        schema = self.path("p", "share", "fairlane", "scenarios", "schema", "scenario.schema.json")
        with open(schema, "w", encoding="utf-8") as file:
            file.write("{}")
        for place, relative in (("p/share/fairlane/scenarios", True), ("p/share/fairlane/scenarios/a/b", True),
                                ("p/share/fairlane", True), ("p", False), (".", False)):
            self.run_at(place)
            named = json.loads(self.read(place, "x.json"))["$schema"]
            self.assertEqual(not named.startswith("file:///"), relative, place)
            self.assertEqual(os.path.realpath(schema_of(self.path(place, "x.json"))), os.path.realpath(schema))
        os.remove(schema)
        self.run_at("p/bin")
        self.assertNotIn("$schema", json.loads(self.read("p", "bin", "x.json")))

    def run_at(self, place):
        status = os.spawnl(os.P_WAIT, self.path("p", "bin", "fairlane"), "fairlane", "new", "-q",
                           self.path(place, "x.json"))
        self.assertEqual(status, 0)


class Shipped(unittest.TestCase):
    def test_every_schema_is_there(self):
        files = glob.glob(os.path.join(SOURCE, "scenarios", "**", "*.json"), recursive=True)
        files = [file for file in files if os.path.basename(os.path.dirname(file)) != "schema"]
        self.assertGreater(len(files), 20)
        for file in files + glob.glob(os.path.join(SOURCE, "sim", "cli", "templates", "*.json")):
            kind = "study" if os.path.basename(os.path.dirname(file)) == "studies" else "scenario"
            kind = "claims" if os.path.basename(file) == "claims.json" else kind
            self.assertEqual(os.path.realpath(schema_of(file)), SCHEMA.replace("scenario.schema", f"{kind}.schema"), file)

    def test_schemas_help_where_the_cursor_stands(self):
        """Hover and completion come from descriptions, enums and defaults: every property has what it can have."""
        for kind in ("scenario", "study"):
            with open(SCHEMA.replace("scenario.schema", f"{kind}.schema"), encoding="utf-8") as text:
                schema = json.load(text)
            counts = {"enum": 0, "default": 0}
            self.check(schema, counts, kind)
            self.assertGreater(counts["enum"], 1, kind)
            self.assertGreater(counts["default"], 1, kind)

    def check(self, schema, counts, path):
        if isinstance(schema, list):
            for inner in schema:
                self.check(inner, counts, path)
        if not isinstance(schema, dict):
            return
        for word in counts:
            counts[word] += word in schema
        for name, inner in schema.get("properties", {}).items():
            presence = inner in (False, {"type": "null"}, {"not": {"type": "null"}})
            if not presence and not name.startswith("$"):
                self.assertTrue(inner.get("description"), f"{path}.{name} is not described")
        for name, inner in schema.items():
            self.check(inner, counts, f"{path}.{name}")


if __name__ == "__main__":
    unittest.main()
