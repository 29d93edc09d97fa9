#!/usr/bin/python3
"""Check that clang-format would change nothing. Other versions format differently, so only version 14 judges.

usage: format.py ROOT [--self-test]

Exit 77 (skipped) where clang-format 14 is absent.
"""

import pathlib
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
    errors = []
    for path in tree.files(root, suffixes=(".c", ".h"), names=()):
        text = path.read_bytes()
        tidy = subprocess.run([program(), f"--style=file:{STYLE}", str(path)], capture_output=True, check=True).stdout
        if tidy != text:
            pairs = enumerate(zip(text.splitlines() + [b""], tidy.splitlines() + [b""]), 1)
            line = next((number for number, (old, new) in pairs if old != new), 1)
            errors.append(f"{path.relative_to(root)}:{line}: run clang-format -i on it")
    return errors


if __name__ == "__main__":
    if not program():
        print("clang-format 14 is not installed")
        sys.exit(77)
    sys.exit(tree.main(check, {"sim/ugly.c": "int  main( void ){return 0;}\n"}))
