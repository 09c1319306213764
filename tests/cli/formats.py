#!/usr/bin/env python3
"""What the program prints, to pipes and to terminals. Usage: formats.py SOURCE BUILD

The same question is asked again and again: it is paid once, and the stored answer must be the same
numbers in every format, read here by Python's own readers.
"""
import csv
import fcntl
import io
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata
import unittest

from demo_shop import make_shop

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory()
QUESTION = ("SELECT city, count(*) AS customers, avg(age) AS age, count(*) / 7.0 AS per_day "
            "FROM customer GROUP BY city")
ESCAPE = re.compile(r"\x1b\[\d*m")


def arguments(sql, output_format):
    return [BUILD / "dpsql", "shop.duckdb", "--policy", "shop.toml", "--format", output_format,
            "-c", sql]


def piped(sql, output_format):
    return subprocess.run(arguments(sql, output_format), cwd=FOLDER.name, capture_output=True,
                          text=True, timeout=60)


def shown(sql, columns, **environment):
    """What a terminal of so many columns is sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    variables = {**os.environ, "TERM": "xterm", **environment}
    if "NO_COLOR" not in environment:
        variables.pop("NO_COLOR", None)
    program = subprocess.Popen(arguments(sql, "box"), cwd=FOLDER.name, stdout=theirs,
                               stderr=theirs, env=variables)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
    os.close(ours)
    program.wait(timeout=60)
    return text.decode().replace("\r\n", "\n")


def width(line):
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in ESCAPE.sub("", line))


class Formats(unittest.TestCase):
    def test_csv_json_and_jsonl_hold_the_same_numbers(self):
        whole = json.loads(piped(QUESTION, "json").stdout)
        table = piped(QUESTION, "csv")
        rows = list(csv.DictReader(io.StringIO(table.stdout)))
        objects = [json.loads(line) for line in piped(QUESTION, "jsonl").stdout.splitlines()]
        names = [column["name"] for column in whole["columns"]]
        self.assertEqual(names, ["city", "customers", "age", "per_day"])
        self.assertEqual(len(rows), len(whole["rows"]))
        self.assertEqual(len(objects), len(whole["rows"]))
        self.assertGreater(len(rows), 3)
        for values, ends, row, item in zip(whole["rows"], whole["intervals"], rows, objects):
            self.assertEqual(row["city"], values[0])
            self.assertEqual(item["city"], values[0])
            for name, value, interval in list(zip(names, values, ends))[1:]:
                self.assertEqual(float(row[name]), float(value))
                self.assertEqual([float(row[name + "_low"]), float(row[name + "_high"])], interval)
                self.assertEqual(item[name], value)
                self.assertEqual([item[name + "_low"], item[name + "_high"]], interval)

    def test_the_price_of_rows_goes_to_stderr(self):
        for output_format in ("csv", "jsonl"):
            done = piped(QUESTION, output_format)
            self.assertNotIn("nothing spent", done.stdout)
            self.assertRegex(done.stderr, r"(?m)^note: groups .* are withheld$")
            self.assertRegex(done.stderr, r"nothing spent; left ε .*, about \d+ more quer")
        self.assertEqual(piped(QUESTION, "json").stderr, "")

    def test_markdown_is_a_table(self):
        lines = piped(QUESTION, "markdown").stdout.splitlines()
        self.assertEqual(lines[0], "| city | customers | age | per_day |")
        self.assertEqual(lines[1], "|---|---:|---:|---:|")
        self.assertRegex(lines[2], r"^\| \w+ \| \d+ ± \d+ \| [\d.]+ ± [\d.]+ \| ")

    def test_a_refusal_is_an_object_for_programs(self):
        for output_format in ("json", "jsonl"):
            done = piped("SELECT nothing FROM nowhere", output_format)
            self.assertEqual(done.returncode, 1)
            self.assertIn("code", json.loads(done.stdout)["error"])
        self.assertEqual(piped("SELECT nothing FROM nowhere", "csv").stdout, "")

    def test_an_unknown_format_is_a_usage_error(self):
        self.assertEqual(piped(QUESTION, "xml").returncode, 2)

    def test_a_terminal_gets_what_it_has_room_for(self):
        everything = piped(QUESTION, "box").stdout
        self.assertNotRegex(everything, ESCAPE)
        self.assertNotIn("…", everything)
        for columns in (30, 40, 80, 200):
            text = shown(QUESTION, columns)
            for line in text.splitlines():
                self.assertLessEqual(width(line), columns, line)
        self.assertEqual(ESCAPE.sub("", shown(QUESTION, 200)), everything)
        self.assertIn("columns shown", shown(QUESTION, 40))

    def test_color_is_for_terminals_that_want_it(self):
        self.assertRegex(shown(QUESTION, 80), ESCAPE)
        self.assertRegex(shown(QUESTION, 80, NO_COLOR=""), ESCAPE)
        self.assertNotRegex(shown(QUESTION, 80, NO_COLOR="1"), ESCAPE)
        self.assertNotRegex(shown(QUESTION, 80, TERM="dumb"), ESCAPE)


def main():
    make_shop(SOURCE, BUILD, pathlib.Path(FOLDER.name))
    piped(QUESTION, "box")  # pays
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
