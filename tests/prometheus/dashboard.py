"""metrics.prom and the Grafana dashboard, in a real Prometheus: the text is valid, makes blocks, and every query of the
dashboard finds something in them.

The scenario overloads its endpoint, so that queues, 429s and demotions are there to be found."""

import json
import math
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["FAIRLANE_SOURCE"], "tests", "cli"))
import openmetrics
import server
from support import Case

SOURCE = os.environ["FAIRLANE_SOURCE"]
DASHBOARD = os.path.join(SOURCE, "plots", "grafana", "fairlane.json")
SCENARIO = os.path.join(SOURCE, "scenarios", "noisy-neighbour.json")
START, DURATION = 1767571200, 3600  # of that scenario
WORKERS = 2  # so few that queues grow
SIX = ["claude_queue_depth", "claude_request_latency_seconds", "claude_throttle_count", "claude_demoted_tenants",
       "claude_drr_fairness_index", "claude_input_tokens"]
UNITS = {"short", "s", "percentunit", "none"}


def dashboard():
    with open(DASHBOARD, encoding="utf-8") as file:
        return json.load(file)


def queries(board):
    """Title, expression and kind of each query, with Grafana's variables filled in as it would."""
    for panel in board["panels"]:
        for target in panel["targets"]:
            filled = target["expr"].replace("$__range", f"{DURATION}s").replace("$tenant", ".*")
            yield panel["title"], filled, "query" if target.get("instant") else "query_range"


class Text(unittest.TestCase):
    """The strict reader refuses what it should: otherwise it would prove nothing."""

    GOOD = ('# TYPE a gauge\n# HELP a A.\na{x="1"} 1 5.000\n# TYPE b counter\n# HELP b B.\nb_total 1 5.000\n'
            'b_total 2 6.000\n# EOF\n')

    def test_refusals(self):
        self.assertEqual(list(openmetrics.families_of(self.GOOD)), ["a", "b"])
        for old, new in (("# EOF\n", ""), ("b_total 2 6", "b_total 0 6"), ("2 6.000", "2 5.000"), ("b_total 2", "b 2"),
                         ("# HELP a A.\n", ""), ('{x="1"}', '{x="1}'), (" 1 5.000\n# TYPE", " 1 5\n# TYPE"),
                         ("b_total 2 6.000", 'a{x="1"} 1 6.000'), ("# TYPE b counter", "# TYPE a counter")):
            with self.subTest(new=new), self.assertRaises(openmetrics.Malformed):
                openmetrics.families_of(self.GOOD.replace(old, new))


class Dashboard(unittest.TestCase):
    def test_is_what_grafana_takes(self):
        board = dashboard()
        self.assertIsNone(board["id"])
        self.assertGreaterEqual(board["schemaVersion"], 36)
        self.assertEqual([v["type"] for v in board["templating"]["list"]], ["datasource", "query"])
        self.assertEqual(len({panel["id"] for panel in board["panels"]}), len(board["panels"]))
        taken = set()
        for panel in board["panels"]:
            at = panel["gridPos"]
            cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(at["x"] + at["w"], 24)
            taken |= cells
            self.assertIn(panel["type"], ("timeseries", "stat"))
            self.assertIn(panel["fieldConfig"]["defaults"]["unit"], UNITS)
            self.assertTrue(panel["description"])
            self.assertEqual(len({t["refId"] for t in panel["targets"]}), len(panel["targets"]))
            for owner in (panel, *panel["targets"]):
                self.assertEqual(owner["datasource"], {"type": "prometheus", "uid": "${datasource}"})

    def test_shows_the_six(self):
        all_queries = " ".join(expression for _, expression, _ in queries(dashboard()))
        for name in SIX:
            self.assertRegex(all_queries, rf"\b{name}")


class Served(Case):
    def setUp(self):
        super().setUp()
        self.fairlane("run", SCENARIO, "-q", "--replications", "5", "--set", f"workers={WORKERS}", "--out", "r", expect=99)
        self.text = self.read("r", "metrics.prom")
        self.families = openmetrics.families_of(self.text)

    def test_text(self):
        self.assertEqual(list(self.families)[:6], SIX)
        self.assertEqual(dict(self.families["fairlane_run"].samples), {
            ("fairlane_run_info", (("scenario", "noisy-neighbour"), ("seed", "17453090"),
                                   ("version", self.fairlane("--version").stdout.split()[1]))):
                [(START + DURATION, 1)]})
        for name in ("claude_throttle_count", "claude_demoted_tenants", "claude_queue_depth"):
            self.assertGreater(max(v for line in self.families[name].samples.values() for _, v in line), 0, name)

    def test_text_agrees_with_the_other_files(self):
        summary = self.summary("r")
        figures = {dict(labels)["figure"]: line[0][1] for (_, labels), line in
                   self.families["fairlane_figure"].samples.items()}
        for name, row in summary["metrics"].items():
            self.assertEqual(figures.get(name), row["value"], name)
        verdicts = {dict(labels)["slo"]: dict(labels)["fairlane_slo_verdict"] for (_, labels), line in
                    self.families["fairlane_slo_verdict"].samples.items() if line[0][1] == 1}
        self.assertEqual(verdicts, {slo["text"]: slo["verdict"] for slo in summary["slo"]})
        workers = self.families["fairlane_workers"].samples.values()
        for states in zip(*workers):
            self.assertEqual(sum(value for _, value in states), WORKERS)

    def test_every_query_finds_something(self):
        if not server.installed():
            self.skipTest("prometheus and promtool are not installed")
        with open(self.path("cut.prom"), "w", encoding="utf-8") as file:
            file.write(self.text.replace("# EOF\n", ""))
        self.assertNotEqual(server.make_blocks(self.path("cut.prom"), self.path("no")).returncode, 0)
        made = server.make_blocks(self.path("r", "metrics.prom"), self.path("blocks"))
        self.assertEqual(made.returncode, 0, made.stderr)
        with server.Server(self.path("blocks")) as prometheus:
            self.check_queries(prometheus)
            self.check_samples(prometheus)

    def check_queries(self, prometheus):
        board = dashboard()
        for title, expression, kind in queries(board):
            with self.subTest(panel=title):
                at = {"time": START + DURATION} if kind == "query" else {
                    "start": START, "end": START + DURATION, "step": 30}
                series = prometheus.get(kind, query=expression, **at)["result"]
                points = [point for one in series for point in one.get("values", [one.get("value")])]
                self.assertTrue(any(math.isfinite(float(value)) for _, value in points), expression)
        for variable in board["templating"]["list"]:
            named = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable.get("definition", ""))
            if named:
                values = prometheus.get(f"label/{named[2]}/values", **{
                    "match[]": named[1], "start": START, "end": START + DURATION})
                self.assertEqual(values, ["hog", *(f"quiet-{i}" for i in range(1, 7))])

    def check_samples(self, prometheus):
        """Prometheus holds exactly the samples of the file."""
        for name, family in self.families.items():
            found = {}
            for one in prometheus.get("query", query=f'{{__name__=~"{name}.*"}}[2h]', time=START + DURATION)["result"]:
                labels = {**one["metric"]}
                found[labels.pop("__name__"), tuple(sorted(labels.items()))] = [
                    (time, float(value)) for time, value in one["values"]]
            for (sample, labels), line in family.samples.items():
                self.assertEqual(found[sample, tuple(sorted(labels))], line, sample)


if __name__ == "__main__":
    unittest.main()
