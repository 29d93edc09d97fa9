#!/usr/bin/python3
"""Reports: what stands in the page, and how headless Chromium shows it, light and dark, wide and as on a phone.

Skips what needs gnuplot or Chromium where there is none."""

import html
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from support import BINARY, CLAIMS, SCENARIO, STUDIES, Case

HOSTILE = """</title><script>document.title='owned'</script><img src=x onerror="document.title='owned'"> & 'quoted' "twice" {/Bold x}"""
STUDY = {"version": 1, "name": "knobs", "scenario": "small.json", "repeat": 3,
         "vary": {"workers": [2, 4, 8], "scheduler.tenants.policy": ["drr", "fifo"]},
         "objectives": ["critical.latency.p99", "jain.service"], "slo": ["critical.latency.p99 <= 60"]}
# One worker is too few.
TUNE = {"version": 1, "name": "better", "scenario": "one.json", "design": "sobol", "points": 16,
        "vary": {"workers": [1, 2, 3, 4], "scheduler.tenants.quantum": {"from": 1, "to": 10}},
        "slo": ["critical.latency.p99 <= 3"]}
CHROMIUM = shutil.which("chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
         "--enable-logging=stderr", "--virtual-time-budget=4000"]

# Runs inside a copy of the page and tells its frame's parent what it found.
PROBE = """<script>
var faults = [];
window.addEventListener('error', function (event) { faults.push('error: ' + event.message); });
window.addEventListener('load', function () {
  function visible(e) { return e.getClientRects().length > 0; }
  function all(s) { return Array.prototype.slice.call(document.querySelectorAll(s)); }
  function luminance(colour) {
    var parts = colour.match(/[0-9.]+/g).slice(0, 3).map(function (v) {
      v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  }
  function contrast(a, b) { var l = [luminance(a), luminance(b)].sort(); return (Math.max(l[0], l[1]) + 0.05) / (Math.min(l[0], l[1]) + 0.05); }
  var width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) { faults.push('the page is ' + document.documentElement.scrollWidth + ' wide in ' + width); }
  all('body *').forEach(function (e) {
    if (visible(e) && !e.closest('.scroll, pre, svg, .skip') && e.getBoundingClientRect().right > width + 1) { faults.push('overflows: ' + e.outerHTML.slice(0, 80)); }
  });
  ['header', 'nav[aria-label]', 'main', 'footer', 'h1'].forEach(function (s) { if (all(s).length !== 1) { faults.push('not one ' + s); } });
  all('section').forEach(function (e) { if (!document.getElementById(e.getAttribute('aria-labelledby'))) { faults.push('section without label'); } });
  all('nav a').forEach(function (e) { if (!document.getElementById(e.getAttribute('href').slice(1))) { faults.push('dead link ' + e.href); } });
  var pictures = all('svg').filter(visible);
  pictures.forEach(function (e) {
    var label = e.getAttribute('aria-labelledby').split(' ').map(function (id) { return (document.getElementById(id) || {}).textContent || ''; });
    if (e.getAttribute('role') !== 'img' || label[0].length < 5 || label[1].length < 30) { faults.push('picture without text: ' + label); }
    if (e.getBoundingClientRect().height < 80) { faults.push('flat picture'); }
  });
  all('figure').forEach(function (e) { if (!e.querySelector('figcaption')) { faults.push('figure without caption'); } });
  all('img:not([alt])').forEach(function () { faults.push('image without text'); });
  var ids = all('[id]').map(function (e) { return e.id; });
  ids.forEach(function (id, at) { if (ids.indexOf(id) !== at) { faults.push('two of id ' + id); } });
  var paper = getComputedStyle(document.body).backgroundColor;
  all('p, td, th, figcaption, dt, dd, li, svg text').filter(visible).forEach(function (e) {
    var style = getComputedStyle(e), back = (e.closest('.verdict') ? getComputedStyle(e.closest('.verdict')).backgroundColor : paper);
    var inside = e.closest('svg') ? style.fill : style.color;
    // Numbers on the fields of a heat map stand on colours of their own.
    if (e.closest('svg') && /heatmap/.test(e.closest('svg').getAttribute('aria-labelledby'))) { return; }
    if (contrast(inside, back) < 4.5) { faults.push('pale: ' + e.textContent.slice(0, 40) + ' ' + inside + ' on ' + back); }
  });
  // Pictures of claims are laid out by the pixel: no text is cut, and none lies on another.
  pictures.filter(function (e) { return /claim/.test(e.getAttribute('aria-labelledby')); }).forEach(function (e) {
    var frame = e.getBoundingClientRect(), boxes = [];
    e.querySelectorAll('text').forEach(function (t) {
      var box = t.getBoundingClientRect();
      if (!t.textContent.trim() || !box.width) { return; }
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) { faults.push('cut: ' + t.textContent); }
      boxes.forEach(function (other) {
        if (Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 1 &&
            Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 4) { faults.push('overlap: ' + t.textContent + ' / ' + other.text); }
      });
      boxes.push({ box: box, text: t.textContent });
    });
  });
  parent.postMessage({ faults: faults.slice(0, 20), pictures: pictures.length, paper: paper, title: document.title,
    sortable: all('th button').length, copy: all('button.copy').length, text: document.body.innerText.length }, '*');
});
</script>"""
WRAPPER = """<!doctype html><body><pre id=found></pre><script>
var found = {};
window.addEventListener('message', function (event) {
  var frames = document.querySelectorAll('iframe');
  for (var i = 0; i < frames.length; i++) { if (frames[i].contentWindow === event.source) { found[frames[i].title] = event.data; } }
  document.getElementById('found').textContent = JSON.stringify(found);
});
</script>%s</body>"""
# Clicks a head twice and says what order the first column is in; then the copy button.
SORT = """<script>window.addEventListener('load', function () {
  var table = document.querySelector('table.sortable'), heads = table.tHead.rows[0].cells;
  function column(at) { return Array.prototype.map.call(table.tBodies[0].rows, function (row) { return row.cells[at].getAttribute('data-v'); }); }
  var at = Array.prototype.findIndex.call(heads, function (h) { return /p99/.test(h.textContent); }), orders = [];
  for (var i = 0; i < 2; i++) { heads[at].querySelector('button').click(); orders.push(column(at)); }
  parent.postMessage({ orders: orders, sort: heads[at].getAttribute('aria-sort') }, '*');
});</script>"""


def opened(page, script):
    """The page with a script of ours, which its policy would not let run."""
    assert "script-src 'sha256-" in page
    return re.sub(r"script-src 'sha256-[^']*'", "script-src 'unsafe-inline'", page).replace("<head>", "<head>" + script, 1)


def pixels(path):
    """Width, height and the bytes of the pixels of a PNG, filters and all: enough to tell a picture from a blank."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return (*struct.unpack(">II", data[16:24]), zlib.decompress(packed))


class Browser:
    def __init__(self, folder):
        self.folder = folder

    def run(self, page, *flags):
        path = os.path.join(self.folder, "page.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
        with tempfile.TemporaryDirectory() as profile:
            done = subprocess.run([CHROMIUM, *FLAGS, f"--user-data-dir={profile}", *flags, "file://" + path],
                                  capture_output=True, text=True, timeout=120, check=True)
        return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]

    def frames(self, pages, *flags):
        """Show pages = {title: (html, width)} in frames; what each told its parent, and the console's lines."""
        frames = ""
        for number, (title, (page, width)) in enumerate(pages.items()):
            with open(os.path.join(self.folder, f"frame-{number}.html"), "w", encoding="utf-8") as file:
                file.write(page)
            frames += f'<iframe title="{title}" src="frame-{number}.html" width={width} height=2000></iframe>'
        dom, console = self.run(WRAPPER % frames, "--dump-dom", *flags)
        return json.loads(html.unescape(re.search(r"<pre id=\"found\">(.*?)</pre>", dom, re.S).group(1)) or "{}"), console


class Made:
    """One report of each kind, made once."""

    home = None
    pages = {}

    @classmethod
    def make(cls, home):
        cls.home = home
        for file, name, changes in (("small.json", "small", {"about": HOSTILE, "slo": ["critical.latency.p99 <= 60"]}),
                                    ("tight.json", "tight", {"workers": 1, "endpoint": {"limits": {"rpm": 50}},
                                                             "slo": ["critical.latency.p99 <= 0.5"]}),
                                    ("one.json", "one", {"workers": 1, "duration_s": 150, "warmup_s": 15})):
            with open(os.path.join(cls.home, file), "w", encoding="utf-8") as out:
                json.dump({**SCENARIO, "name": name, **changes}, out)
        for file, study in (("study.json", STUDY), ("tune.json", TUNE)):
            with open(os.path.join(cls.home, file), "w", encoding="utf-8") as out:
                json.dump(study, out)
        for words in (["run", "-q", "small.json", "--out", "run"], ["run", "-q", "tight.json", "--out", "tight"],
                      ["sweep", "-q", "study.json", "--out", "study"],
                      ["compare", "-q", "run", "tight", "--fail-on", "critical.latency.p99 > +2%", "--out", "compare"],
                      ["tune", "-q", "tune.json", "--out", "tune"]):
            subprocess.run([BINARY, *words], cwd=cls.home, check=False, capture_output=True)
        cls.claim()
        for kind in ("run", "tight", "study", "compare", "tune", "claims"):
            done = subprocess.run([BINARY, "report", kind], cwd=cls.home, check=True, capture_output=True, text=True)
            assert done.stderr == "" and done.stdout == f"{kind}/report.html\n", done
            with open(os.path.join(cls.home, kind, "report.html"), encoding="utf-8") as file:
                cls.pages[kind] = file.read()

    @classmethod
    def claim(cls):
        """Claims, with a label that is only text and fills several lines."""
        claims = json.loads(json.dumps(CLAIMS))
        claims["base"] = "base.json"
        claims["claims"][0]["measures"][0]["label"] = HOSTILE
        claims["claims"][1]["says"] = HOSTILE
        base = {**SCENARIO, "workers": 3}
        for file, content in {**STUDIES, "small.json": SCENARIO, "base.json": base, "said.json": claims}.items():
            with open(os.path.join(cls.home, file), "w", encoding="utf-8") as out:
                json.dump(content, out)
        subprocess.run([BINARY, "claims", "-q", "said.json", "--out", "claims"], cwd=cls.home, check=True)


class Reports(Case):
    pages = Made.pages

    def setUp(self):
        super().setUp()
        self.home = Made.home

    def says(self, page, *words):
        """Whole pages would drown what a failure has to say."""
        for each in words:
            self.assertTrue(each in page, f"not there: {each}")

    def test_nothing_is_loaded(self):
        for kind, page in self.pages.items():
            bare = re.sub(r"xmlns(:xlink)?=\"[^\"]*\"", "", page)
            self.assertFalse(re.search(r"https?://", bare), kind)
            for target in re.findall(r"<[^>]*?(?:src|href)\s*=\s*[\"']?([^\"'> ]*)", bare):
                self.assertTrue(target.startswith("#"), target)

    def test_verdict_comes_first(self):
        words = {"run": "PASS", "tight": "FAIL", "study": "PASS", "compare": "FAIL", "tune": "RECOMMENDED", "claims": "MIXED"}
        for kind, word in words.items():
            page = self.pages[kind]
            self.says(page, f"<title>{word}: ")
            self.assertTrue(re.search(r"(?s)<main id=main>\s*<section id=verdict [^>]*>\s*<h2[^>]*>Verdict</h2>\s*<p class=\"verdict [a-z]*\"><strong>" + word, page), kind)

    def test_names_are_only_text(self):
        page = self.pages["run"]
        self.says(page, html.escape(HOSTILE).replace("&#x27;", "&#39;"))
        self.assertFalse("<img" in page)
        self.assertEqual(page.count("<script"), 1)

    def test_what_was_run_is_said(self):
        page = self.pages["run"]
        self.says(page, "Warnings", "<dd>17</dd>", "fairlane run manifest.json", "<summary>The scenario as it was resolved")
        self.says(self.pages["study"], "<dd>workers</dd>", "best", "3 of each configuration")

    def test_a_tune_hands_out_its_patch(self):
        with open(os.path.join(self.home, "tune", "recommended.json"), encoding="utf-8") as file:
            self.says(self.pages["tune"], f"<pre class=copyable tabindex=0>{html.escape(file.read())}</pre>",
                      "Kim and Nelson", "Recommended patch", "critical.latency.p99 &lt;= 3")

    def test_every_claim_has_its_section(self):
        page = self.pages["claims"]
        self.says(page, "2 claims: 0 reproduced, 1 in direction only, 1 not reproduced", '<a href="#claim-hands">1. hands</a>',
                  "What else was tried", "Jobs wait for workers.", "less than 1", "90,000 s &rarr; at most 60 s",
                  "Where its scenario departs from the base: 1 key", "standard.latency.p99",
                  'On the base, but for the knob that the claim names: <span class="word pass">REPRODUCED</span>', "throttles.total; on the base")
        self.assertEqual(len(re.findall('<section id="claim-', page)), 2)
        self.assertEqual(page.count("<script"), 1)
        self.assertTrue(html.escape(HOSTILE).replace("&#x27;", "&#39;") in page)

    def test_same_bytes_again(self):
        subprocess.run([BINARY, "report", "-q", "run", "--out", "again.html"], cwd=self.home, check=True)
        with open(os.path.join(self.home, "again.html"), encoding="utf-8") as file:
            self.assertTrue(file.read() == self.pages["run"])

    def test_without_gnuplot_the_rest_stands(self):
        done = subprocess.run([BINARY, "report", "run", "--out", "bare.html"], cwd=self.home, check=True, text=True,
                              capture_output=True, env={**os.environ, "PATH": self.home})
        self.assertRegex(done.stderr, r"\Afairlane: the report has no pictures: [^\n]*gnuplot-nox[^\n]*\n\Z")
        with open(os.path.join(self.home, "bare.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertFalse("<svg" in page)
        self.says(page, "There are no pictures in this report", "critical.latency.p99 &lt;= 60")


@unittest.skipUnless(CHROMIUM, "there is no chromium")
class Shown(Case):
    pages = Made.pages

    def setUp(self):
        super().setUp()
        self.browser = Browser(self.here)

    def frames(self, pages, *flags):
        found, console = self.browser.frames(pages, *flags)
        self.assertEqual(console, [])
        self.assertEqual(sorted(found), sorted(pages))
        return found

    def test_layout_landmarks_and_contrast(self):
        pictures = {"run": 5, "tight": 5, "study": 4, "compare": 1, "tune": 3, "claims": 3}
        pages = {f"{kind} {width}": (opened(page, PROBE), width) for kind, page in self.pages.items() for width in (1200, 390)}
        papers = {}
        for theme, flags in (("light", []), ("dark", ["--blink-settings=preferredColorScheme=0"])):
            for title, found in self.frames(pages, *flags).items():
                self.assertEqual(found["faults"], [], f"{title} {theme}")
                self.assertEqual(found["pictures"], pictures[title.split()[0]], title)
                self.assertNotEqual(found["title"], "owned")
                papers[theme] = found["paper"]
        self.assertEqual(papers, {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"})

    def test_the_page_as_it_is(self):
        """Its own script passes its own policy; nothing is said on the console; it is no blank."""
        for kind, page in self.pages.items():
            dom, console = self.browser.run(page, "--dump-dom")
            self.assertEqual(console, [])
            self.assertEqual('<button type="button">' in dom, kind != "claims", "claims have no table to sort")
            self.assertEqual('class="copy"' in dom, kind in ("run", "tight", "tune"))

    def test_screenshots_at_two_widths(self):
        frame = '<!doctype html><style>body{margin:0}</style><iframe src="frame.html" width=390 height=1600 style="border:0"></iframe>'
        with open(self.path("frame.html"), "w", encoding="utf-8") as file:
            file.write(self.pages["run"])
        for page, width in ((self.pages["run"], 1200), (frame, 500)):
            self.browser.run(page, f"--window-size={width},1600", f"--screenshot={self.path('shot.png')}")
            got, height, data = pixels(self.path("shot.png"))
            self.assertEqual((got, height), (width, 1600))
            drawn = sum(byte != 0 for byte in data) / len(data)
            self.assertGreater(drawn, 0.01)

    def test_tables_sort(self):
        found = self.frames({"run": (opened(self.pages["run"], "").replace("</body>", SORT + "</body>"), 1200)})["run"]
        up, down = ([float(v) for v in order] for order in found["orders"])
        self.assertEqual(up, sorted(up))
        self.assertEqual(down, sorted(down, reverse=True))
        self.assertEqual(found["sort"], "descending")


if __name__ == "__main__":
    if not shutil.which("gnuplot"):
        print("skipped: there is no gnuplot")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="fairlane-report-") as place:
        Made.make(place)
        unittest.main()
