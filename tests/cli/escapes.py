"""What analysts write and what tables hold moves no terminal. Usage: escapes.py SOURCE BUILD"""

import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from demo_shop import make_shop
from terminal import Terminal

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
DPSQL = BUILD / "dpsql"
# Red, a title, a line of its own, DEL, a C1 introducer, a turned direction, two line separators.
NASTY = "\x1b[31m\x1b]0;t\x07\r\nprice   epsilon 0\x7f\x9b31m\u202e\u2066\u2028\u2029"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
PRIVATE = f'SELECT count(*) AS "n{NASTY}" FROM customer WHERE city = \'k{NASTY}\''
ABOVE = f'SELECT n + 1 AS "m{NASTY}" FROM ({PRIVATE}) AS "t{NASTY}"(n) WHERE \'{NASTY}\' <> \'b\''
PUBLIC = f'SELECT DISTINCT \'k{NASTY}\' AS "n{NASTY}" FROM city'


def setUpModule():
    global FOLDER, HOUSE
    HOUSE = tempfile.TemporaryDirectory()
    FOLDER = pathlib.Path(HOUSE.name)
    make_shop(SOURCE, BUILD, FOLDER)


def tearDownModule():
    HOUSE.cleanup()


def asked(*extra):
    return [DPSQL, "shop.duckdb", "--policy", "shop.toml", *extra]


def checked(*extra):
    return [DPSQL, "check", "--policy", "shop.toml", "shop.duckdb", *extra]


def piped(words):
    done = subprocess.run(words, cwd=FOLDER, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def on_terminal(words):
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "LANG": "C.UTF-8"}
    with Terminal(words, environment, FOLDER) as terminal:
        code = terminal.finish()
        return code, terminal.seen.replace("\r\n", "\n")


class Escapes(unittest.TestCase):
    def assert_harmless(self, text, what):
        found = CONTROLS.search(text)
        self.assertIsNone(found, f"{what}: {found and text[max(0, found.start() - 30):found.end()]!r}")

    def test_a39_plans_hold_no_controls_and_no_lines_of_others(self):
        for sql in (PRIVATE, ABOVE, PUBLIC):
            for words in (asked("-c", "EXPLAIN (DP) " + sql), asked("--dry-run", "-c", sql),
                          asked("--dry-run", "--format", "csv", "-c", sql),
                          checked("-c", sql)):
                code, shown, told = piped(words)
                self.assertEqual(code, 0, told)
                self.assert_harmless(shown, words)
                self.assertEqual(len(re.findall("(?m)^price ", shown)), 1, shown)
                self.assertEqual(on_terminal(words), (0, shown))

    def test_a39_explain_of_the_shell(self):
        sql = PRIVATE.replace("\r\n", "")  # a command is a line
        code, shown, told = piped(asked("-c", ".explain " + sql))
        self.assertEqual(code, 0, told)
        self.assert_harmless(shown, sql)

    def test_a39_errors(self):
        for sql in (f'SELECT count(*) FROM "c{NASTY}"', f"SELECT count(*) FROM custmer\u202e"):
            code, _, told = piped(asked("-c", sql))
            self.assertEqual(code, 1)
            self.assert_harmless(told, sql)

    def test_a39_sql_for_an_engine_is_whole_in_a_pipe_only(self):
        for dialect in ("duckdb", "postgresql", "sqlite", "spark"):
            words = checked("--dialect", dialect, "-c", PRIVATE.replace(" AS \"n", " AS \"k"))
            code, shown, told = piped(words)
            self.assertEqual(code, 0, told)
            plan, sql = shown.split("\nruns\n")
            self.assert_harmless(plan, words)
            if dialect != "spark":  # which writes some of them as escapes
                self.assertIn(NASTY, sql)
            code, shown = on_terminal(words)
            self.assertEqual(code, 0)
            self.assert_harmless(shown, words)
            self.assertEqual(len(re.findall("(?m)^price ", shown)), 1, shown)

    def test_a39_json_of_a_plan_has_a_statement_an_item(self):
        code, shown, told = piped(asked("--format", "json", "-c", "EXPLAIN (DP) " + PRIVATE))
        self.assertEqual(code, 0, told)
        plan = json.loads(shown)
        for statement in plan["sql"]:
            self.assertTrue(statement.endswith(";"), statement)
        self.assertIn(NASTY, "".join(plan["sql"]))

    def test_a40_csv_is_raw_in_a_pipe_only(self):
        words = asked("--format", "csv", "-c", PUBLIC)
        code, shown, told = piped(words)
        self.assertEqual(code, 0, told)
        names, row = csv.reader(io.StringIO(shown, newline=""))
        self.assertEqual((names, row), ([f"n{NASTY}"], [f"k{NASTY}"]))
        code, shown = on_terminal(words)
        self.assertEqual(code, 0)
        self.assert_harmless(shown, words)
        self.assertIn("k\ufffd[31m", shown)
        self.assertNotIn("\nprice", shown)

    def test_a40_a_file_of_the_prompt_is_raw(self):
        environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "LANG": "C.UTF-8",
                       "XDG_STATE_HOME": str(FOLDER)}
        with Terminal(asked("--format", "csv"), environment, FOLDER) as shell:
            shell.expect("dpsql> ")
            shell.ask(".output out.csv")
            shell.ask("SELECT DISTINCT E'k\\u202e' AS n FROM city;")
            shell.ask(".output")
        self.assertEqual((FOLDER / "out.csv").read_text(), "n\nk\u202e\n")

    def test_a40_the_other_formats_are_harmless_everywhere(self):
        for form in ("json", "jsonl", "markdown", "box"):
            words = asked("--format", form, "-c", PUBLIC)
            code, shown, told = piped(words)
            self.assertEqual(code, 0, told)
            self.assert_harmless(shown, words)
            self.assertEqual(on_terminal(words)[0], 0)
            self.assert_harmless(on_terminal(words)[1], words)
            if form == "json":
                self.assertEqual(json.loads(shown)["rows"], [[f"k{NASTY}"]])
            if form == "jsonl":
                self.assertEqual(json.loads(shown), {f"n{NASTY}": f"k{NASTY}"})

    def test_a40_json_of_a_refusal(self):
        code, shown, _ = piped(asked("--format", "json", "-c", f'SELECT "{NASTY}" FROM city'))
        self.assertEqual(code, 1)
        self.assert_harmless(shown, "refusal")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
