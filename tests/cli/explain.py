#!/usr/bin/python3
"""fairlane explain: the life of a job must agree with jobs.csv, a file that another part of the program writes."""

import csv
import io
import json
import unittest

from support import SCENARIO, Case

BUSY = {
    "workers": 3,
    "replications": 3,
    "scheduler": {"retry": {"max_retries": 2}, "demotion": {"enabled": False}},
    "endpoint": {"limits": {"rpm": 24, "itpm": 40000}, "burst_s": 20},
}


def tenants(**stream):
    made = json.loads(json.dumps(SCENARIO["tenants"]))
    for tenant in made:
        tenant["streams"][0].update(stream)
        tenant["streams"][0]["arrivals"] = {"poisson": {"rate_per_s": 0.3}}
    return {"tenants": made}


class Explain(Case):
    def run_busy(self, **changes):
        self.fairlane("run", "-q", "--jobs-csv", self.scenario(**{**BUSY, **tenants(), **changes}), "--out", "out")
        rows = list(csv.DictReader(io.StringIO(self.read("out", "jobs.csv"))))
        return {f"{row['replication']}:{row['job']}": row for row in rows}

    def explain(self, *arguments):
        return json.loads(self.fairlane("explain", "out", "--json", *arguments).stdout)["jobs"]

    def words(self, *arguments):
        """The text, lines joined."""
        return " ".join(self.fairlane("explain", "out", *arguments).stdout.split())

    def test_parts_add_up_and_agree_with_jobs_csv(self):
        rows = self.run_busy()
        lives = self.explain("--worst", "40")
        self.assertEqual(len(lives), 40)
        for life in lives:
            row, parts = rows[life["job"]], life["parts"]
            self.assertEqual((life["tenant"], life["ending"], life["attempts"], life["class"]),
                             (row["tenant"], row["ending"], int(row["attempts"]), row["class"]))
            self.assertEqual(life["arrived_s"], float(row["arrived_s"]))
            if row["ended_s"]:
                self.assertEqual(life["ended_s"], float(row["ended_s"]))
            whole = sum(parts["backoff_s"].values()) + sum(
                parts[name] for name in ("queue_s", "gather_s", "held_s", "service_s"))
            self.assertAlmostEqual(whole, life["ended_s"] - life["arrived_s"], places=6)
            kinds = [event["event"] for event in life["events"]]
            self.assertEqual(kinds.count("refused") + kinds.count("admitted"), life["attempts"])
        self.assertIn("failed", {life["ending"] for life in lives})

    def test_the_longest_come_first(self):
        rows = self.run_busy(workers=1, endpoint={}, drain_s=10)
        counted = [(key, row) for key, row in rows.items() if row["counted"] == "1" and row["class"] == "critical"]

        def length(item):
            key, row = item
            end = float(row["ended_s"]) if row["ended_s"] else 310.0
            replication, job = key.split(":")
            return (row["ending"] == "completed", float(row["arrived_s"]) - end, int(replication),
                    *(int(part) for part in job.split(".")))

        expected = [key for key, _ in sorted(counted, key=length)]
        found = [life["job"] for life in self.explain("--worst", "25", "--class", "critical")]
        self.assertEqual(found, expected[:25])
        self.assertEqual(found, [life["job"] for life in self.explain("--worst", "25", "--class", "critical", "-j1")])

    def test_every_pick_that_passed_it_by(self):
        rows = self.run_busy(workers=1, endpoint={}, drain_s=2000)
        for life in self.explain("--worst", "10"):
            row = rows[life["job"]]
            begin, end = float(row["arrived_s"]), float(row["first_dispatch_s"])
            expected = [key for key, other in rows.items() if other["replication"] == row["replication"]
                        and key != life["job"] and begin <= float(other["first_dispatch_s"] or 1e9) <= end]
            found = [event["job"] for event in life["events"] if event["event"] == "passed"]
            self.assertEqual(sorted(found), sorted(expected))
            self.assertEqual(life["parts"]["passed_by"], len(found))
            self.assertGreater(len(found), 3)

    def test_text(self):
        rows = self.run_busy()
        throttled = next(key for key, row in rows.items() if int(row["attempts"]) == 3 and row["ending"] == "completed")
        text = self.fairlane("explain", "out", "--job", throttled).stdout
        for words in (f"job {throttled} of tenant {rows[throttled]['tenant']}", "arrives, queued as", "picked by worker",
                      "attempt 2: 429 by ", "attempt 3: admitted", "completed",
                      " x 429 by ", "service"):
            self.assertIn(words, text)
        self.run_busy(workers=1, endpoint={}, drain_s=2000)
        few, all_picks = (self.fairlane("explain", "out", "--worst", "1", *more).stdout for more in ((), ("--all",)))
        self.assertIn("workers pick", few)
        self.assertGreater(len(all_picks.splitlines()), len(few.splitlines()))
        self.assertIn("its own tenant, ahead in the queue", " ".join(all_picks.split()))

    def test_demotion_pacing_requeue_patience_and_batches(self):
        self.run_busy(scheduler={"retry": {"max_retries": 0, "on_exhausted": "requeue"}, "demotion": {"throttles": 2}},
                      **tenants(patience_s=20))
        texts = self.words("--worst", "200")
        for words in ("its tenant is demoted, by its 429s", "queued as batch: its tenant is demoted (it asks for",
                      "then back to the queue", "back in the queue", "left when its patience ended"):
            self.assertTrue(words in texts, words)
        self.run_busy(scheduler={"retry": {"pacing": "mirror"}})
        self.assertIn("by pacing", self.words("--worst", "3"))
        self.run_busy(batch={"destination": "batches", "size": 5, "completion_s": 50}, drain_s=600,
                      **tenants(origin="batch_job"))
        texts = self.words("--worst", "3", "--class", "batch")
        for words in ("goes into a message batch", "its batch is sent", "until its batch was sent; in its batch 50.0 s"):
            self.assertIn(words, texts)

    def test_refusals(self):
        self.run_busy()
        for arguments, words in ((("--job", "1:0"), "REPLICATION:STREAM.NUMBER"), (("--job", "4:0.0"), "from 1 to 3"),
                                 (("--job", "1:2.0"), "from 0 to 1"), (("--job", "1:0.99999"), "no such job"),
                                 ((), "--worst"), (("--class", "batch"), "--worst"), (("--worst", "0"), "1 to 1000"),
                                 (("--worst", "1", "--class", "x"), "critical, standard")):
            self.refused("explain", "out", *arguments, says=(words,))
        self.refused("explain", "nothing", "--worst", "1", says=("nothing",))
        self.assertIn("no such job", self.fairlane("explain", "out", "--worst", "1", "--class", "batch").stdout)

    def test_a_scenario_file_will_do(self):
        self.run_busy(warmup_s="auto", duration_s=1000, endpoint={}, workers=3)
        self.assertEqual(self.fairlane("explain", "out", "--worst", "5").stdout,
                         self.fairlane("explain", "small.json", "--worst", "5").stdout)


if __name__ == "__main__":
    unittest.main()
