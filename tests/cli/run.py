#!/usr/bin/python3
"""Runs from the outside: files, verdicts, exit codes, and what becomes of results when something goes wrong."""

import csv
import io
import json
import os
import resource
import signal
import subprocess
import time
import unittest

from support import BINARY, SCENARIO, Case

FILES = ["latency.csv", "manifest.json", "metrics.prom", "replications.csv", "summary.json", "tenants.csv",
         "timeseries.csv"]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


class Run(Case):
    def test_writes_the_folder(self):
        done = self.fairlane("run", self.scenario())
        self.assertEqual(self.listing("results"), ["small"])
        self.assertEqual(self.listing("results", "small"), FILES)
        self.assertIn("results/small/", done.stdout)
        summary = self.summary()
        self.assertEqual((summary["scenario"], summary["seed"], summary["replications"]), ("small", "17", 4))
        self.assertTrue(summary["invariants"]["ok"], summary["invariants"])
        self.assertGreater(summary["metrics"]["all.arrived"]["value"], 100)
        self.assertEqual(sorted(summary["tenants"]), ["ada", "bob"])
        self.assertEqual(self.read("results", "small", "metrics.prom").splitlines()[-1], "# EOF")

    def test_figures_that_do_not_exist_are_null(self):
        self.fairlane("run", self.scenario())
        figure = self.summary()["metrics"]["batch.latency.p99"]
        self.assertEqual(figure, {"value": None, "lo": None, "hi": None, "unit": "s"})

    def test_json_is_the_summary(self):
        done = self.fairlane("run", "--json", self.scenario())
        self.assertEqual(done.stdout, self.read("results", "small", "summary.json"))

    def test_quiet_is_quiet(self):
        done = self.fairlane("run", "--quiet", self.scenario())
        self.assertEqual(done.stdout + done.stderr, "")

    def test_same_bytes_at_any_jobs_count(self):
        self.scenario()
        self.fairlane("run", "small.json", "-j1", "--jobs-csv", "--out", "one")
        self.fairlane("run", "small.json", "-j3", "--jobs-csv", "--out", "three")
        for file in FILES + ["jobs.csv"]:
            self.assertEqual(self.read("one", file), self.read("three", file), file)

    def test_a_manifest_repeats_its_run(self):
        self.fairlane("run", self.scenario(), "--seed", "5", "--set", "workers=3")
        self.fairlane("run", "results/small/manifest.json", "--out", "again")
        for file in FILES:
            self.assertEqual(self.read("results", "small", file), self.read("again", file), file)

    def test_manifest_holds_nothing_of_this_place(self):
        self.fairlane("run", self.scenario(), "--out", self.path("out"), "-j2")
        manifest = self.read("out", "manifest.json")
        self.assertNotIn(self.here, manifest)
        self.assertNotIn(os.uname().nodename, manifest)
        self.assertEqual(json.loads(manifest)["seed"], "17")

    def test_seed_and_replications(self):
        self.fairlane("run", self.scenario(), "--seed", "18446744073709551615", "--replications", "2")
        summary = self.summary()
        self.assertEqual((summary["seed"], summary["replications"]), ("18446744073709551615", 2))

    def test_replications_csv_adds_up(self):
        self.fairlane("run", self.scenario())
        arrived = [float(row["value"]) for row in rows(self.read("results", "small", "replications.csv"))
                   if row["figure"] == "all.arrived"]
        self.assertEqual(len(arrived), 4)
        self.assertAlmostEqual(sum(arrived) / 4, self.summary()["metrics"]["all.arrived"]["value"])

    def test_latency_csv_reaches_one(self):
        self.fairlane("run", self.scenario())
        last = [row for row in rows(self.read("results", "small", "latency.csv")) if row["class"] == "all"][-1]
        self.assertEqual(float(last["cumulative_share"]), 1)

    def test_jobs_csv_has_a_row_a_job(self):
        self.fairlane("run", self.scenario(), "--jobs-csv", "--set", "warmup_s=0")
        jobs = rows(self.read("results", "small", "jobs.csv"))
        self.assertEqual(len(jobs), round(4 * self.summary()["metrics"]["all.arrived"]["value"]))

    def test_batches_take_their_own_time(self):
        tenants = json.loads(json.dumps(SCENARIO["tenants"]))
        tenants[1]["streams"][0]["origin"] = "batch_job"
        batch = {"destination": "batches", "size": 1, "completion_s": 500}
        self.fairlane("run", self.scenario(tenants=tenants, batch=batch, drain_s=1000), "--jobs-csv")
        jobs = [row for row in rows(self.read("results", "small", "jobs.csv")) if row["class"] == "batch"]
        self.assertGreater(len(jobs), 100)
        for job in jobs:
            self.assertAlmostEqual(float(job["ended_s"]) - float(job["arrived_s"]), 500)


class Verdicts(Case):
    def judge(self, *slo, expect):
        done = self.fairlane("run", self.scenario(slo=list(slo)), expect=expect)
        return done, [each["verdict"] for each in self.summary()["slo"]]

    def test_pass(self):
        done, verdicts = self.judge("all.latency.p99 <= 60", expect=0)
        self.assertEqual(verdicts, ["pass"])
        self.assertIn("PASS", done.stdout)

    def test_fail(self):
        done, verdicts = self.judge("all.latency.p99 <= 60", "all.latency.p99 <= 0.001", expect=99)
        self.assertEqual(verdicts, ["pass", "fail"])
        self.assertIn("FAIL", done.stdout)

    def test_inconclusive(self):
        done, verdicts = self.judge("batch.latency.p99 <= 60", expect=98)
        self.assertEqual(verdicts, ["inconclusive"])
        self.assertIn("INCONCLUSIVE", done.stdout)

    def test_failure_outranks_doubt(self):
        _, verdicts = self.judge("batch.latency.p99 <= 60", "all.latency.p99 <= 0.001", expect=99)
        self.assertEqual(verdicts, ["inconclusive", "fail"])

    def test_worst_of_several_files(self):
        self.scenario("bad.json", name="bad", slo=["all.latency.p99 <= 0.001"])
        self.scenario("good.json", name="good", slo=["all.latency.p99 <= 60"])
        self.fairlane("run", "bad.json", "good.json", expect=99)
        self.assertEqual(self.listing("results"), ["bad", "good"])

    def test_without_slo_tells_how_to_add_one(self):
        self.assertIn('"slo":', self.fairlane("run", self.scenario()).stdout)

    def test_an_slo_that_does_not_parse(self):
        self.refused("run", self.scenario(slo=["critical.latncy.p99 <= 2"]), says=["small.json", "slo"])
        self.refused("validate", "small.json", says=["critical.latency.p99"])


class Folders(Case):
    def test_predecessor_is_kept(self):
        self.fairlane("run", self.scenario(), "--seed", "1")
        self.fairlane("run", "small.json", "--seed", "2")
        self.fairlane("run", "small.json", "--seed", "3")
        self.assertEqual(self.listing("results"), ["small", "small.prev"])
        self.assertEqual(self.summary()["seed"], "3")
        self.assertEqual(self.summary("results", "small.prev")["seed"], "2")

    def test_out_is_exactly_that_folder(self):
        self.fairlane("run", self.scenario(), "--out", "deep/er")
        self.assertEqual(self.listing("deep", "er"), FILES)
        self.assertFalse(os.path.exists(self.path("results")))

    def test_other_folders_are_left_alone(self):
        os.mkdir(self.path("thesis"))
        with open(self.path("thesis", "chapter"), "w", encoding="utf-8") as file:
            file.write("precious")
        self.refused("run", self.scenario(), "--out", "thesis", says=["thesis", "manifest.json"])
        self.assertEqual(self.listing("thesis"), ["chapter"])

    def test_several_files_need_distinct_names(self):
        self.scenario("a.json")
        self.scenario("b.json")
        self.refused("run", "a.json", "b.json", says=["a.json", "b.json", '"small"'])
        self.assertFalse(os.path.exists(self.path("results")))

    def test_nothing_runs_when_one_file_is_bad(self):
        self.scenario("good.json", name="good")
        self.scenario("bad.json", name="bad", wrokers=3)
        self.refused("run", "good.json", "bad.json", says=["bad.json", "wrokers", "workers"])
        self.assertFalse(os.path.exists(self.path("results")))

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_is_read_only(self):
        os.mkdir(self.path("results"), 0o555)
        self.refused("run", self.scenario(), expect=1, says=["results/small"])

    def test_a_full_disk_leaves_the_old_results(self):
        self.fairlane("run", self.scenario(), "--seed", "1")
        done = subprocess.run([BINARY, "run", "small.json", "--seed", "2"], cwd=self.here, capture_output=True,
                              text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual(done.returncode, 1)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(self.listing("results"), ["small"])
        self.assertEqual(self.summary()["seed"], "1")

    def long_run(self):
        """A run of hours, begun; returned once its folder in the making is there."""
        self.scenario(duration_s=10000000, replications=1000)
        process = subprocess.Popen([BINARY, "run", "small.json", "-j1"], cwd=self.here, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        for _ in range(200):
            if os.path.isdir(self.path("results")) and self.listing("results"):
                time.sleep(0.2)
                return process
            time.sleep(0.05)
        process.kill()
        self.fail("the run never began")

    def test_signals_end_a_run_and_clean_up(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.long_run()
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, errors)
            self.assertIn("interrupted", errors)
            self.assertEqual(self.listing("results"), [])

    def test_what_a_killed_run_left_is_cleared_by_the_next(self):
        process = self.long_run()
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual(len(self.listing("results")), 1)
        self.fairlane("run", self.scenario())
        self.assertEqual(self.listing("results"), ["small"])


class Spared(Case):
    """What is the user's stays the user's, and no run goes on for ever."""

    def test_files_of_their_own_outlive_the_predecessor(self):
        self.fairlane("run", self.scenario(), "--quiet")
        with open(self.path("results", "small", "notes.txt"), "w", encoding="utf-8") as notes:
            notes.write("precious")
        for _ in range(3):
            self.fairlane("run", "small.json", "--quiet")
        self.assertEqual(self.read("results", "small.prev.1", "notes.txt"), "precious")
        self.assertEqual(self.listing("results"), ["small", "small.prev", "small.prev.1"])

    def test_outputs_do_not_overwrite_inputs(self):
        self.scenario()
        before = self.read("small.json")
        for option in ("--junit", "--markdown"):
            self.refused("run", "small.json", option, "./small.json", says=["also an input"])
        self.assertEqual(self.read("small.json"), before)

    def test_time_that_stands_still_ends_the_run(self):
        self.scenario(max_pending_jobs=10)
        closed = '{"closed":{"population":1,"think_s":0}}'
        self.refused("run", "small.json", "--quiet", "--set", "tenants.ada.streams.0.arrivals=" + closed,
                     "--set", "tenants.ada.streams.0.patience_s=0", expect=1, says=["time stands still"])

    def test_errors_do_not_steer_the_terminal(self):
        self.scenario(name="a\nb\x1b[31m")
        self.refused("run", "small.json", says=["a?b?[31m"])


class Sheets(Case):
    def test_validate_prints_the_load(self):
        text = self.fairlane("validate", self.scenario(slo=["critical.latency.p99 <= 2"])).stdout
        for words in ("ada", "bob", "critical", "standard", "RPM", "ITPM", "OTPM", "quantum", "idle system"):
            self.assertIn(words, text)
        self.assertFalse(os.path.exists(self.path("results")))

    def test_validate_warns(self):
        changes = {"workers": 1, "drain_s": 1, "slo": ["critical.latency.p99 <= 2", "standard.latency.p99 <= 0.2"]}
        tenants = json.loads(json.dumps(SCENARIO["tenants"]))
        tenants[0]["streams"][0]["arrivals"]["poisson"]["rate_per_s"] = 20
        text = self.fairlane("validate", self.scenario(tenants=tenants, **changes)).stdout
        for words in ("% of the limit of 600", "workers", "drain_s is 1", "no scheduler can meet"):
            self.assertIn(words, text)

    def test_lines_fit(self):
        for arguments in (["validate", self.scenario(slo=["all.latency.p99 <= 60"])], ["run", "small.json"]):
            for line in self.fairlane(*arguments).stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_no_colour_codes_in_a_file(self):
        self.assertNotIn("\033", self.fairlane("run", self.scenario()).stdout)

    def test_metrics(self):
        text = self.fairlane("metrics").stdout
        self.assertRegex(text, r"(?m)^critical\.latency\.p99 +s +less ")
        self.assertNotIn("tenant.ada", text)
        self.assertIn("tenant.ada.latency.p99", self.fairlane("metrics", self.scenario()).stdout)

    def test_presets(self):
        names = self.fairlane("presets").stdout
        self.assertIn("article-tier", names)
        preset = json.loads(self.fairlane("presets", "article-tier").stdout)
        self.assertEqual(preset["endpoint"]["limits"]["rpm"], 50)
        self.refused("presets", "article-teir", says=["article-tier"])


if __name__ == "__main__":
    unittest.main()
