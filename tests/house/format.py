#!/usr/bin/python3
"""Check that clang-format would change nothing. Other versions format differently, so only version 14 judges.

usage: format.py ROOT [--self-test]

Exit 77 (skipped) where clang-format 14 is absent.
"""

import pathlib
import re
import shutil
import subprocess
import sys

import tree

VERSION = "version 14."
STYLE = pathlib.Path(__file__).resolve().parents[2] / ".clang-format"


def program():
    for name in ("clang-format-14", "clang-format"):
        path = shutil.which(name)
        if path and VERSION in subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout:
            return path
    return None


def check(root):
    paths = [str(path) for path in tree.files(root, suffixes=(".c", ".h"), names=())]
    run = subprocess.run(
        [program(), f"--style=file:{STYLE}", "--dry-run", *paths], capture_output=True, text=True, check=True
    )
    first = {}
    for path, line in re.findall(r"^(/.*?):(\d+):\d+: \w+: ", run.stderr, re.MULTILINE):
        first.setdefault(str(pathlib.Path(path).relative_to(root)), line)
    return [f"{path}:{line}: run clang-format -i on it" for path, line in first.items()]


if __name__ == "__main__":
    if not program():
        print("clang-format 14 is not installed")
        sys.exit(77)
    sys.exit(tree.main(check, {"sim/ugly.c": "int  main( void ){return 0;}\n"}))
