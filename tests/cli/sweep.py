#!/usr/bin/python3
"""Sweeps, shards and merges from the outside: what is written, what is run again and what is not, what a kill leaves."""

import csv
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml

import jsonschema

from support import BINARY, SCENARIO, Case

ROOT = pathlib.Path(__file__).resolve().parents[2]

STUDY = {
    "version": 1,
    "name": "knobs",
    "scenario": "small.json",
    "vary": {"scheduler.tenants.quantum": [1, 8], "workers": [2, 3, 4]},
    "objectives": ["critical.latency.p99"],
    "slo": ["critical.latency.p99 <= 60", "jain.weighted >= 0.99"],
}
EXPORTS = ["study.csv", "summary.json"]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


class Studies(Case):
    def setUp(self):
        super().setUp()
        self.scenario()
        self.study()

    def study(self, file="knobs.json", **changes):
        with open(self.path(file), "w", encoding="utf-8") as out:
            json.dump({key: value for key, value in {**STUDY, **changes}.items() if value is not None}, out)
        return file

    def sweep(self, *arguments, expect=99, **options):
        return self.fairlane("sweep", "knobs.json", *arguments, expect=expect, **options)

    def exports(self, *parts):
        return [self.read(*(parts or ("results", "knobs")), file) for file in EXPORTS]

    def units(self, *parts):
        """Rows of the database: (configuration, replication) and when they were written."""
        with sqlite3.connect(self.path(*(parts or ("results", "knobs")), "study.db")) as database:
            return database.execute("SELECT configuration, replication, rowid FROM result ORDER BY rowid").fetchall()


class Sweep(Studies):
    def test_writes_its_files(self):
        done = self.sweep()
        self.assertEqual(self.listing("results", "knobs"), ["study.csv", "study.db", "summary.json"])
        table = rows(self.read("results", "knobs", "study.csv"))
        self.assertEqual([(row["scheduler.tenants.quantum"], row["workers"]) for row in table],
                         [(q, w) for q in "18" for w in "234"])
        self.assertIn("quantum=1 workers=", done.stdout)
        summary = json.loads(self.read("results", "knobs", "summary.json"))
        self.assertEqual([c["knobs"]["workers"] for c in summary["configurations"]], [2, 3, 4, 2, 3, 4])
        self.assertEqual(summary["objectives"][0]["figure"], "critical.latency.p99")
        best = summary["configurations"][summary["objectives"][0]["best"] - 1]
        values = [c["metrics"]["critical.latency.p99"]["value"] for c in summary["configurations"]
                  if all(s["verdict"] != "fail" for s in c["slo"])]
        if values:
            self.assertEqual(best["metrics"]["critical.latency.p99"]["value"], min(values))

    def test_a_row_is_what_run_says(self):
        """Figures pooled from the database are those of a run of the same configuration, to the last digit."""
        self.sweep()
        self.fairlane("run", "small.json", "--set", "workers=3", "--set", "scheduler.tenants.quantum=8", "--out", "one",
                      "--set", f"slo={json.dumps(STUDY['slo'])}", expect=99)
        run = self.summary("one")
        row = rows(self.read("results", "knobs", "study.csv"))[4]
        for name, unit in (("critical.latency.p99", "_s"), ("all.wait.mean", "_s"), ("jain.service.windowed", ""),
                           ("retries.amplification", ""), ("queue.max", "_jobs"), ("cost.usd", "_USD")):
            figure = run["metrics"][name]
            column = [c for c in row if c == name + unit or c == name][0]
            for side, end in (("value", ""), ("lo", "_lo"), ("hi", "_hi")):
                text = row[name + end + column[len(name):]]
                self.assertEqual(float(text) if text else None, figure[side], (name, side))
        swept = json.loads(self.read("results", "knobs", "summary.json"))["configurations"][4]
        self.assertEqual(swept["slo"], run["slo"])

    def test_warnings_are_those_of_run(self):
        """A backlog that grows is told from the stored series, as `run` tells it."""
        self.study(vary={"workers": [1, 4]}, slo=[])
        done = self.sweep(expect=0)
        self.assertRegex(done.stdout, r"warning: \d of 2 configurations have warnings")
        swept = json.loads(self.read("results", "knobs", "summary.json"))["configurations"]
        for number, workers in enumerate((1, 4)):
            self.fairlane("run", "small.json", "--set", f"workers={workers}", "--out", f"w{workers}", "-q")
            told = self.summary(f"w{workers}")["warnings"]
            own = swept[number]["warnings"]
            self.assertEqual(told[len(told) - len(own):], own)
        self.assertTrue(any("backlog grows" in words for words in swept[0]["warnings"]), swept[0])
        self.assertFalse(any("backlog grows" in words for words in swept[1]["warnings"]), swept[1])

    def test_progress(self):
        """Lines where nobody watches, a bar on a terminal."""
        done = self.sweep()
        self.assertRegex(done.stderr, r"\A0 of 24 units\n(.*\n)*24 of 24 units, [\d.e+]+/s, 0\.0 s left\n\Z")
        shutil.rmtree(self.path("results"))
        master, slave = self.pseudo_terminal()
        subprocess.run([BINARY, "sweep", "knobs.json"], cwd=self.here, stdout=subprocess.DEVNULL, stderr=slave,
                       check=False, env={**os.environ, "TERM": "xterm"})
        os.close(slave)
        shown = os.read(master, 65536).decode()
        os.close(master)
        self.assertIn("[" + 24 * "." + "] 0 of 24 units", shown)
        self.assertIn("[" + 24 * "#" + "] 24 of 24 units, ", shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), shown[-80:])

    def test_common_random_numbers(self):
        """All configurations face the same jobs."""
        self.sweep()
        self.assertEqual(len({row["all.arrived_jobs"] for row in rows(self.read("results", "knobs", "study.csv"))}), 1)

    def test_a_second_time_nothing_runs(self):
        self.sweep()
        before, exports = self.units(), self.exports()
        self.assertEqual(len(before), 24)
        self.sweep("-j1")
        self.assertEqual((self.units(), self.exports()), (before, exports))

    def test_more_repetitions_add_to_what_is_there(self):
        self.sweep()
        before = self.units()
        self.study(repeat=6)
        self.sweep()
        self.assertEqual(self.units()[:24], before)
        self.assertEqual(len(self.units()), 36)
        self.assertEqual(json.loads(self.read("results", "knobs", "summary.json"))["replications"], 6)

    def test_a_changed_scenario_starts_anew_and_back_is_free(self):
        self.sweep()
        exports = self.exports()
        self.scenario(duration_s=200)
        self.sweep()
        self.assertEqual(len(self.units()), 48)
        changed = self.exports()
        self.assertNotEqual(changed, exports)
        shutil.rmtree(self.path("results"))
        self.sweep()
        self.assertEqual(self.exports(), changed, "rows of the first scenario were mixed in")
        self.scenario()
        self.sweep()
        self.assertEqual((self.exports(), len(self.units())), (exports, 48))

    def test_threads_and_order_do_not_show(self):
        self.sweep("-j1", "--out", "one")
        self.sweep("-j3", "--out", "three")
        self.sweep("--filter", "workers == 4", "--out", "parts", expect=99)
        self.sweep("-j3", "--out", "parts")
        self.assertEqual(self.exports("one"), self.exports("three"))
        self.assertEqual(self.exports("one"), self.exports("parts"))

    def test_list_filter_and_dry_run(self):
        listed = self.sweep("--list", "--filter", "quantum > 5 && workers != 3", expect=0).stdout
        self.assertEqual(listed, "1\tquantum=8 workers=2\n2\tquantum=8 workers=4\n")
        planned = self.sweep("--dry-run", "--filter", "quantum > 5", "-j2", expect=0).stdout
        self.assertIn("3 configurations x 4 replications: 12 units, 0 of them done, 12 to do", planned)
        self.assertRegex(planned, r"about [\d.]+ \w+ on 2 threads")
        self.assertFalse(os.path.exists(self.path("results")))
        self.sweep("--filter", "workers == 3")
        self.assertIn("24 units, 8 of them done, 16 to do", self.sweep("--dry-run", expect=0).stdout)

    def test_seed_and_set_reach_the_scenario(self):
        self.sweep("--seed", "5", "--set", "duration_s=100")
        self.fairlane("run", "small.json", "--seed", "5", "--set", "duration_s=100", "--set", "workers=2", "--set",
                      "scheduler.tenants.quantum=1", "--out", "one")
        self.assertEqual(float(rows(self.read("results", "knobs", "study.csv"))[0]["all.arrived_jobs"]),
                         self.summary("one")["metrics"]["all.arrived"]["value"])

    def test_auto_warmup_is_settled_once(self):
        self.scenario(warmup_s="auto", duration_s=600)
        self.sweep(expect=99)
        table = rows(self.read("results", "knobs", "study.csv"))
        self.assertEqual(len({row["all.arrived_jobs"] for row in table}), 1)

    def test_a_configuration_that_cannot_run_fails(self):
        self.study(vary={"max_pending_jobs": [1, 100000]}, slo=["critical.latency.p99 <= 60"])
        done = self.sweep("--junit", "junit.xml")
        table = rows(self.read("results", "knobs", "study.csv"))
        self.assertEqual([row["slo: critical.latency.p99 <= 60"] for row in table], ["fail", "pass"])
        self.assertIn("max_pending_jobs", table[0]["failure"])
        self.assertIn("did not run", done.stdout)
        self.study(vary={"max_pending_jobs": [1, 100000]}, slo=[], objectives=[])
        self.refused("sweep", "knobs.json", "-q", expect=1, says=["1 of 2 configurations did not run"])

    def test_refuses_with_a_place(self):
        self.study(vary={"workers": [2, 0]})
        self.refused("sweep", "knobs.json", says=["--set workers=0", "workers", "from 1 to 4096"])
        self.study(vary={"workers": [2]}, constraint=["wrokers > 1"])
        self.refused("sweep", "knobs.json", says=["knobs.json:1:", "constraint.0", "workers"])
        self.study()
        self.refused("sweep", "knobs.json", "--filter", "quantum >", says=["--filter", "found the end"])
        self.refused("sweep", "knobs.json", "--filter", "quantum > 100", says=["filter fits none"])
        self.fairlane("run", "small.json", "--out", "taken")
        self.refused("sweep", "knobs.json", "--out", "taken", says=["taken", "result of a run"])
        self.assertNotIn("study.db", self.listing("taken"))


class Interrupted(Studies):
    """The study is long enough to be caught in the middle."""

    def setUp(self):
        super().setUp()
        self.scenario(duration_s=3600)
        self.study(repeat=12)

    def begin(self, *arguments):
        """Start a sweep and wait until some of its units, but not all, are there."""
        process = subprocess.Popen([BINARY, "sweep", "knobs.json", *arguments], cwd=self.here, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        path = self.path(arguments[arguments.index("--out") + 1], "study.db")
        for _ in range(6000):
            if os.path.exists(path):
                try:
                    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
                        if database.execute("SELECT count(*) FROM result").fetchone()[0] > 2:
                            return process
                except sqlite3.OperationalError:
                    pass
            time.sleep(0.002)
        self.fail("no unit came")

    def test_an_interrupt_ends_cleanly_and_resumes(self):
        self.sweep("--out", "whole", expect=99)
        process = self.begin("--out", "cut", "-j2")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        found = re.search(r"interrupted; (\d+) of 72 units are in cut/study.db, and the same command goes on", errors)
        self.assertTrue(found, errors)
        kept = self.units("cut")
        self.assertEqual(len(kept), int(found[1]))
        self.assertLess(len(kept), 72)
        self.assertNotIn("study.csv", self.listing("cut"))
        self.sweep("--out", "cut")
        self.assertEqual(self.units("cut")[:len(kept)], kept)
        self.assertEqual(self.exports("cut"), self.exports("whole"))

    def test_shards_merge_to_the_same_bytes_though_one_was_killed(self):
        self.sweep("--out", "whole", expect=99)
        for count in (1, 2, 7):
            folders = [f"part-{i}-of-{count}" for i in range(1, count + 1)]
            for i, folder in enumerate(folders, 1):
                arguments = ("--shard", f"{i}/{count}", "--out", folder, "-j1")
                if i == count:
                    process = self.begin(*arguments)
                    process.kill()
                    process.communicate(timeout=60)
                    self.assertEqual(process.returncode, -signal.SIGKILL)
                    self.assertLess(len(self.units(folder)), 72 // count)
                    self.refused("merge", "early", *folders, expect=1, says=["units have no result yet"])
                self.sweep(*arguments, expect=0)
            sizes = [len(self.units(folder)) for folder in folders]
            self.assertEqual(sum(sizes), 72)
            self.assertLessEqual(max(sizes) - min(sizes), 1)
            self.fairlane("merge", f"merged-{count}", *folders, expect=99)
            self.assertEqual(self.exports(f"merged-{count}"), self.exports("whole"), count)


class Merge(Studies):
    def test_default_folders(self):
        for i in "12":
            self.sweep("--shard", f"{i}/2", expect=0)
        self.assertEqual(self.listing("results", "knobs"), ["shard-1-of-2", "shard-2-of-2"])
        self.fairlane("merge", "results/knobs", "results/knobs/shard-1-of-2", "results/knobs/shard-2-of-2",
                      "--junit", "junit.xml", expect=99)
        merged = self.exports()
        self.assertEqual(xml.parse(self.path("junit.xml")).getroot().get("tests"), "12")
        shutil.rmtree(self.path("results"))
        self.sweep()
        self.assertEqual(self.exports(), merged)

    def test_auto_shards(self):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("SLURM") and k != "JOB_COMPLETION_INDEX"}
        for i in range(2):
            self.sweep("--shard", "auto", "--out", f"k{i}", expect=0,
                       env={**clean, "JOB_COMPLETION_INDEX": str(i), "FAIRLANE_SHARDS": "2"})
            self.sweep("--shard", "auto", "--out", f"s{i}", expect=0,
                       env={**clean, "SLURM_ARRAY_TASK_ID": str(i + 4), "SLURM_ARRAY_TASK_MIN": "4",
                            "SLURM_ARRAY_TASK_MAX": "5", "SLURM_ARRAY_TASK_COUNT": "2"})
            self.assertEqual(*(sorted(unit[:2] for unit in self.units(f"{kind}{i}")) for kind in "ks"))
        self.assertEqual(self.fairlane("merge", "both", "k0", "s1", expect=99).returncode, 99)
        done = subprocess.run([BINARY, "sweep", "knobs.json", "--shard", "auto"], cwd=self.here, env=clean,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("neither", done.stderr)

    def test_refuses_what_does_not_belong_together(self):
        self.sweep("--shard", "1/2", "--out", "a", expect=0)
        self.study(vary={"workers": [5]})
        self.sweep("--shard", "2/2", "--out", "b", expect=0)
        self.refused("merge", "out", "a", "b", says=["b: is of another study than a"])
        self.refused("merge", "out", "a", "nothing", says=["nothing/study.db"])
        with sqlite3.connect(self.path("b", "study.db")) as database:
            database.execute("UPDATE study SET model_version = model_version + 1")
        self.refused("merge", "out", "a", "b", says=["b: holds results of model version", "never mixed"])
        self.assertFalse(os.path.exists(self.path("out")))

    def test_other_model_versions_are_not_used(self):
        """Rows of another version stay where they are, and their units run again."""
        self.sweep()
        exports = self.exports()
        with sqlite3.connect(self.path("results", "knobs", "study.db")) as database:
            database.execute("UPDATE result SET model_version = model_version + 1, outcome = x'00', figures = '{}'")
        self.assertIn("24 to do", self.sweep("--dry-run", expect=0).stdout)
        self.sweep()
        self.assertEqual((self.exports(), len(self.units())), (exports, 48))

    def test_a_shard_has_no_verdicts(self):
        self.refused("sweep", "knobs.json", "--shard", "1/2", "--junit", "x.xml", says=["fairlane merge"])
        self.refused("sweep", "knobs.json", "--shard", "3/2", says=["I/N"])


class Gate(Studies):
    def test_exit_statuses(self):
        good, bad, unsure = "jain.service >= 0.1", "jain.weighted >= 0.99", "critical.latency.p99 <= 2.2"
        for slo, status in (([good], 0), ([good, bad], 99), ([good, unsure, bad], 99)):
            self.study(slo=slo)
            self.sweep(expect=status)
            self.fairlane("run", "small.json", "--set", f"slo={json.dumps(slo)}", expect=status)
        self.study(slo=[good], repeat=1)
        self.sweep(expect=98)
        self.fairlane("run", "small.json", "-r", "1", "--set", f"slo={json.dumps([good])}", expect=98)

    def test_junit(self):
        self.sweep("--junit", "junit.xml")
        root = xml.parse(self.path("junit.xml")).getroot()
        self.assertEqual((root.tag, root.get("tests")), ("testsuites", "12"))
        cases = root.findall("testsuite/testcase")
        self.assertEqual(len({(case.get("classname"), case.get("name")) for case in cases}), 12)
        summary = json.loads(self.read("results", "knobs", "summary.json"))
        verdicts = [slo["verdict"] for c in summary["configurations"] for slo in c["slo"]]
        tags = {"pass": [], "fail": ["failure"], "inconclusive": ["error"]}
        self.assertEqual([[child.tag for child in case] for case in cases], [tags[v] for v in verdicts])
        self.assertEqual(int(root.get("failures")), verdicts.count("fail"))
        self.assertEqual(int(root.get("errors")), verdicts.count("inconclusive"))

    def test_run_has_them_too(self):
        slo = ["jain.weighted >= 0.99", "critical.latency.p99 <= 60"]
        done = self.fairlane("run", self.scenario(slo=slo), "--junit", "junit.xml", "--markdown", "job.md",
                             "--annotations", "github", expect=99)
        cases = xml.parse(self.path("junit.xml")).getroot().findall("testsuite/testcase")
        self.assertEqual([case.get("name") for case in cases], slo)
        self.assertEqual([len(case) for case in cases], [1, 0])
        lines = self.read("job.md").splitlines()
        self.assertEqual(lines[0], "### Fairlane: 1 passed, 1 failed, 0 inconclusive")
        # Five columns, their lines between and around them.
        self.assertEqual({len(re.findall(r"(?<!\\)\|", line)) for line in lines[2:]}, {6})
        self.assertIn("**FAIL**", lines[4])
        found = [line for line in done.stdout.splitlines() if line.startswith("::")]
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], r"^::error file=small\.json,title=small%3A fail::jain\.weighted >= 0\.99: ")
        done = self.fairlane("run", "small.json", "--json", "--annotations", "github", expect=99)
        json.loads(done.stdout)
        self.assertIn("::error ", done.stderr)
        self.refused("run", "small.json", "--annotations", "gitlab", says=["github"])

    def test_what_a_file_says_cannot_break_out(self):
        """Markup of the outputs in a value must arrive as text. (The two configurations are one: `about` is no setting.)"""
        evil = "</testcase>|`x`&\x01%0A::error::"
        self.study(vary={"about": [evil, "plain"]})
        done = self.sweep("--junit", "junit.xml", "--markdown", "job.md", "--annotations", "github")
        self.assertEqual(len(self.units()), 4)
        names = [case.get("classname") for case in xml.parse(self.path("junit.xml")).getroot().iter("testcase")]
        self.assertEqual(len(names), 4)
        self.assertIn("</testcase>|`x`&", names[0])
        self.assertIn(r"\</testcase\>\|\`x\`\&", self.read("job.md"))
        found = [line for line in done.stdout.splitlines() if line.startswith("::")]
        self.assertEqual(len(found), 2)
        self.assertIn("%250A::error::", found[0])

    def test_a_file_that_cannot_be_written_is_an_error(self):
        self.refused("sweep", "knobs.json", "--quiet", "--junit", "none/junit.xml", expect=2, says=["none/junit.xml"])


class Documents(Studies):
    """What the tree says of studies is true."""

    def test_shipped_studies_and_their_schema(self):
        schema = json.loads((ROOT / "scenarios" / "schema" / "study.schema.json").read_text(encoding="utf-8"))
        validator = jsonschema.Draft202012Validator(schema)
        for path in sorted((ROOT / "scenarios").glob("**/studies/*.json")):
            validator.validate(json.loads(path.read_text(encoding="utf-8")))
            self.fairlane("sweep", str(path), "--list")
        validator.validate(STUDY)
        for changes in ({"version": 2}, {"scenario": None}, {"vary": None}, {"vary": {}}, {"vary": {"workers": []}},
                        {"vary": {"workers": 3}}, {"vary": {"workers": {"from": 1}}}, {"design": "grids"},
                        {"vary": {"workers": {"from": 1, "to": 2, "step": 0}}}, {"repeat": 0}, {"repeat": 1.5},
                        {"zip": [["workers"]]}, {"zip": ["workers"]}, {"objectives": "jain.service"}, {"slo": [1]},
                        {"name": "a/b"}, {"constraint": [""]}, {"unknown": 1},
                        {"vary": {"workers": {"from": 1, "to": 2, "step": 1, "points": 2}}}):
            self.study(**changes)
            self.refused("sweep", "knobs.json", "--list", says=["knobs.json"])
            bad = json.loads(self.read("knobs.json"))
            self.assertFalse(validator.is_valid(bad), bad)

    def test_the_page_about_studies(self):
        text = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
        blocks = re.findall(r"(?:^    .*\n|^\n)+", text, re.MULTILINE)
        example = next(json.loads(block) for block in blocks if block.strip().startswith('{ "version": 1'))
        example["scenario"] = str(ROOT / "scenarios" / "article-one-worker.json")
        with open(self.path("example.json"), "w", encoding="utf-8") as out:
            json.dump(example, out)
        listed = self.fairlane("sweep", "example.json", "--list").stdout.splitlines()
        self.assertEqual(len(listed), 12)
        for command in re.findall(r"--filter (\"[^\"]+\")", text):
            self.assertTrue(self.fairlane("sweep", "example.json", "--list", "--filter", command.strip('"')).stdout)
        self.sweep()
        queries = [block.strip() for block in blocks if block.strip().startswith("SELECT")]
        self.assertEqual(len(queries), 3)
        with sqlite3.connect(self.path("results", "knobs", "study.db")) as database:
            found = [database.execute(query.replace("a.number = 7", "a.number = 2")).fetchall() for query in queries]
        self.assertEqual(found[0], [(24, 24)])
        self.assertEqual([row[0] for row in found[1]], [1, 8])
        self.assertIsNotNone(found[2][0][1])

    def test_the_workflow(self):
        """Its commands are taken as they stand; the runs are shortened."""
        text = (ROOT / "docs" / "ci" / "fairlane.yml").read_text(encoding="utf-8")
        commands = [" ".join(found.split()) for found in re.findall(r"run: >-\n((?: {10}.*\n)+)", text)]
        self.assertEqual([command.split()[1] for command in commands], ["run", "sweep", "compare"])
        os.symlink(ROOT / "scenarios", self.path("scenarios"))
        for command in commands:
            verb = command.split()[1]
            short = {"run": "-r 2 --out run", "sweep": "--dry-run", "compare": "--help"}[verb]
            command = command.replace(verb, f"{verb} {short}", 1).replace("./dev", shlex.quote(BINARY))
            done = subprocess.run(command, shell=True, cwd=self.here, capture_output=True, text=True, check=False,
                                  env={**os.environ, "GITHUB_STEP_SUMMARY": self.path("summary.md")})
            self.assertIn(done.returncode, (0, 98), done.stderr)
        self.assertIn("### Fairlane", self.read("summary.md"))
        self.assertEqual(xml.parse(self.path("junit-run.xml")).getroot().tag, "testsuites")


@unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
class Parallel(Studies):
    def test_the_recipe_of_the_docs(self):
        """--resume-failed runs the shard again that failed, and only that one."""
        self.sweep("--out", "whole")
        os.symlink(BINARY, self.path("fairlane"))  # a plain name: parallel's shell would part one with spaces
        command = (f"seq 3 | parallel --will-cite -j2 --joblog shards.log {{extra}} "
                   f"./fairlane sweep knobs.json -q -j1 --shard {{}}/3").replace("{{}}", "{}")
        os.makedirs(self.path("results", "knobs"))
        open(self.path("results", "knobs", "shard-2-of-3"), "w", encoding="utf-8").close()  # in the way of shard 2
        first = subprocess.run(command.replace("{extra}", ""), shell=True, cwd=self.here, capture_output=True, text=True,
                               check=False)
        self.assertEqual(first.returncode, 1, first.stderr)
        os.remove(self.path("results", "knobs", "shard-2-of-3"))
        second = subprocess.run(command.replace("{extra}", "--resume-failed"), shell=True, cwd=self.here,
                                capture_output=True, text=True, check=False)
        self.assertEqual(second.returncode, 0, second.stderr)
        log = [line.split("\t") for line in self.read("shards.log").splitlines()[1:]]
        self.assertEqual(sorted((line[0], line[6]) for line in log),
                         [("1", "0"), ("2", "0"), ("2", "1"), ("3", "0")])
        self.fairlane("merge", "results/knobs", *[f"results/knobs/shard-{i}-of-3" for i in "123"], expect=99)
        self.assertEqual(self.exports(), self.exports("whole"))


if __name__ == "__main__":
    unittest.main()
