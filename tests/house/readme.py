#!/usr/bin/python3
"""Check that README.md tells the truth: its example scenario is valid, and the files and verbs it names exist.

usage: readme.py ROOT FAIRLANE
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def example(text):
    """The indented JSON block."""
    begin = text.index('    { "version"')
    return text[begin : text.index("\n\n", begin)]


def faults(root, program):
    text = (root / "README.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "example.json"
        path.write_text(example(text), encoding="utf-8")
        run = subprocess.run([program, "validate", str(path)], capture_output=True, text=True)
        if run.returncode != 0:
            yield f"the example scenario: {run.stderr.strip()}"
    known = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    for verb in set(re.findall(r"(?:^ {4}|`)fairlane ([a-z]+)", text, re.MULTILINE)):
        if not re.search(rf"^  {verb}\b", known, re.MULTILINE):
            yield f"fairlane {verb}: there is no such verb"
    for name in set(re.findall(r"(?:scenarios|docs|tests)/[\w/.-]*[\w/]|[A-Z]+\.md", text)):
        if not (root / name).exists():
            yield f"{name} does not exist"


def main():
    errors = list(faults(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]))
    print("\n".join(errors) if errors else "true")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
