#!/usr/bin/python3
"""Check that a static archive calls nothing but an allow-list and keeps no state of its own.

usage: symbols.py NM ARCHIVE

The scheduler has no clock, no randomness, no I/O, no allocator and no global state; it reaches the world through its
ports. Whatever it may call is named here; anything else that `nm` reports as undefined is an error. So is any object in
.data, .bss, common or thread-local storage. Exit 0: clean; 1: not.
"""

import subprocess
import sys

ALLOWED = {
    # assertions stay in release builds
    "__assert_fail",
    # what compilers emit for copies and comparisons of structs
    "memcpy", "memmove", "memset", "memcmp",
    # arithmetic
    "ceil", "exp", "fabs", "floor", "fmax", "fmin", "fmod", "llround", "log", "nearbyint", "pow", "rint", "round",
    "trunc",
    # text into a caller's buffer (report.c)
    "snprintf", "__snprintf_chk",
    # 128-bit and 64-bit arithmetic of the compiler's own run-time library
    "__divti3", "__modti3", "__udivti3", "__umodti3", "__floattidf", "__floatuntidf", "__fixdfti",
    # linker and hardening
    "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail",
}

# nm's letters for what can be written to: data, bss, common, small data; .data.rel.ro is told apart below.
WRITABLE = set("dDbBCcsSgG")


def symbols(nm, archive):
    """Yield (member, name, letter, section) of each symbol of the archive."""
    text = subprocess.run([nm, "--format=sysv", archive], check=True, capture_output=True, text=True).stdout
    member = "?"
    for line in text.splitlines():
        if "[" in line and line.rstrip().endswith("]:"):
            member = line[line.index("[") + 1 : line.rindex("]")]
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 7 and fields[0] != "Name":
            yield member, fields[0], fields[2], fields[6]


def faults(found):
    defined = {name for _, name, letter, _ in found if letter not in "Uuw"}
    for member, name, letter, section in found:
        if letter in "Uw" and name not in defined and name not in ALLOWED:
            yield f"{member}: calls {name}, which is not on the allow-list of {sys.argv[0]}"
        if letter in WRITABLE and not section.startswith(".data.rel.ro"):
            yield f"{member}: keeps state: {name} in {section}"
        if section.startswith((".tbss", ".tdata")):
            yield f"{member}: keeps thread-local state: {name}"


def main():
    nm, archive = sys.argv[1:3]
    found = list(symbols(nm, archive))
    if not found:
        print(f"{archive}: no symbols at all; is it a slim LTO archive?")
        return 1
    errors = list(faults(found))
    print("\n".join(errors) if errors else f"{len(found)} symbols, none out of place")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
