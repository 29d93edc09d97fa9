#!/usr/bin/python3
"""Check the direction of #include between folders: sched <- models <- sim, live <- tests.

usage: includes.py ROOT [--self-test]
"""

import os
import re
import sys

import tree

MAY_INCLUDE = {
    "sched": {"sched"},
    "models": {"models", "sched"},
    "sim": {"sim", "models", "sched"},
    "live": {"live", "models", "sched"},
    "tests": {"tests", "live", "sim", "models", "sched"},
}

# No clock, no I/O, no allocator: the scheduler needs no more of the C library than this.
SCHED_SYSTEM = {"assert.h", "float.h", "inttypes.h", "limits.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"}
# snprintf into a caller's buffer; symbols.py sees to it that nothing else of it is called.
SCHED_TEXT = {"report.c": {"stdio.h"}}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def fault(root, path, quote, target):
    folder = path.relative_to(root).parts[0]
    if quote == "<":
        bad = folder == "sched" and target not in SCHED_SYSTEM | SCHED_TEXT.get(path.name, set())
        return f"<{target}> is not for sched/" if bad else None
    # Beside the includer, else from the root, as the compiler would look.
    for base in (path.parent, root):
        resolved = (base / os.path.normpath(target)).resolve()
        if resolved.is_file() and root in resolved.parents:
            other = resolved.relative_to(root).parts[0]
            return None if other in MAY_INCLUDE[folder] else f"{folder}/ must not include {other}/ ({target})"
    return f'"{target}" is no file of this tree'


def check(root):
    errors = []
    for path in tree.files(root, suffixes=(".c", ".h"), names=()):
        if path.relative_to(root).parts[0] not in MAY_INCLUDE:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            error = match and fault(root, path, *match.groups())
            if error:
                errors.append(f"{path.relative_to(root)}:{number}: {error}")
    return errors


PLANTS = {
    "sched/up.c": '#include "../models/world.h"\n',
    "sched/clock.c": "#include <time.h>\n",
    "models/world.h": '#include "../sim/run.h"\n',
    "sim/run.h": '#include "../tests/help.h"\n',
    "tests/help.h": '#include "missing.h"\n',
}

if __name__ == "__main__":
    sys.exit(tree.main(check, PLANTS))
