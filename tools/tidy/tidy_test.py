#!/usr/bin/env python3
"""Seeds every violation in a small tree and checks that tidy finds it, and nothing else."""

import tempfile
import unittest
from pathlib import Path

import rooms
from cpp_scanner import FunctionScanner
from tidy import findings

# Spelt in pieces, so that this file obeys the rules it tests.
SLASH = "/"
UNFINISHED = "TO" + "DO"
ADDRESS = "https:" + 2 * SLASH

CLEAN = {
    "src/base/check.h": "#pragma once\n\nnamespace dpsql {\nvoid Check(bool condition);\n}\n",
    "src/sql/parser.cc": '#include "base/check.h"\n#include <pg_query.h>\n',
    "src/engine/log.cc": "#include <cstdio>\nvoid Log() { std::fprintf(stderr, \"x\"); }\n",
    "src/noise/noise_test.cc": '#include "catalog/policy.h"\n#include "support/seeded.h"\n',
    "src/catalog/policy.h": "#pragma once\nnamespace dpsql {\nstruct Policy {\n};\n"
                            "}  // namespace dpsql\nnamespace dpsql::ast {\nstruct Policy {\n};\n}\n",
    "include/dpsql/error.h": "#pragma once\n#include <string>\n",
    "apps/cli/main.cc": '#include "dpsql/error.h"\n#include "shell.h"\nint main() { return 0; }\n',
    "apps/cli/shell.h": "#pragma once\n",
    "docs/tour.md": "See `src/base/check.h`, `src/base/` and `src/*/check.h`.\n"
                    "```\n`src/aggregates/yet_to_come.cc`\n```\n",
    "tools/bootstrap/package-lock.json": '{"integrity": "sha512-AAAA"}\n',
}


def body(lines):
    return "void F() {\n" + "  G();\n" * (lines - 2) + "}\n"


def nested(*blocks):
    return "void F() {\n" + " {\n".join(blocks) + " {\n" + "}\n" * len(blocks) + "}\n"


SIX = "int a, int b, int c,\n    int d, int e, int f"

# What is seeded: a file, its text, the line and a part of the message.
SEEDS = {
    "long line": ("src/base/a.cc", "//" + "x" * 99 + "\n", 1, "101"),
    "long function": ("src/base/a.cc", "\n" + body(71), 2, "71 lines"),
    "long method": ("src/base/a.h", "#pragma once\nclass A {\n" + body(71) + "};\n", 3, "71 lines"),
    "nesting": ("src/base/a.cc", nested("if (a)", "for (;;)", "while (b)", "do"), 1, "4 nested"),
    "parameters": ("src/base/a.cc", f"int F({SIX}) {{ return a; }}\n", 1, "6 parameters"),
    "declared parameters": ("src/base/a.h",
                            f"#pragma once\nstruct A {{\n  virtual void F({SIX}) = 0;\n}};\n",
                            3, "6 parameters"),
    "long file": ("src/base/a.cc", "\n" * 501, 501, "501"),
    "long script": ("tools/a.sh", "\n" * 501, 501, "501"),
    "room order": ("src/base/a.cc", '#include "sql/parser.h"\n', 1, "base may not include"),
    "account sees no plan": ("src/account/a.cc", '\n#include "plan/x.h"\n', 2, "account may not"),
    "test below its room": ("src/sql/a_test.cc", '#include "plan/x.h"\n', 1, "sql may not"),
    "exact numbers": ("src/engine/a.cc", '#include "noise/exact_reader.h"\n', 1, "may be included"),
    "unknown room": ("src/utils/a.cc", "#include <string>\n", 1, "no room"),
    "relative include": ("src/sql/a.h", '#pragma once\n#include "parser.cc"\n', 2, "from src/"),
    "app sees a room": ("apps/cli/a.cc", '#include "base/check.h"\n', 1, "dpsql/ only"),
    "app sees a room, angled": ("apps/cli/a.cc", "#include <base/check.h>\n", 1, "dpsql/ only"),
    "public header": ("include/dpsql/a.h", '#pragma once\n#include "nlohmann/json.hpp"\n', 2,
                      "standard library only"),
    "duckdb.h": ("src/publish/a.cc", "#include <duckdb.h>\n", 1, "duckdb.h"),
    "duckdb.h in another backend": ("src/backend/x.cc", "#include <duckdb.h>\n", 1, "duckdb.h"),
    "sqlite3.h": ("src/base/a.cc", "#include <sqlite3.h>\n", 1, "sqlite3.h"),
    "pg_query.h": ("src/validate/a.cc", "#include <pg_query.h>\n", 1, "pg_query.h"),
    "type of the same name": (
        "tests/support/seeded.h", "#pragma once\nnamespace dpsql {\nstruct Policy : Base {\n};\n}\n",
        3, "has a type of this name"),
    "cycle": ("src/base/a.h", '#pragma once\n#include "base/a.h"\n', 2, "cycle"),
    "cout": ("src/noise/a.cc", "void F() { std::cout << 1; }\n", 1, "logging"),
    "printf": ("src/plan/a.cc", "void F() { printf(x); }\n", 1, "logging"),
    "std::fprintf": ("src/plan/a.cc", "void F() { std::fprintf(stderr, x); }\n", 1, "logging"),
    "syslog": ("src/plan/a.cc", "void F() { syslog(1, x); }\n", 1, "logging"),
    "no pragma": ("include/dpsql/a.h", "#include <string>\n", 1, "#pragma once"),
    "unfinished": ("docs/a.md", "x\n" + UNFINISHED + " later\n", 2, "unfinished"),
    "using namespace": ("tests/a.cc", "using namespace std;\n", 1, "using namespace"),
    "missing path": ("README.md", "x\n\n`src/base/gone.h`\n", 3, "src/base/gone.h"),
    "missing glob": ("CONTRIBUTING.md", "`tests/plans/*.test`\n", 1, "tests/plans/*.test"),
    "missing path with line": ("docs/a.md", "`src/base/gone.h:12`\n", 1, "src/base/gone.h"),
    "address in a lock file": ("tools/bootstrap/a.json", '"' + ADDRESS + 'example.org/x"\n', 1,
                               "registry"),
    "registry anywhere": ("docs/a.md", ADDRESS + "registry.np" + "mjs.example\n", 1, "registry"),
    "large file": ("docs/a.bin", "x" * (1 << 20) + "y", 1, "bytes"),
    "empty file": (".ci/run", "", 1, "empty"),
    "machine path": ("Makefile", "\tcp " + SLASH + "work" + SLASH + "x .\n", 1, "one machine"),
    "home of root": ("docs/a.md", "in " + SLASH + "root" + SLASH + "x\n", 1, "one machine"),
}

SCANNED = r'''
// void Commented() { if (x) {
#define MACRO(x) \
  if (x) {
template <typename T, typename U>
requires(std::is_constructible_v<T, U&&> && !std::is_same_v<U, T>) Wrap(U&& value)
    : state_{std::forward<U>(value)}, other_(1) {}
std::map<int, int> table = {{1, 2}, {3, 4}};
constexpr int kList[]{1, 2, 3};
enum class Kind { kOne, kTwo };
const auto raw = R"({ "a": ")" " { ";
struct Point : Base<int, int> {
  int x = 0;
  std::vector<int> v{1, 2};
  bool operator()(int a, int b) const { return a < b; }
  bool operator==(const Point&) const = default;
  std::map<int, std::vector<int>> Get(const std::map<int, int>& m, int n = f(1, 2)) const {
    for (int i = 0; i < 3; ++i) {
      if (i) {
        if (n) return Point{i};
        if (n) [[likely]] return Use({n}, Point{i});
        Use(Point{.x = 1}, [&](int a) -> int {
          if (a) { return '{'; }
          return 1'000;
        });
      } else if (n) {
      }
    }
    switch (n) {
      case 1: {
        return {};
      }
      default: break;
    }
    return {{1, {2, 3}}};
  }
};
extern "C" {
int Plain(void) { return 1; }
}
TEST(Suite, Name) {
  Options o{.a = 1};
  struct Local { int F(int a) { return a; } };
}
'''


class TidyTest(unittest.TestCase):
    def found(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                target = Path(folder) / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
            return list(findings(Path(folder)))

    def test_a_clean_tree_is_clean(self):
        self.assertEqual(self.found(CLEAN), [])

    def test_limits_themselves_are_allowed(self):
        deep = nested("if (a)", "for (;;)", "while (b)")
        texts = [body(70), deep, "//" + "x" * 98 + "\n", "\n" * 500,
                 "int F(int a, std::map<int, int> b, int c, int d, int e) { return a; }\n"]
        files = {f"src/base/f{i}.cc": text for i, text in enumerate(texts)}
        self.assertEqual(self.found(files), [])

    def test_every_seed_is_found(self):
        for name, (path, text, line, message) in SEEDS.items():
            with self.subTest(name):
                found = self.found({**CLEAN, path: text})
                self.assertEqual(len(found), 1, found)
                self.assertEqual(found[0][:2], (path, line))
                self.assertIn(message, found[0][2])

    def test_scanner_sees_each_function(self):
        scanned = {f.name: f for f in FunctionScanner(SCANNED).functions}
        expected = {
            "Wrap": (1, 0, 3),
            "operator()": (2, 0, 1),
            "operator==": (1, 0, 1),
            "Get": (2, 3, 20),
            "Plain": (0, 0, 1),
            "TEST": (2, 0, 4),
            "F": (1, 0, 1),
        }
        self.assertEqual({name: (f.parameters, f.nesting, f.lines) for name, f in scanned.items()},
                         expected)

    def test_the_order_of_rooms_has_no_cycle(self):
        for room in rooms.ALLOWED:
            self.assertNotIn(room, rooms.reachable(room) if room != "engine" else ())


if __name__ == "__main__":
    unittest.main()
