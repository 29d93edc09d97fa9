"""Read OpenMetrics text strictly: what the format demands and Prometheus' own reader lets pass is refused, too."""

import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+) (\d+\.\d{{3}})\Z")
SUFFIXES = {"gauge": [""], "stateset": [""], "info": ["_info"], "counter": ["_total"],
            "histogram": ["_bucket", "_count", "_sum"]}


class Malformed(Exception):
    """Says which line, and what is wrong with it."""


def labels_of(text):
    return tuple(re.findall(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"', text or ""))


class Family:
    """One metric family: its samples by name and labels, each a list of (time, value)."""

    def __init__(self, name, kind):
        self.name, self.kind, self.unit, self.help, self.samples = name, kind, None, None, {}

    def add(self, match, number):
        name, labels, value, time = match.groups()
        if name not in [self.name + suffix for suffix in SUFFIXES[self.kind]]:
            raise Malformed(f"line {number}: {name} does not belong to {self.kind} {self.name}")
        line = self.samples.setdefault((name, labels_of(labels)), [])
        if line and float(time) <= line[-1][0]:
            raise Malformed(f"line {number}: time does not rise")
        if self.kind == "counter" and line and float(value) < line[-1][1]:
            raise Malformed(f"line {number}: a counter falls")
        line.append((float(time), float(value)))

    def check(self):
        if self.unit and not self.name.endswith("_" + self.unit):
            raise Malformed(f"{self.name} does not end in its unit, {self.unit}")
        if self.help is None:
            raise Malformed(f"{self.name} has no help")
        if self.kind == "histogram":
            self.check_buckets()

    def check_buckets(self):
        rising = {}
        for (name, labels), line in self.samples.items():
            if name.endswith("_bucket"):
                key = tuple(label for label in labels if label[0] != "le")
                bound = dict(labels)["le"]
                if bound != "+Inf" and bound != repr(float(bound)):
                    raise Malformed(f"{bound} is not the canonical form of a bound")
                rising.setdefault(key, []).append((float(bound), line))
        for key, buckets in rising.items():
            if [bound for bound, _ in buckets] != sorted(bound for bound, _ in buckets) or buckets[-1][0] != float("inf"):
                raise Malformed(f"{self.name}{key}: buckets do not rise to +Inf")
            for at, (_, value) in enumerate(buckets[-1][1]):
                counts = [line[at][1] for _, line in buckets]
                if counts != sorted(counts) or value != self.samples[(self.name + "_count", key)][at][1]:
                    raise Malformed(f"{self.name}{key}: buckets are not cumulative")


def families_of(text):
    """Families by name, in order. Families that interleave, samples without one and a missing end are refused."""
    families, now = {}, None
    lines = text.split("\n")
    if lines[-2:] != ["# EOF", ""]:
        raise Malformed("the last line is not # EOF")
    for number, line in enumerate(lines[:-2], 1):
        word = re.match(rf"# (TYPE|UNIT|HELP) ({NAME}) (.+)\Z", line)
        match = SAMPLE.match(line)
        if word and word[1] == "TYPE":
            if word[2] in families or word[3] not in SUFFIXES:
                raise Malformed(f"line {number}: {line}: a second time, or no such type")
            now = families[word[2]] = Family(word[2], word[3])
        elif word and now and word[2] == now.name and not now.samples:
            setattr(now, word[1].lower(), word[3])
        elif match and now:
            now.add(match, number)
        else:
            raise Malformed(f"line {number}: {line}")
    for family in families.values():
        family.check()
    return families
