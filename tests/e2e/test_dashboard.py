#!/usr/bin/env python3
"""The daemon's page in a headless Chromium, over made-up work (dashboard_fixture): the rows that it shows, texts that would
be markup, what it says when the daemon has gone; pictures of it, wide and narrow, light and dark, for people to look at.

usage: test_dashboard.py FIXTURE OUTPUT_FOLDER        Exit code 77 without a browser.
"""
import html.parser
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

FIXTURE, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WIDE, PHONE = (1280, 1500), (500, 2400)


class Page(html.parser.HTMLParser):
    """Text by element id and by class; the tags that there are."""

    def __init__(self, text):
        super().__init__()
        self.open, self.by_id, self.by_class, self.tags, self.attributes = [], {}, {}, [], {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        if tag in ("meta", "link", "br", "img", "input"):
            return
        classes = (attrs.get("class") or "").split()
        self.attributes[attrs.get("id")] = attrs
        self.open.append((tag, attrs.get("id"), classes))
        for name in classes:
            self.by_class.setdefault(name, []).append("")

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for _, name, classes in self.open:
            if name:
                self.by_id[name] = self.by_id.get(name, "") + data
            for label in classes:
                self.by_class[label][-1] += data


def browse(url, *options, size=WIDE):
    with tempfile.TemporaryDirectory() as profile:
        result = subprocess.run(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--hide-scrollbars", "--user-data-dir=" + profile,
             "--window-size=%d,%d" % size, "--virtual-time-budget=5000", *options, url],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def fixture(*arguments):
    process = subprocess.Popen([FIXTURE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, "http://127.0.0.1:%s/" % process.stdout.readline().strip()


def colours(path):
    """How many different pixels a PNG of 8 bits a channel has, and its size."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
            assert depth == 8 and colour in (2, 6), (depth, colour)
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    pixel = 3 if colour == 2 else 4
    stride = width * pixel
    raw = zlib.decompress(packed)
    seen, above = set(), bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        row = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + stride]), above, pixel)
        seen.update(zip(*(row[i::pixel] for i in range(3))))
        above = row
    return len(seen), (width, height)


def unfilter(kind, row, above, pixel):
    for i in range(len(row) if kind else 0):
        left = row[i - pixel] if i >= pixel else 0
        corner = above[i - pixel] if i >= pixel else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above[i]
        elif kind == 3:
            guess = (left + above[i]) // 2
        else:
            guess = min((left, above[i], corner), key=lambda v: abs(left + above[i] - corner - v))
        row[i] = (row[i] + guess) & 255
    return row


def check_rows(page):
    expected = ["winpost-1000-00d1c2b3a4958677", "porep-1000-7", "porep-1000-8", "wdpost-1000-0-[17 4 200 9 31 88 2 250]",
                "<script>alert(2)</script>"]
    ids = [text for text in page.by_class["job-id"]]
    assert all(name in ids for name in expected), ids
    assert page.tags.count("article") == 5, "one block a job that lives or has just ended"
    assert "img" not in page.tags and page.tags.count("script") == 1, "texts are not markup"
    assert page.by_id["queue"] == "2", page.by_id["queue"]
    assert page.by_id["completed"] == "1" and page.by_id["failed"] == "1"
    assert page.by_id["memory"] == "22.0 GiB of 96.0 GiB", page.by_id["memory"]
    stages = page.by_class["stage"]
    assert len(stages) == 21, stages
    assert sum(text.startswith("done") for text in stages) == 5, stages
    assert sum(text.startswith("prove") for text in stages) == 1, stages
    assert sum(text == "synthesised" for text in stages) == 1, stages
    assert sum(text == "pending" for text in stages) == 14, stages
    for name, count in (("synthesis", 8), ("prove", 7), ("verify", 6)):  # one of each is the legend's
        assert len(page.by_class[name]) == count, (name, len(page.by_class[name]))
    assert "WinningPoSt" in page.by_id["kinds"] and "porep-32g" in page.by_id["residents"]
    assert "47.0 GiB" in page.by_id["residents"] and "evictable" in page.by_id["residents"]
    assert "porep-1000-7" in page.by_id["workers"]
    assert "<img src=x onerror=alert(1)> & \"partition 3\"" in page.by_id["failures"], page.by_id["failures"]
    assert "hidden" in page.attributes["gone"] and page.by_id["daemon-text"].startswith("127.0.0.1:")


def main():
    if BROWSER is None:
        print("skipped: no Chromium")
        sys.exit(77)
    FOLDER.mkdir(parents=True, exist_ok=True)
    process, url = fixture()
    try:
        check_rows(Page(browse(url, "--dump-dom")))
        for name, size, options in (("wide", WIDE, ()), ("phone", PHONE, ()),
                                    ("dark", WIDE, ("--blink-settings=preferredColorScheme=0",))):
            picture = FOLDER / (name + ".png")
            browse(url, "--screenshot=%s" % picture, *options, size=size)
            n_colours, got = colours(picture)
            assert got == size and n_colours > 50, (name, got, n_colours)
    finally:
        process.stdin.close()
        process.wait(timeout=30)
    assert process.returncode == 0

    process, url = fixture("3")  # the third answer does not come any more
    page = Page(browse(url, "--dump-dom"))
    process.wait(timeout=30)
    assert "hidden" not in page.attributes["gone"], "says that the daemon has gone"
    assert "does not answer" in page.by_id["gone"] and "of then" in page.by_id["gone"], page.by_id["gone"]
    assert "stale" in page.attributes["main"].get("class", "") and "porep-1000-7" in page.by_class["job-id"]
    print("the page is as expected; pictures in", FOLDER)


main()
