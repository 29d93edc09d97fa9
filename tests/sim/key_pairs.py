#!/usr/bin/python3
"""Every key of a scenario changes what it says it changes.

key_pairs.json holds a pair of small scenarios for each key, and a figure that must differ between them in a stated
direction; a key of the JSON Schema without a pair fails, and so does a word of a key without one. The parts of a
population's streams, of populations in a list and of the endpoint's `changes` have no rows of their own: theirs are made
from the rows of the same keys elsewhere. Keys that by definition change no result are checked for what they do change.
"""
import concurrent.futures
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BINARY = os.environ["FAIRLANE_BINARY"]
SCHEMA = os.path.join(os.environ["FAIRLANE_SOURCE"], "scenarios", "schema", "scenario.schema.json")

with open(os.path.join(HERE, "key_pairs.json"), encoding="utf-8") as file:
    TABLE = json.load(file)

# Keys that need a pair although others stand below them.
ALSO = {"endpoint.burst_s"}

TRACES = {
    "trace.csv": "t,late,who,whom,n\n" + "".join("%d,%d,%s,%s,%d\n" % (i, 10 * i, "xy"[i % 2], "xxxy"[i % 4], 10 + i)
                                                for i in range(20)),
    "other.csv": "t,who\n" + "".join("%d,x\n" % i for i in range(50)),
}


def schema_keys(schema):
    """{path: node} of every key, with * for an index or a name, and `distribution` for the distributions' keys."""
    found = {}

    def walk(node, path, defs):
        if not isinstance(node, dict):
            return
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            if name not in defs:
                defs.add(name)
                walk(schema["$defs"][name], name, defs)
            return
        for key, child in node.get("properties", {}).items():
            if child is not False and key != "$comment":
                below = (path + "." if path else "") + key
                found.setdefault(below, child)
                walk(child, below, defs)
        for pattern, child in node.get("patternProperties", {}).items():
            below = path + (".p*" if pattern.startswith("^p[0-9]") else ".*")
            found.setdefault(below, child)
            walk(child, below, defs)
        walk(node.get("additionalProperties"), path + ".*", defs)
        walk(node.get("items"), path + ".*", defs)
        for word in ("anyOf", "oneOf", "allOf"):
            for child in node.get(word, []):
                walk(child, path, defs)

    walk(schema, "", set())
    return found


def needing_pairs(keys):
    parents = {key[:key.rindex(".")] for key in keys if "." in key}
    above = {key[:i] for key in keys for i in range(len(key)) if key[i] == "."} | parents
    return {key for key in keys if key not in above or key in ALSO}


def assign(tree, path, value):
    steps = path.split(".")
    for step, following in zip(steps, steps[1:] + [None]):
        key = int(step) if isinstance(tree, list) else step
        if following is None:
            if value is None:
                tree.pop(key, None)
            else:
                tree[key] = copy.deepcopy(value)
        elif isinstance(tree, list) or isinstance(tree.get(key), (dict, list)):
            tree = tree[key]
        else:
            tree[key] = {}
            tree = tree[key]


def made(base, *changes):
    scenario = copy.deepcopy(TABLE["bases"][base])
    for change in changes:
        for path, value in change.items():
            assign(scenario, path, value)
    return scenario


def in_population(scenario, as_list):
    """The same with its first tenant as a population of one."""
    scenario = copy.deepcopy(scenario)
    tenant = scenario["tenants"].pop(0)
    if not scenario["tenants"]:
        del scenario["tenants"]
    population = {"id": tenant["id"], "n": 1, "streams": tenant["streams"]}
    scenario["population"] = [population] if as_list else population
    return scenario


def listed(scenario):
    return {**scenario, "population": [scenario["population"]]}


def changed_at_0(base, common, change):
    """The second scenario with its change in `changes`, in force from the start."""
    scenario = made(base, common)
    part = {}
    for path, value in change.items():
        assign(part, path[len("endpoint."):], value)
    scenario["endpoint"]["changes"] = [{"at_s": 0, **part}]
    return scenario


def pairs():
    """(key, word or None, first, second, figure, relation) of every row and of every key made from one."""
    for key, base, common, change, moves in TABLE["pairs"]:
        first, second = made(base, common), made(base, common, change)
        figure, relation = moves.split(" ")
        last = list(change.values())[0]
        row = (last if isinstance(last, str) else None, first, second, figure, relation)
        yield (key, *row)
        if key.startswith("tenants.*.streams.") and first["tenants"][0].get("count", 1) == 1:
            for head, as_list in (("population.streams.", False), ("population.*.streams.", True)):
                yield (head + key[len("tenants.*.streams."):], row[0], in_population(first, as_list),
                       in_population(second, as_list), *row[3:])
        if key.startswith("population."):
            yield ("population.*." + key[len("population."):], row[0], listed(first), listed(second), *row[3:])
        if key.startswith("endpoint.") and "endpoint.changes.*." + key[len("endpoint."):] in KEYS:
            yield ("endpoint.changes.*." + key[len("endpoint."):], row[0], first, changed_at_0(base, common, change),
                   *row[3:])


def run(folder, name, scenario):
    path = os.path.join(folder, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scenario, file)
    out = os.path.join(folder, name)
    done = subprocess.run([BINARY, "run", path, "--out", out, "--quiet", "--jobs", "1"], capture_output=True, text=True)
    if done.returncode not in (0, 98, 99):
        return None, done.stderr.strip()
    with open(os.path.join(out, "summary.json"), encoding="utf-8") as file:
        return json.load(file), ""


def value_of(summary, figure):
    if figure.startswith("tenant."):
        _, tenant, name = figure.split(".", 2)
        return summary["tenants"].get(tenant, summary["tenants"].get(tenant + "-1"))[name]["value"]
    return summary["metrics"][figure]["value"]


def check(folder, number, row):
    """What is wrong with a pair; None: nothing."""
    key, _, first, second, figure, relation = row
    found = []
    for name, scenario in (("%d-first" % number, first), ("%d-second" % number, second)):
        summary, error = run(folder, name, scenario)
        if summary is None:
            return "%s: %s" % (key, error)
        if not summary["invariants"]["ok"]:
            return "%s: invariants %s" % (key, summary["invariants"])
        found.append(value_of(summary, figure))
    a, b = found
    if a is None or b is None:
        return "%s: %s is null: %s, %s" % (key, figure, a, b)
    holds = {"<": b < a - 1e-9 * abs(a), ">": b > a + 1e-9 * abs(a), "!=": abs(a - b) > 1e-9 * abs(a)}[relation]
    return None if holds else "%s: %s should become %s, but goes from %s to %s" % (key, figure, relation, a, b)


def results(summary):
    return {part: summary[part] for part in ("metrics", "tenants")}


# Keys that change no result, and the test below that says what they do change.
OTHERS = {
    "version": "test_version", "name": "test_name", "about": "test_about", "$schema": "test_comments",
    "extends": "test_extends", "slo": "test_slo", "max_pending_jobs": "test_max_pending_jobs",
    "precision.metric": "test_precision", "precision.relative": "test_precision",
    "precision.max_replications": "test_precision",
}

with open(SCHEMA, encoding="utf-8") as file:
    KEYS = schema_keys(json.load(file))


class Pairs(unittest.TestCase):
    def test_every_key_has_a_pair(self):
        covered = {row[0] for row in pairs()}
        self.assertEqual(sorted(needing_pairs(KEYS) - covered - set(OTHERS)), [])
        self.assertEqual(sorted(covered - set(KEYS)), [], "rows for keys that do not exist")

    def test_every_word_has_a_pair(self):
        tried = {(row[0], row[1]) for row in pairs()}
        missing = [(key, word) for key, node in KEYS.items() for word in node.get("enum", [])
                   if word is not None and word != node.get("default") and (key, word) not in tried]
        self.assertEqual(missing, [])

    def test_pairs_differ(self):
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name, text in TRACES.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            rows = list(pairs())
            wrong = [w for w in pool.map(lambda numbered: check(folder, *numbered), enumerate(rows)) if w]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))


class Others(unittest.TestCase):
    """Keys that change no result."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.before = made("one", {})

    def summary(self, where, **changes):
        summary, error = run(self.folder, where, {**self.before, **changes})
        self.assertIsNotNone(summary, error)
        return summary

    def manifest(self, name):
        with open(os.path.join(self.folder, name, "manifest.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_each_is_tested(self):
        for test in OTHERS.values():
            self.assertTrue(hasattr(self, test))

    def test_version(self):
        summary, error = run(self.folder, "second", {**self.before, "version": 2})
        self.assertIsNone(summary)
        self.assertIn("version", error)

    def test_name(self):
        a, b = self.summary("a"), self.summary("b", name="other")
        self.assertEqual((a["scenario"], b["scenario"]), ("pair", "other"))
        self.assertEqual(results(a), results(b))

    def test_about(self):
        a, b = self.summary("a"), self.summary("b", about="words")
        self.assertEqual(a, b)
        self.assertEqual(self.manifest("b")["scenario"]["about"], "words")

    def test_comments(self):
        a = self.summary("a")
        b = self.summary("b", **{"$schema": "x.json", "$comment": "words",
                                 "endpoint": {**self.before["endpoint"], "$comment": "more"}})
        self.assertEqual(a, b)
        self.assertEqual(self.manifest("a")["hash"], self.manifest("b")["hash"])

    def test_extends(self):
        self.summary("a", workers=2)
        extended, error = run(self.folder, "b", {"version": 1, "extends": "a.json"})
        self.assertIsNotNone(extended, error)
        self.assertEqual(extended, self.summary("c", workers=2))

    def test_slo(self):
        a, b = self.summary("a"), self.summary("b", slo=["all.latency.p99 <= 0.1", "all.latency.p99 <= 100"])
        self.assertEqual(results(a), results(b))
        self.assertEqual([s["verdict"] for s in a["slo"]], [])
        self.assertEqual([s["verdict"] for s in b["slo"]], ["fail", "inconclusive"])

    def test_max_pending_jobs(self):
        summary, error = run(self.folder, "a", {**self.before, "max_pending_jobs": 1})
        self.assertIsNone(summary)
        self.assertIn("max_pending_jobs", error)

    def test_precision(self):
        precision = {"metric": "all.arrived", "relative": 1e-6, "max_replications": 45}
        loose = self.summary("a", precision={**precision, "relative": 1})["replications"]
        sharp = self.summary("b", precision=precision)["replications"]
        self.assertLess(loose, sharp)
        self.assertEqual(sharp, 45)
        fewer = self.summary("c", precision={**precision, "max_replications": 30})["replications"]
        self.assertEqual(fewer, 30)
        constant = self.summary("d", precision={**precision, "metric": "workers.idle", "relative": 0.9})["replications"]
        self.assertLess(constant, sharp)


if __name__ == "__main__":
    unittest.main(verbosity=1)
