"""Manual pages and completions, made from the tables of the program: shell.py MAN-FOLDER BASH ZSH"""

import os
import re
import shutil
import subprocess
import sys
import unittest

from support import Case

MAN, BASH, ZSH = (os.path.abspath(path) for path in sys.argv[1:4])

# What readline would do: hand over the words (split at "=") and print the replies.
DRIVER = """
compopt() { :; }
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_fairlane
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Bash(Case):
    def complete(self, *words):
        done = subprocess.run(["bash", "--norc", "-c", DRIVER, "bash", BASH, "fairlane", *words], cwd=self.here,
                              capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split("\n")) - {""}

    def verbs(self):
        text = self.fairlane("--help").stdout
        return set(re.findall(r"^  (\w+)", text[text.index("Verbs:"):text.index("Options:")], re.M))

    def test_verbs(self):
        self.assertEqual(self.complete(""), self.verbs() | {"help"})
        self.assertEqual(self.complete("val"), {"validate"})
        self.assertEqual(self.complete("help", "val"), {"validate"})

    def test_options_are_those_of_the_help(self):
        for verb in self.verbs():
            known = set(re.findall(r"^ {2}(?:-\w, | {4})(--[\w-]+)", self.fairlane(verb, "--help").stdout, re.M))
            self.assertEqual(self.complete(verb, "--"), known, verb)
        self.assertEqual(self.complete("--"), {"--help", "--version"})
        self.assertEqual(self.complete("-q", "run", "-o", "x", "--jobs-"), {"--jobs-csv"})

    def test_files_and_folders(self):
        for name in ("a.json", "a.csv", "b c.json"):
            self.scenario(name)
        os.mkdir(self.path("dir"))
        self.assertEqual(self.complete("run", ""), {"a.json", "b c.json", "dir"})
        self.assertEqual(self.complete("run", "-q", "a.json", "b"), {"b c.json"})
        self.assertEqual(self.complete("run", "--out", ""), {"dir"})
        self.assertEqual(self.complete("run", "--out", "=", ""), {"dir"})
        self.assertEqual(self.complete("run", "--set-file", "a"), {"a.json", "a.csv"})

    def test_words(self):
        self.assertEqual(self.complete("new", "--template", ""), {"article", "noisy", "trace", "batch"})
        self.assertEqual(self.complete("new", "-t", "no"), {"noisy"})
        self.assertEqual(self.complete("plot", "--format", "=", "p"), {"png", "pdf"})
        self.assertEqual(self.complete("plot", "--format", "="), {"svg", "png", "pdf"})
        self.assertIn("haiku-4.5-tier-1", self.complete("presets", "hai"))

    def test_paths_of_set(self):
        self.assertIn("scheduler.tenants.quantum=", self.complete("run", "--set", "scheduler.tenants."))
        self.assertIn("tenants.0.plan=", self.complete("run", "-s", "tenants.0."))
        policies = {"drr", "fifo", "round_robin", "vtc", "article"}
        self.assertEqual(self.complete("run", "--set", "scheduler.tenants.policy", "=", ""), policies)
        self.assertEqual(self.complete("run", "--set", "=", "scheduler.tenants.policy", "=", "f"), {"fifo"})
        self.assertEqual(self.complete("run", "--set", "scheduler.demotion.enabled", "="), {"true", "false"})
        # and behind a finished one come operands again
        self.scenario("a.json")
        self.assertEqual(self.complete("run", "--set", "workers", "=", "4", "a"), {"a.json"})

    def test_every_path_is_known_to_the_program(self):
        self.scenario("a.json")
        for path in self.complete("run", "--set", ""):
            done = self.fairlane("validate", "-q", "a.json", "--set", path + "[[]]", expect=2)
            self.assertNotIn("unknown key", done.stderr, path)

    def test_figures(self):
        self.assertIn("critical.latency.p99", self.complete("compare", "--metrics", "critical.latency."))
        self.assertIn("jain.service,critical.wait.p50", self.complete("compare", "-m", "jain.service,critical.wait."))


class Zsh(Case):
    def setUp(self):
        super().setUp()
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")

    def test_is_zsh(self):
        done = subprocess.run(["zsh", "-n", ZSH], capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_is_found_and_loaded(self):
        """compinit takes the function up, and calling it outside of a completion fails only for that reason."""
        script = 'fpath=("$1" $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[fairlane]; _fairlane'
        done = subprocess.run(["zsh", "-f", "-c", script, "zsh", os.path.dirname(ZSH)], cwd=self.here,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.stdout, "_fairlane\n")
        for line in done.stderr.splitlines():
            self.assertIn("can only be called from completion function", line)


class Man(unittest.TestCase):
    def pages(self):
        return [os.path.join(MAN, name) for name in sorted(os.listdir(MAN))]

    def check(self, *command):
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return done.stdout

    def test_one_page_a_verb(self):
        self.assertGreater(len(self.pages()), 8)
        with open(os.path.join(MAN, "fairlane.1"), encoding="utf-8") as page:
            named = set(re.findall(r"^\.BR fairlane\\-(\w+) \(1\)", page.read(), re.M))
        self.assertEqual({os.path.basename(page) for page in self.pages()},
                         {"fairlane.1"} | {f"fairlane-{verb}.1" for verb in named})

    def test_man_renders_without_warnings(self):
        if not shutil.which("man"):
            self.skipTest("man is not installed")
        for page in self.pages():
            text = re.sub(".\b", "", self.check("man", "--warnings", "-P", "cat", "-l", page))
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"):
                self.assertIn(f"\n{section}\n", text, page)
            self.assertLessEqual(max(len(line) for line in text.splitlines()), 80, page)

    def test_mandoc_has_nothing_to_say(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        for page in self.pages():
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True,
                                  timeout=60, check=False)
            # A date would have to be that of the build, and builds of one source shall not differ.
            said = [line for line in done.stdout.splitlines() if "missing date" not in line]
            self.assertEqual(said, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
