#!/usr/bin/python3
"""Check that no source file is longer than a sitting: 600 lines.

usage: lengths.py ROOT [--self-test]
"""

import sys

import tree

LINES_MAX = 600


def check(root):
    errors = []
    for path in tree.files(root):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > LINES_MAX:
            errors.append(f"{path.relative_to(root)}: {lines} lines, more than {LINES_MAX}")
    return errors


if __name__ == "__main__":
    sys.exit(tree.main(check, {"sim/long.c": "\n" * (LINES_MAX + 1), "dev": "\n" * (LINES_MAX + 1)}))
