#!/usr/bin/python3
"""fairlane compare: what pairs, what the rules of --fail-on say, and what becomes of broken folders."""

import csv
import io
import json
import os
import unittest

from support import SCENARIO, Case

FIFO = {"scheduler": {"tenants": {"policy": "fifo"}}}
ONE_WORKER = {"workers": 1, "drain_s": 1000, "replications": 8}


def with_rate(rate):
    tenants = json.loads(json.dumps(SCENARIO["tenants"]))
    for tenant in tenants:
        tenant["streams"][0]["arrivals"] = {"poisson": {"rate_per_s": rate}}
    return {"tenants": tenants}


class Compare(Case):
    def pair(self, **changes):
        """Two folders, a and b, with eight replications each; B runs with `changes`."""
        self.fairlane("run", "-q", self.scenario("a.json", **ONE_WORKER, **with_rate(0.3)), "--out", "a")
        self.fairlane("run", "-q", self.scenario("b.json", **{**ONE_WORKER, **with_rate(0.3), **changes}), "--out", "b")

    def compare(self, *arguments, expect=0):
        return json.loads(self.fairlane("compare", "--json", *arguments, expect=expect).stdout)

    def test_folders_and_scenarios_give_the_same(self):
        self.pair(workers=2)
        folders = self.fairlane("compare", "a", "b", "--all", "--json").stdout
        self.assertEqual(folders, self.fairlane("compare", "a.json", "b.json", "--all", "--json", "-j1").stdout)
        self.assertEqual(folders, self.fairlane("compare", "a", "b.json", "--all", "--json").stdout)
        self.assertIn("tenant.ada.latency.p99", folders)

    def test_differences_are_those_of_the_pairs(self):
        self.pair(workers=2)
        means = []
        for side in "ab":
            rows = csv.DictReader(io.StringIO(self.read(side, "replications.csv")))
            means.append([float(row["value"]) for row in rows if row["figure"] == "queue.mean"])
        found = self.compare("a", "b", "-m", "queue.mean")["metrics"]["queue.mean"]
        self.assertAlmostEqual(found["difference"], sum(means[1]) / 8 - sum(means[0]) / 8)
        self.assertEqual((found["pairs"], found["better"], found["change"]), (8, "less", "better"))
        self.assertLess(found["hi"], 0)
        self.assertGreater(found["lo"], found["difference"] * 3)

    def test_a_result_differs_from_itself_by_nothing(self):
        self.pair()
        found = self.compare("a", "b", "--all", "--fail-on", "all.latency.p99 > 0")
        known = [row for row in found["metrics"].values() if row["a"] is not None and row["lo"] is not None]
        self.assertGreater(len(known), 100)
        self.assertEqual({(row["difference"], row["lo"], row["hi"], row["p"]) for row in known}, {(0, 0, 0, 1)})
        self.assertEqual(found["fail_on"][0]["verdict"], "pass")

    def test_rules_decide_the_exit_status(self):
        self.pair(workers=2)
        slower = "all.latency.mean > +2%"
        self.fairlane("compare", "a", "b", "--fail-on", slower)
        found = self.compare("b", "a", "--fail-on", slower, "--fail-on", "throughput.jobs_per_s < -50%", expect=99)
        self.assertEqual([rule["verdict"] for rule in found["fail_on"]], ["fail", "pass"])
        mean = found["metrics"]["all.latency.mean"]
        self.assertAlmostEqual(found["fail_on"][0]["threshold"], 0.02 * mean["a"])
        one = self.fairlane("compare", "a.json", "b.json", "-r", "1", "--fail-on", slower, expect=98)
        self.assertIn("INCONCLUSIVE", one.stdout)

    def test_absolute_thresholds(self):
        self.pair(workers=2)
        rise = self.compare("b", "a", "-m", "all.latency.mean")["metrics"]["all.latency.mean"]["difference"]
        self.fairlane("compare", "b", "a", "--fail-on", f"all.latency.mean > {rise * 3} s")
        self.fairlane("compare", "b", "a", "--fail-on", f"all.latency.mean>+{rise * 0.9:.6f}", expect=99)

    def test_a_null_side_loses(self):
        # Two a second are more than a worker serves: most are open when the run ends.
        self.pair(**with_rate(2), drain_s=1)
        found = self.compare("a", "b", "--fail-on", "all.latency.p99 > +1000000%", expect=99)
        row = found["metrics"]["all.latency.p99"]
        self.assertEqual((row["b"], row["difference"], row["change"]), (None, None, "worse"))
        self.assertGreater(row["b_beyond"], 0)
        self.assertEqual(self.compare("b", "a", "-m", "all.latency.p99")["metrics"]["all.latency.p99"]["change"], "better")

    def test_what_does_not_pair_is_refused(self):
        self.pair()
        for name, words, changes in (("seed", "seed", {"seed": "18"}), ("count", "number of replications", {"replications": 5}),
                                     ("long", "duration_s", {"duration_s": 301}), ("warm", "warmup_s", {"warmup_s": 31})):
            self.fairlane("run", "-q", self.scenario(f"{name}.json", **{**ONE_WORKER, **changes}), "--out", name)
            self.refused("compare", "a", name, says=("do not pair", words))
        manifest = json.loads(self.read("b", "manifest.json"))
        manifest["model"] += 1
        with open(self.path("b", "manifest.json"), "w", encoding="utf-8") as out:
            json.dump(manifest, out)
        self.refused("compare", "a", "b", says=("version of the model",))

    def test_scenarios_are_run_with_the_seed_and_number_of_the_first(self):
        self.scenario("a.json", **{**ONE_WORKER, "replications": 3})
        self.scenario("b.json", **{**ONE_WORKER, "replications": 5, "seed": "4"})
        done = self.fairlane("compare", "a.json", "b.json", "--json")
        found = json.loads(done.stdout)
        self.assertEqual((found["seed"], found["replications"]), ("17", 3))
        self.assertIn("seed 17", done.stderr)
        self.assertEqual(found["metrics"]["all.failed"]["change"], "same")

    def test_the_warm_up_is_found_once(self):
        self.scenario("a.json", warmup_s="auto", duration_s=2000)
        self.scenario("b.json", warmup_s="auto", duration_s=2000, workers=1, **with_rate(0.3))
        self.fairlane("run", "-q", "a.json", "--out", "a")
        alone = self.fairlane("compare", "a", "b.json", "-m", "all.latency.p50", "--json").stdout
        self.assertEqual(alone, self.fairlane("compare", "a.json", "b.json", "-m", "all.latency.p50", "--json").stdout)

    def test_few_figures_or_all(self):
        self.pair()
        chosen = self.compare("a", "b", "-m", "jain.service, critical.latency.p9*")["metrics"]
        self.assertEqual(sorted(chosen), ["critical.latency.p90", "critical.latency.p95", "critical.latency.p99",
                                          "critical.latency.p999", "jain.service"])
        self.assertIn("batch.latency.p50", self.compare("a", "b", "--all")["metrics"])
        self.refused("compare", "a", "b", "-m", "critical.latency.p98", says=("critical.latency.p9", "metrics"))
        self.refused("compare", "a", "b", "-m", "x*", says=("x*",))
        self.refused("compare", "a", "b", "-m", "queue.mean", "--all", says=("exclude",))
        self.refused("compare", "a", "b", "--set", "workers=2", says=("results",))

    def test_rules_that_do_not_read(self):
        self.pair()
        for rule, words in (("all.latency.p99", '"<" or ">"'), ("all.latency.p9 > 1%", "no figure"),
                            ("all.latency.p99 > fast", "fast"), ("all.latency.p99 > -2%", "a fall"),
                            ("all.latency.p99 < 2%", "a rise"), ("all.latency.p99 > 2 jobs", "2 jobs")):
            self.refused("compare", "a", "b", "--fail-on", rule, says=(words,))

    def test_figures_are_looked_for_before_anything_runs(self):
        self.scenario()
        for option in (("-m", "all.latency.p9"), ("--fail-on", "all.latency.p9 > 1%"), ("-m", "nothing.*")):
            # So many replications would take hours.
            self.refused("compare", "small.json", "small.json", "-r", "100000", *option, says=("figure",))

    def test_writes_a_folder(self):
        self.pair(workers=2)
        printed = self.fairlane("compare", "a", "b", "--json", "--out", "diff").stdout
        self.assertEqual(self.listing("diff"), ["compare.csv", "compare.json", "manifest.json"])
        self.assertEqual(printed, self.read("diff", "compare.json"))
        metrics = json.loads(printed)["metrics"]
        rows = list(csv.DictReader(io.StringIO(self.read("diff", "compare.csv"))))
        self.assertEqual([row["figure"] for row in rows], list(metrics))
        self.assertEqual(float(rows[0]["difference"]), metrics[rows[0]["figure"]]["difference"])
        self.fairlane("compare", "a", "b", "-q", "--out", "diff")
        self.assertIn("diff.prev", self.listing())
        self.refused("run", "diff/manifest.json", says=("scenario",))
        self.refused("compare", "a", "diff", says=("diff/manifest.json", "scenario"))


class Broken(Case):
    """Every fault of a folder is refused with its place."""

    def setUp(self):
        super().setUp()
        self.fairlane("run", "-q", self.scenario(), "--out", "a")
        self.fairlane("run", "-q", "small.json", "--out", "b")

    def spoil(self, file, change, *says):
        good = self.read("b", file)
        with open(self.path("b", file), "w", encoding="utf-8") as out:
            out.write(change(good))
        self.refused("compare", "a", "b", says=(f"b/{file}",) + says)
        with open(self.path("b", file), "w", encoding="utf-8") as out:
            out.write(good)

    def test_missing_files(self):
        self.refused("compare", "a", "nothing", says=("nothing",))
        for file in ("replications.csv", "summary.json", "manifest.json"):
            os.remove(self.path("b", file))
            self.refused("compare", "a", "b", says=(f"b/{file}",))

    def test_json(self):
        self.spoil("manifest.json", lambda text: text[:200], "middle")
        self.spoil("manifest.json", lambda text: text.replace('"replications": 4', '"replications": 4.5', 1), ":9:",
                   "replications", "whole")
        self.spoil("manifest.json", lambda text: text.replace('"manifest": 1', '"manifest": 2'), ":2", "manifest")
        self.spoil("summary.json", lambda text: text.replace('"version": 1', '"version" 1'), ":2:")
        self.spoil("summary.json", lambda text: text.replace('"seed": "17"', '"seed": "18"'), ":4", "different runs")
        self.spoil("summary.json", lambda text: text.replace('"metrics": {', '"metrics": 3, "x": {', 1), "metrics")

    def test_a_figure_that_one_program_did_not_know(self):
        summary = json.loads(self.read("b", "summary.json"))
        del summary["metrics"]["jain.service"], summary["tenants"]["bob"]["throttles"]
        with open(self.path("b", "summary.json"), "w", encoding="utf-8") as out:
            json.dump(summary, out)
        self.refused("compare", "a", "b", says=("b/replications.csv", "jain.service", "different runs"))
        rows = self.read("b", "replications.csv").splitlines(True)
        with open(self.path("b", "replications.csv"), "w", encoding="utf-8") as out:
            out.writelines(row for row in rows if ",jain.service," not in row and ",tenant.bob.throttles," not in row)
        found = json.loads(self.fairlane("compare", "a", "b", "--all", "--json").stdout)["metrics"]
        self.assertNotIn("jain.service", found)
        self.assertNotIn("tenant.bob.throttles", found)
        self.assertIn("tenant.ada.throttles", found)
        self.refused("compare", "a", "b", "-m", "jain.service", says=("no figure of b",))

    def test_replications(self):
        name = "replications.csv"
        self.spoil(name, lambda text: text.replace("weight,below", "weight", 1), ":1:", "columns")
        self.spoil(name, lambda text: text.replace("1,critical.latency.p50,", "1,critical.latency.p50,x", 1), ":2:",
                   "value", "number")
        self.spoil(name, lambda text: text.replace("1,critical.latency.p50,", "5,critical.latency.p50,", 1), ":2:",
                   "1 to 4")
        self.spoil(name, lambda text: text.replace("1,critical.latency.p50,", "1,critical.latency.p55,", 1), ":2:",
                   "p55")
        self.spoil(name, lambda text: text.replace("1,critical.latency.p50,", "2,critical.latency.p50,", 1),
                   "second time")
        self.spoil(name, lambda text: text[:len(text) // 2].rsplit("\n", 1)[0] + "\n", "not complete")
        self.spoil(name, lambda text: text.replace("\n", ",9\n", 2), "fields")


if __name__ == "__main__":
    unittest.main()
