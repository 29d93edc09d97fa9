#!/usr/bin/python3
"""docs/article.md is what `fairlane claims` says today: the same words and verdicts, and numbers that agree.

Numbers may differ by what a processor's mathematics library does to a long run; a change that moves more than that moves
the page, and somebody has to read its sentences again: ./dev claims --markdown docs/article.md
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "article.md"
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
RELATIVE = 0.15  # the tolerance of the verdicts themselves


def numbers(line):
    return [float(number.replace(",", "")) for number in NUMBER.findall(line)]


def agree(one, other):
    return len(one) == len(other) and all(abs(a - b) <= RELATIVE * max(abs(a), abs(b)) for a, b in zip(one, other))


class Article(unittest.TestCase):
    def test_the_page_is_true(self):
        with tempfile.TemporaryDirectory(prefix="fairlane-article-") as folder:
            page = os.path.join(folder, "article.md")
            subprocess.run([os.environ["FAIRLANE_BINARY"], "claims", "--quiet", "--markdown", page, "--out",
                            os.path.join(folder, "results")], cwd=ROOT, check=True, timeout=280)
            found = pathlib.Path(page).read_text(encoding="utf-8").splitlines()
            pictures = {name.name for name in pathlib.Path(folder, "pictures", "article").iterdir()}
        expected = PAGE.read_text(encoding="utf-8").splitlines()
        self.assertEqual([NUMBER.sub("#", line) for line in found], [NUMBER.sub("#", line) for line in expected])
        for line, other in zip(found, expected):
            self.assertTrue(agree(numbers(line), numbers(other)), f"{other}\nis now\n{line}")
        shown = set(re.findall(r"\(pictures/article/([^)]+)\)", "\n".join(expected)))
        self.assertEqual(shown, pictures)
        self.assertEqual(shown, {name.name for name in (PAGE.parent / "pictures" / "article").iterdir()})


if __name__ == "__main__":
    unittest.main()
