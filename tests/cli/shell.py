"""The prompt of dpsql, through a pseudo terminal. Usage: shell.py SOURCE BUILD"""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

from demo_shop import make_shop
from terminal import Terminal

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
DPSQL = BUILD / "dpsql"
END = "\x04"
INTERRUPT = "\x03"
UP = "\x1b[A"
COUNT = "SELECT count(*) AS n FROM customer;"
# A thousand people, and more sines than a query can have in a short time.
ENDLESS = """
CREATE TABLE visit AS SELECT i % 1000 AS person_id, i / 7 AS x FROM range(8000000) t(i);
CREATE TABLE person (person_id BIGINT PRIMARY KEY);
INSERT INTO person SELECT i FROM range(1000) t(i);
"""
SINES = " OR ".join(f"sin(x + {i}) > 1.5" for i in range(100))
ENDLESS_POLICY = """
[dataset]
name = "visits"
unit = "person"
[budget]
epsilon = 4.0
delta = 1e-6
[query]
epsilon = 0.5
delta = 1e-7
max_groups_per_unit = 3
[tables.person]
unit = "person_id"
[tables.visit]
unit = "person_id"
max_rows_per_unit = 10
"""
SANITIZER_OPTIONS = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")


def make_database(name, sql, policy):
    (FOLDER / f"{name}.sql").write_text(sql)
    subprocess.run([BUILD / "tools/duckdb-load", f"{name}.duckdb", f"{name}.sql"], cwd=FOLDER,
                   check=True, capture_output=True, timeout=60)
    (FOLDER / f"{name}.toml").write_text(policy)


def setUpModule():
    global FOLDER
    FOLDER = pathlib.Path(tempfile.mkdtemp())
    make_shop(SOURCE, BUILD, FOLDER)
    make_database("visits", ENDLESS, ENDLESS_POLICY)
    (FOLDER / "endless.sql").write_text(f"SELECT count(*) FROM visit WHERE {SINES};")


def tearDownModule():
    shutil.rmtree(FOLDER)


class ShellTest(unittest.TestCase):
    def setUp(self):
        self.state = pathlib.Path(tempfile.mkdtemp(dir=FOLDER))
        self.environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color",
                            "LANG": "C.UTF-8", "HOME": str(self.state),
                            "XDG_STATE_HOME": str(self.state)}
        # A build that checks memory is told what to overlook.
        self.environment.update({name: os.environ[name] for name in SANITIZER_OPTIONS
                                 if name in os.environ})

    def words(self, *extra, database="shop"):
        ledger = self.state / "ledger"
        return [DPSQL, f"{database}.duckdb", "--policy", f"{database}.toml",
                "--ledger", ledger, *extra]

    def terminal(self, *extra, database="shop", columns=100):
        return Terminal(self.words(*extra, database=database), self.environment, FOLDER, columns)

    def shell(self, *extra, **how):
        terminal = self.terminal(*extra, **how)
        self.banner = terminal.expect(r"dpsql> ")
        return terminal

    def run_plain(self, *extra, text=None, **how):
        """Without any terminal, as from cron."""
        return subprocess.run(self.words(*extra, **how), input=text, cwd=FOLDER,
                              env=self.environment, capture_output=True, text=True, timeout=60,
                              start_new_session=True, **({} if text is not None
                                                         else {"stdin": subprocess.DEVNULL}))


class Prompt(ShellTest):
    def test_greets_answers_and_leaves(self):
        with self.shell() as shell:
            self.assertIn("dataset shop", self.banner)
            self.assertRegex(self.banner, r"ε [\d.]+ left, about \d+ questions at ε 0.5")
            self.assertRegex(shell.ask(COUNT), r"n .*(?s:.*)± ")
            shell.send(END)
            self.assertEqual(shell.finish(), 0)

    def test_a_statement_ends_with_its_semicolon(self):
        with self.shell() as shell:
            shell.ask("SELECT count(*) AS n", r"   \.\.\.> $")
            shell.ask("FROM customer -- all; of them", r"   \.\.\.> $")
            shell.ask("WHERE city <> 'a;", r"   \.\.\.> $")
            self.assertIn("±", shell.ask("b';"))

    def test_two_statements_on_a_line(self):
        with self.shell() as shell:
            shown = shell.ask("SELECT count(*) AS one FROM customer; "
                              "SELECT count(*) AS two FROM orders;")
            self.assertIn(" one ", shown)
            self.assertIn(" two ", shown)

    def test_goes_on_after_an_error(self):
        with self.shell() as shell:
            self.assertIn("ERROR V301", shell.ask("SELECT count(*) FROM custmer;"))
            self.assertIn("±", shell.ask(COUNT))
            shell.send(END)
            self.assertEqual(shell.finish(), 0)

    def test_carets_stand_under_the_statement_alone(self):
        with self.shell() as shell:
            shell.ask(COUNT)
            self.assertRegex(shell.ask("SELECT nothing FROM customer;"),
                             r"LINE 1: SELECT nothing FROM customer;\n {15}\^{7}\n")

    def test_ctrl_c_drops_what_was_typed(self):
        with self.shell() as shell:
            shell.send("SELECT nonsense")
            shell.expect("nonsense")
            shell.send(INTERRUPT)
            shell.expect(r"\^C\n.*dpsql> ")
            self.assertIn("±", shell.ask(COUNT))

    def test_ctrl_c_drops_the_lines_before_too(self):
        with self.shell() as shell:
            shell.ask("SELECT nonsense", r"   \.\.\.> $")
            shell.send(INTERRUPT)
            shell.expect(r"dpsql> ")
            self.assertIn("±", shell.ask(COUNT))

    def test_colour_only_where_it_is_wanted(self):
        for variables, colored in (({}, True), ({"NO_COLOR": "1"}, False),
                                   ({"TERM": "dumb"}, False)):
            self.environment.update(variables)
            with self.terminal("-c", "SELECT 1 FROM nowhere") as terminal:
                self.assertEqual(terminal.finish(), 1)
                self.assertEqual("\x1b[1;31mERROR V301" in terminal.seen, colored)


class Completing(ShellTest):
    def test_tables_columns_and_settings(self):
        for typed, completed in (("SELECT count(*) FROM cus", "FROM customer "),
                                 ("SELECT seg", "SELECT segment "),
                                 ("SET dp.eps", "SET dp.epsilon "),
                                 (".sch", ".schema "),
                                 ("\\tim", "\\timing ")):
            with self.subTest(typed), self.shell() as shell:
                shell.send(typed + "\t|")
                self.assertIn(completed + "|", shell.expect(r"\|"))

    def test_lists_what_is_possible(self):
        with self.shell() as shell:
            shell.send("SELECT c")
            shell.expect("SELECT c")
            shell.send("\t")
            listed = shell.expect(r"(?s)\n.*SELECT c")
            for word in ("city", "count(", "customer", "customer_id"):
                self.assertIn(word, listed.split())

    def test_hidden_columns_are_not_offered(self):
        with self.shell() as shell:
            shell.ask("SELECT count(*) FROM customer x", r"\.\.\.> $")
            shell.send("WHERE x.na\t|")
            shell.expect("x\\.na\a\\|")


class Commands(ShellTest):
    def test_tables_and_schema(self):
        with self.shell() as shell:
            for command in (".tables", "\\dt", "\\d"):
                shown = shell.ask(command)
                self.assertRegex(shown, r"customer +private +4 +customer, named by customer_id\n")
                self.assertRegex(shown, r"city +public +2\n")
            for command in (".schema customer", "\\d customer;"):
                shown = shell.ask(command)
                self.assertRegex(shown, r"age +INTEGER +yes +0 to 100\n")
                self.assertRegex(shown, r"segment +VARCHAR +no +home, office, school\n")
                self.assertNotIn("name ", shown.split("\n", 3)[3])

    def test_budget_and_explain_cost_nothing(self):
        with self.shell() as shell:
            self.assertIn("shop", shell.ask(".budget"))
            self.assertIn("left", shell.ask(".explain SELECT count(*) FROM customer"))
            self.assertIn("(r-000001)", shell.ask(COUNT))

    def test_what_is_not_there(self):
        with self.shell() as shell:
            self.assertIn("did you mean .tables?", shell.ask(".tabels"))
            self.assertIn("did you mean customer?", shell.ask(".schema custmer"))
            self.assertIn("write one of box csv", shell.ask(".mode html"))
            self.assertIn("cannot be read", shell.ask(".read nowhere.sql"))
            self.assertIn("takes nothing after it", shell.ask(".quit now"))

    def test_mode_timer_and_expanded(self):
        with self.shell() as shell:
            self.assertRegex(shell.ask(".mode csv"), r"dpsql> $")
            self.assertIn("n,n_low,n_high\n", shell.ask(COUNT))
            shell.ask(".mode box")
            shell.ask(".timer on")
            self.assertRegex(shell.ask(COUNT), r"Time: \d+\.\d{3} s\n")
            self.assertIn("timer is off", shell.ask("\\timing"))
            self.assertNotIn("Time:", shell.ask(COUNT))
            self.assertIn("expanded display is on", shell.ask("\\x"))

    def test_read_and_output(self):
        (self.state / "two.sql").write_text(".mode csv\n" + COUNT + "\nSELECT\n  nothing FROM orders;\n")
        with self.shell() as shell:
            shell.ask(f".output {self.state}/out.csv")
            shown = shell.ask(f".read {self.state}/two.sql")
            self.assertRegex(shown, r"two\.sql:4: ERROR V302")
            shell.ask(".output")
            shell.ask(".mode box")
            self.assertIn("±", shell.ask(COUNT))
        self.assertEqual((self.state / "out.csv").read_text().split("\n")[0], "n,n_low,n_high")

    def test_a29_a_file_that_is_read_names_none(self):
        (self.state / "team.sql").write_text(f".output {self.state}/victim.txt\nSELECT 1 AS evil;\n")
        (self.state / "again.sql").write_text(f".read {self.state}/two.sql\n")
        (self.state / "victim.txt").write_text("mine")
        with self.shell() as shell:
            self.assertIn("only what is typed", shell.ask(f".read {self.state}/team.sql"))
            self.assertIn("only what is typed", shell.ask(f".read {self.state}/again.sql"))
            self.assertIn("cannot be read", shell.ask(".read nowhere.sql"))  # the prompt still may
        self.assertEqual((self.state / "victim.txt").read_text(), "mine")

    def test_quit(self):
        for word in (".quit", "\\q"):
            with self.shell() as shell:
                shell.send(word + "\n")
                self.assertEqual(shell.finish(), 0)


class Interrupted(ShellTest):
    def test_a_question_that_runs(self):
        with self.shell(database="visits") as shell:
            shell.send(".read endless.sql\n")
            drawn = shell.expect(r"(counting|summing) 1/1  \d+\.\d s")
            self.assertRegex(drawn, "░")
            shell.send(INTERRUPT)
            shown = shell.expect(r"(?s)ERROR E505.*dpsql> ")
            self.assertIn("the budget stays spent", shown)
            self.assertIn("±", shell.ask("SELECT count(*) AS n FROM person;"))
            self.assertRegex(shell.ask(".budget"), "cancel")

    def test_a_script_ends(self):
        with self.terminal("-f", "endless.sql", database="visits") as terminal:
            terminal.expect("(counting|summing) 1/1")
            terminal.send(INTERRUPT)
            self.assertEqual(terminal.finish(), 130)


class History(ShellTest):
    def test_is_kept_for_its_owner_alone(self):
        with self.shell() as shell:
            shell.ask("SELECT count(*) AS kept", r"\.\.\.> $")
            shell.ask("FROM customer;")
            shell.send(END)
            shell.finish()
        path = self.state / "dpsql" / "history"
        self.assertEqual(path.read_text(), "SELECT count(*) AS kept FROM customer;\n")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        with self.shell() as shell:
            shell.send(UP)
            shell.expect("kept FROM customer;")
            self.assertIn("stored answer", shell.ask(""))

    def test_is_cut_to_a_thousand(self):
        (self.state / "dpsql").mkdir()
        path = self.state / "dpsql" / "history"
        path.write_text("".join(f"SELECT {i};\n" for i in range(1200)))
        with self.shell() as shell:
            shell.send(END)
            shell.finish()
        lines = path.read_text().splitlines()
        self.assertEqual((len(lines), lines[0], lines[-1]), (1000, "SELECT 200;", "SELECT 1199;"))


class Scripts(ShellTest):
    def test_stdin(self):
        done = self.run_plain(text=COUNT + "\n.tables\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("±", done.stdout)
        self.assertIn("private", done.stdout)
        self.assertNotIn("dpsql>", done.stdout)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_order_of_files_and_commands(self):
        script = self.state / "two.sql"
        script.write_text("SELECT count(*) AS second FROM customer;")
        done = self.run_plain("-c", "SELECT count(*) AS first FROM customer", "-f", script,
                              "-c", "SELECT count(*) AS third FROM customer")
        self.assertEqual(done.returncode, 0, done.stderr)
        places = [done.stdout.index(f" {word} ") for word in ("first", "second", "third")]
        self.assertEqual(places, sorted(places))

    def test_the_first_error_ends_it(self):
        done = self.run_plain("-c", "SELECT count(*) FROM nowhere", "-c", COUNT)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        done = self.run_plain(text=".nothing\n" + COUNT)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(self.run_plain("-f", "nowhere.sql").returncode, 2)
        self.assertEqual(self.run_plain("-f", self.state).returncode, 2)

    def test_keep_going_behind_what_is_refused(self):
        wrong = ("--keep-going", "-c", "SELECT cont(*) FROM customer", "-c", COUNT)
        done = self.run_plain(*wrong)
        self.assertEqual(done.returncode, 1)
        self.assertIn("(r-000001)", done.stdout)
        self.assertIn("V307", done.stderr)
        done = self.run_plain("--keep-going", "-f", "/nowhere", "-c", COUNT)
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("r-0", done.stdout)

    def test_errors_have_their_place_in_the_file(self):
        script = self.state / "report.sql"
        script.write_text(f"{COUNT}\n.mode json\nSELECT\n  nothing FROM customer;\n")
        done = self.run_plain("-f", script)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{script}:4: ERROR V302", done.stderr)
        self.assertIn("LINE 4:   nothing FROM customer;", done.stderr)
        self.assertIn('"line":4', done.stdout)

    def test_a_mistake_further_down_costs_nothing(self):
        done = self.run_plain(text=f"{COUNT}\nSELEC;\n")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("(r-000001)", self.run_plain("-c", COUNT).stdout)

    def test_a29_scripts_name_no_files(self):
        target, secret = self.state / "taken.csv", self.state / "secret.csv"
        secret.write_text("name,wage\n")
        for command in (f".output {target}", f"\\o {target}", f".read {secret}", f"\\i {secret}"):
            for done in (self.run_plain("-c", command), self.run_plain(text=command + "\n"),
                         self.run_plain("-c", f"SET dp.epsilon = 0.1;\n{command}")):
                self.assertEqual(done.returncode, 2, command)
                self.assertIn("only what is typed at the prompt names files", done.stderr)
                self.assertNotIn("wage", done.stdout + done.stderr)
        self.assertFalse(target.exists())
        with self.shell("--no-files") as shell:
            self.assertIn("only what is typed at the prompt", shell.ask(f".output {target}"))
            shell.ask(COUNT)
        self.assertFalse(target.exists())
        self.assertFalse((self.state / "dpsql/history").exists())

    def test_a29_no_files_means_no_line_editor(self):
        """libedit's own commands could bind a key to `vi`."""
        editor = self.state / "vi"
        editor.write_text(f"#!/bin/sh\ntouch {self.state}/started\n")
        editor.chmod(0o755)
        self.environment["PATH"] = f"{self.state}:{self.environment['PATH']}"
        with self.shell("--no-files") as shell:
            shell.send("\033xbind ^T vi-histedit\n\x14\n;\n")
            shell.expect(r"dpsql> ")
            self.assertIn("±", shell.ask(COUNT))
        self.assertFalse((self.state / "started").exists())

    def test_a38_explain_takes_no_command(self):
        """Each would hold the text that is left: a long enough one would fill the memory."""
        for said in (".explain " * 3 + COUNT, f".explain ; .explain {COUNT}",
                     f".explain '.explain {COUNT}'", f".explain /* */ .explain {COUNT}",
                     ".explain .budget", f".explain {COUNT} .quit", ".explain \\d customer"):
            for done in (self.run_plain("-c", said), self.run_plain("--no-files", text=said)):
                self.assertEqual((done.returncode, done.stdout), (2, ""), said)
                self.assertIn(".explain takes SQL, not a command", done.stderr)
        with self.shell() as shell:
            self.assertIn("takes SQL", shell.ask(f".explain .explain {COUNT}"))
            self.assertIn("price", shell.ask(f".explain {COUNT}"))

    def test_quit_ends_a_script(self):
        done = self.run_plain(text=f".quit\n{COUNT}\n")
        self.assertEqual((done.returncode, done.stdout), (0, ""))


class BeforeSpending(ShellTest):
    def test_dry_run(self):
        done = self.run_plain("--dry-run", "-c", COUNT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left", done.stdout)
        self.assertIn("(r-000001)", self.run_plain("-c", COUNT).stdout)

    def test_confirm(self):
        for said, code, shown in (("n\n", 3, "withdrawn"), ("\n", 3, "nothing was spent"),
                                  (INTERRUPT, 3, "withdrawn"), ("y\n", 0, r"\(r-000001\)")):
            with self.terminal("--confirm", "-c", COUNT) as terminal:
                terminal.expect(r"spend ε 0\.5, δ 1e-07 \(left ε [\d.]+\)\? \[y/N\] ")
                terminal.send(said)
                terminal.expect(shown)
                self.assertEqual(terminal.finish(), code)
        with self.terminal("--confirm", "-c", COUNT) as terminal:  # stored: nothing to ask
            terminal.expect("stored answer")
            self.assertEqual(terminal.finish(), 0)

    def test_confirm_needs_a_terminal(self):
        done = self.run_plain("--confirm", "-c", COUNT)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("needs a terminal", done.stderr)

    def test_the_price_of_a_target_is_told(self):
        done = self.run_plain("-c", "SET dp.target_error = 50; " + COUNT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^± the target needs ε [\d.e-]+, δ [\d.e-]+; left ε [\d.]+\n$")


class Usage(ShellTest):
    def run_words(self, *words):
        return subprocess.run([DPSQL, *words], cwd=FOLDER, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    def test_first_steps(self):
        done = self.run_words()
        self.assertEqual(done.returncode, 2)
        for step in ("dpsql demo", "dpsql init", "dpsql --policy"):
            self.assertIn(step, done.stderr)

    def test_what_was_meant(self):
        done = self.run_words("chek", "--policy", "shop.toml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean  dpsql check?", done.stderr)

    def test_help_lists_the_commands(self):
        done = self.run_words("--help")
        self.assertEqual(done.returncode, 0)
        for name in ("demo", "init", "check", "budget", "audit"):
            self.assertIn(f"dpsql {name} ", done.stdout)

    def test_no_policy(self):
        done = self.run_words("shop.duckdb")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--policy FILE", done.stderr)

    def test_the_environment_has_defaults(self):
        self.environment.update(DPSQL_POLICY="shop.toml", DPSQL_LEDGER=str(self.state / "own"),
                                DPSQL_ANALYST="Zoe")
        done = self.run_words("shop.duckdb", "-c", COUNT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.state / "own").exists())
        done = self.run_words("shop.duckdb", "-c", ".budget")
        self.assertIn("Zoe", done.stdout)
        self.assertEqual(self.run_words("check", "shop.duckdb").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
