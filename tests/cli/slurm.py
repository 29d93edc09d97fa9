#!/usr/bin/python3
"""The Slurm recipe of docs/studies.md, on a cluster of this machine alone: a job array does the shards of a study.

Needs root, slurmctld, slurmd and sbatch (Debian: slurmctld, slurmd, slurm-client); skips and says so without them. No
daemon but its own is touched: configuration, state, ports and processes are the test's.
"""

import json
import os
import shlex
import shutil
import socket
import subprocess
import time
import unittest

from support import BINARY, Case

PROGRAMS = {name: shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
            for name in ("slurmctld", "slurmd", "sbatch", "sinfo", "scancel")}

# Authentication by munge would need another daemon; one machine, one user and loopback need none.
CONFIGURATION = """\
ClusterName=fairlane
SlurmctldHost={host}(127.0.0.1)
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES State=UP
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={here}/state
SlurmdSpoolDir={here}/spool
SlurmctldPidFile={here}/slurmctld.pid
SlurmdPidFile={here}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MpiDefault=none
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@unittest.skipUnless(all(PROGRAMS.values()), "Slurm is not installed (slurmctld, slurmd, slurm-client)")
@unittest.skipUnless(os.geteuid() == 0, "slurmd must be root to start jobs")
class Slurm(Case):
    def setUp(self):
        super().setUp()
        controller, node = free_ports(2)
        os.makedirs(self.path("state"))
        os.makedirs(self.path("spool"))
        host = socket.gethostname().split(".")[0]
        with open(self.path("slurm.conf"), "w", encoding="utf-8") as out:
            out.write(CONFIGURATION.format(host=host, cpus=os.cpu_count(), controller=controller, node=node,
                                           here=self.here))
        self.environment = {**os.environ, "SLURM_CONF": self.path("slurm.conf")}
        for name in ("slurmctld", "slurmd"):
            self.start(name)
        for _ in range(100):
            state = self.slurm("sinfo", "--noheader", "--format=%T")
            if state.stdout.strip() in ("idle", "idle*"):
                return
            time.sleep(0.2)
        self.skipTest(f"no Slurm cluster came up here: {state.stdout}{state.stderr}{self.logs()}")

    def start(self, name):
        log = open(self.path(name + ".log"), "w", encoding="utf-8")
        self.addCleanup(log.close)
        process = subprocess.Popen([PROGRAMS[name], "-D"], env=self.environment, stdout=log, stderr=log, cwd=self.here)

        def end():
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

        self.addCleanup(end)

    def logs(self):
        return "".join(f"\n{name}: {self.read(name + '.log')[-1500:]}" for name in ("slurmctld", "slurmd"))

    def slurm(self, name, *arguments, **options):
        return subprocess.run([PROGRAMS[name], *arguments], env=self.environment, cwd=self.here, capture_output=True,
                              text=True, timeout=90, check=False, **options)

    def test_an_array_does_the_shards(self):
        self.scenario()
        with open(self.path("knobs.json"), "w", encoding="utf-8") as out:
            json.dump({"version": 1, "scenario": "small.json", "vary": {"workers": [2, 3]},
                       "slo": ["critical.latency.p99 <= 60"]}, out)
        with open(self.path("job.sh"), "w", encoding="utf-8") as out:
            out.write(f"#!/bin/sh\n#SBATCH --array=1-3\n#SBATCH --cpus-per-task=1\n"
                      f"exec {shlex.quote(BINARY)} sweep knobs.json --quiet --jobs 1 --shard auto\n")
        done = self.slurm("sbatch", "--wait", "job.sh")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr + self.logs())
        self.assertEqual(self.listing("results", "knobs"), [f"shard-{i}-of-3" for i in "123"])
        self.fairlane("merge", "results/knobs", *[f"results/knobs/shard-{i}-of-3" for i in "123"])
        self.fairlane("sweep", "knobs.json", "--out", "whole")
        for file in ("study.csv", "summary.json"):
            self.assertEqual(self.read("results", "knobs", file), self.read("whole", file))


if __name__ == "__main__":
    unittest.main()
