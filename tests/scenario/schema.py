#!/usr/bin/python3
"""Hold the JSON Schema of scenarios against the reader.

    schema.py READS SOURCE SHARED

Every shipped scenario passes the schema. Then one document that uses every key is changed in one place at a time:
whatever the schema refuses the reader must refuse, and what the reader refuses for its structure (a type, a bound, an
unknown, missing or superfluous key) the schema must refuse, too. Faults that only several values together make are the
reader's alone; their messages are listed below.
"""

import copy
import glob
import json
import os
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore", DeprecationWarning)
try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

BEYOND_SCHEMA = [
    "less than duration_s", "more than from_s", "over mean_bad_s", "min <= max", "percentiles that rise",
    "values that do not fall", "sum to 1", "expected a name in", "name of a preset", "at least replications",
    "<= input_tokens", "ids of their own", "at most 4e9 jobs", "replications x tenants", "throttles x tenants",
    "cannot be read", "No such file", "is missing: endpoint.output_charge", "the key \"file\" is missing",
    "the key \"input_tokens\" is missing", "the key \"output_tokens\" is missing", "columns.tenant to be named",
    "a value of the column", "found the clamps leave none", "the key \"rate_per_s\" is missing: expected it here",
    "24 or 168", "one weight over 0", "one rate over 0", "in all, found more", "trace.csv", "is given twice",
    "cannot be drawn", "cannot draw", "both inside the kind and beside it",
]
# Keys that bring in other texts, so that the schema cannot know what the whole will hold.
ELSEWHERE = {"extends", "preset"}
VALUES = ["?", -1, 0, 0.5, 3, 1e300, True, None, [], {}, [1], ["?"], {"zipf": 1}]


def places(value, path=()):
    """Paths of everything in the document, outermost first."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, path + (key,))


def parent_of(document, path):
    for key in path[:-1]:
        document = document[key]
    return document


def schema_keys(schema):
    """All names of keys that the schema knows."""
    if isinstance(schema, dict):
        yield from schema["properties"] if isinstance(schema.get("properties"), dict) else ()
        for inner in schema.values():
            yield from schema_keys(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from schema_keys(inner)


def changes(document):
    """(description, changed document) for a fixed selection of changes."""
    for number, path in enumerate(places(document)):
        if path[0] in ("$schema",):
            continue
        for offset in (0, 4, 8, 11):
            value = VALUES[(number + offset) % len(VALUES)]
            if value is None and str(path[-1]).startswith("p9"):
                continue  # the schema counts percentiles, nulls too
            changed = copy.deepcopy(document)
            parent_of(changed, path)[path[-1]] = value
            yield f"{path} = {value!r}", changed
        changed = copy.deepcopy(document)
        del parent_of(changed, path)[path[-1]]
        yield f"{path} deleted", changed
        inner = copy.deepcopy(document)
        target = parent_of(inner, path)[path[-1]]
        if isinstance(target, dict):
            target["unknown key"] = 1
            yield f"{path} with an unknown key", inner


def verdicts(reads, folder, documents):
    """What the reader says of each document."""
    names = []
    for number, document in enumerate(documents):
        name = os.path.join(folder, f"{number}.json")
        with open(name, "w", encoding="utf-8") as file:
            json.dump(document, file)
        names.append(name)
    output = subprocess.run([reads, *names], capture_output=True, text=True, check=True).stdout
    return output.splitlines()


def main():
    reads, source, shared = sys.argv[1:]
    with open(os.path.join(source, "scenarios/schema/scenario.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    faults = []
    everything = os.path.join(source, "tests/scenario/everything.json")
    shipped = sorted(glob.glob(os.path.join(source, "scenarios/*.json")))
    shipped += sorted(glob.glob(os.path.join(source, "scenarios/library/*.json")))
    shipped += sorted(glob.glob(os.path.join(source, "scenarios/article/*.json")))
    shipped += sorted(glob.glob(os.path.join(shared, "reference/scenarios/*.json")))
    for path in [everything, *shipped]:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        if "vary" in document or "study" in document or "claims" in document:
            continue
        faults += [f"{path}: the schema refuses it: {error.message[:200]}" for error in validator.iter_errors(document)]

    with open(everything, encoding="utf-8") as file:
        document = json.load(file)
    used = {key for path in places(document) for key in path}
    unused = set(schema_keys(schema)) - used - ELSEWHERE
    faults += [f"tests/scenario/everything.json does not use {key}" for key in sorted(unused)]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(source, "tests/scenario/trace.csv"), encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(folder, "trace.csv"), "w", encoding="utf-8") as file:
            file.write(text)
        described = [("nothing changed", document), *changes(document)]
        answers = verdicts(reads, folder, [changed for _, changed in described])
    for (description, changed), answer in zip(described, answers, strict=True):
        good = validator.is_valid(changed)
        if description == "nothing changed" and not (good and answer.startswith("ok")):
            faults.append(f"the whole document: {answer}")
        elif not good and answer.startswith("ok"):
            faults.append(f"{description}: the reader takes it, the schema does not")
        elif good and answer.startswith("no") and not any(words in answer for words in BEYOND_SCHEMA):
            faults.append(f"{description}: the schema takes it, the reader does not: {answer}")
    for fault in faults:
        print(fault)
    print(f"{len(described)} documents, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
