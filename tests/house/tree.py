"""The files of the source tree that the house tests look at, and their common command line."""

import pathlib
import sys
import tempfile

FOLDERS = ("sched", "models", "sim", "live", "tests", "plots", ".ci")
SUFFIXES = (".c", ".h", ".py", ".sh", ".gp")
NAMES = ("meson.build", "meson_options.txt", "dev", "run")


def files(root, suffixes=SUFFIXES, names=NAMES):
    """Sources below @p root, sorted; build folders and results are never among them."""
    found = [path for path in root.iterdir() if path.is_file()]
    for folder in FOLDERS:
        found += (root / folder).rglob("*") if (root / folder).is_dir() else []
    return sorted(p for p in found if p.is_file() and (p.suffix in suffixes or p.name in names))


def main(check, plants):
    """Run @p check(root) -> list of faults on argv[1]; with --self-test, on a tree made of @p plants (path -> text),
    every one of which must be reported."""
    if "--self-test" not in sys.argv:
        errors = check(pathlib.Path(sys.argv[1]).resolve())
        print("\n".join(errors) if errors else "clean")
        return 1 if errors else 0
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in plants.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        errors = check(root)
        missed = [name for name in plants if not any(error.startswith(name) for error in errors)]
        print("\n".join(errors))
        print("missed: " + ", ".join(missed) if missed else "every planted fault was found")
        return 1 if missed else 0
