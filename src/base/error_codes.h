#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dpsql/error.h"

// Every refusal of the program, one line each: name, code, SQLSTATE, exit code, default hint,
// and what it means, for docs/reference/errors.md.
// The letter is the room: P parse, C catalog, V validate and plan, B budget, E backend, L ledger,
// X bug. tests/errors holds a golden file for each.
#define DPSQL_ERROR_CODES(X)                                                                       \
  X(kSyntax, "P101", "42601", 1, "", "the text is not SQL as PostgreSQL's grammar has it")         \
  X(kTooLarge, "P102", "54001", 1, "split the question into smaller statements",                   \
    "the text is too long, nests too deep, or is too large when written out")                      \
  X(kInvalidText, "P103", "22021", 1, "send the statement as UTF-8 without NUL bytes",             \
    "the text is not UTF-8, or a character that is not seen stands in a name")                     \
  X(kUnsupportedStatement, "P104", "0A000", 1, "ask with SELECT, EXPLAIN (DP) SELECT or SET dp.…", \
    "a statement that is no question: it would change, keep or run something")                     \
  X(kUnsupportedSyntax, "P105", "0A000", 1, "", "SQL that has no safe meaning here")               \
  X(kBadSetting, "P106", "22023", 1, "",                                                           \
    "a setting or an option that does not exist, is given twice, or has no such value")            \
  X(kUnknownParameter, "P107", "42P02", 1, "",                                                     \
    "a $name stands in the text, and no value was given for it")                                   \
  X(kBadParameter, "P108", "22023", 1, "", "the value of a parameter is none of its type")         \
  X(kPolicyFile, "C201", "F0000", 2, "", "the policy file cannot be read, or is not TOML")         \
  X(kPolicyKey, "C202", "F0000", 2, "",                                                            \
    "the policy has a key that nobody knows, or lacks one that it needs")                          \
  X(kPolicyValue, "C203", "F0000", 2, "",                                                          \
    "a value in the policy is of the wrong kind or out of its range")                              \
  X(kPolicyTable, "C204", "F0000", 2, "",                                                          \
    "a table or column is not as the policy says, or cannot be read safely")                       \
  X(kPolicyLink, "C205", "F0000", 2, "", "the way from a table to its privacy unit is not safe")   \
  X(kPolicyUnavailable, "C206", "0A000", 2, "",                                                    \
    "the policy asks for something that this version does not have")                               \
  X(kDatabaseMacro, "C207", "F0000", 2,                                                            \
    "drop it, or ask a copy without it: it could change what a query means",                       \
    "the database defines a macro of its own")                                                     \
  X(kUnknownTable, "V301", "42P01", 1, "only tables that the policy declares can be asked",        \
    "no table of this name is declared in the policy")                                             \
  X(kUnknownColumn, "V302", "42703", 1, "",                                                        \
    "no column, window or alias of this name can be seen here")                                    \
  X(kAmbiguousColumn, "V303", "42702", 1, "write the table's name or alias before the column",     \
    "several tables have a column of this name")                                                   \
  X(kHiddenColumn, "V304", "42501", 1, "the owner has hidden this column",                         \
    "the owner has hidden the column")                                                             \
  X(kNotJoinedOnUnit, "V305", "42P10", 1, "",                                                      \
    "rows of one person would depend on rows of another")                                          \
  X(kNotYet, "V306", "0A000", 1, "", "safe, and not built yet")                                    \
  X(kUnknownFunction, "V307", "42883", 1, "", "the function is not on the list")                   \
  X(kWrongArguments, "V308", "42883", 1, "", "the function is not called with these arguments")    \
  X(kTypeMismatch, "V309", "42804", 1,                                                             \
    "compare values of one type; write the literal in that type",                                  \
    "a value is of a type that does not fit its place")                                            \
  X(kNoBounds, "V310", "22023", 1, "", "an aggregate needs bounds, and none are known")            \
  X(kBadBounds, "V311", "22023", 1, "bounds are finite numbers, lower < upper",                    \
    "the bounds in a call are no bounds")                                                          \
  X(kRawColumn, "V312", "42803", 1,                                                                \
    "put the column into GROUP BY, or aggregate it: COUNT, SUM, AVG",                              \
    "a column is shown that is neither grouped nor aggregated")                                    \
  X(kUnitReleased, "V314", "42501", 1,                                                             \
    "count people with COUNT(DISTINCT unit); a unit itself is never shown",                        \
    "the privacy unit itself would be shown")                                                      \
  X(kNoGroupCap, "V315", "22023", 1, "", "nothing says in how many groups one person may count")   \
  X(kNoRowCap, "V316", "22023", 1, "", "nothing says how many rows of one person may count")       \
  X(kDuplicateTable, "V317", "42712", 1, "give each use of a table its own alias",                 \
    "two tables or queries have one name")                                                         \
  X(kInexactKey, "V318", "42804", 1, "group by an integer, text, boolean, decimal or date",        \
    "values that are not exact would decide about groups or order")                                \
  X(kMisplacedAggregate, "V319", "42803", 1, "aggregates belong in the select list",               \
    "an aggregate stands where none can")                                                          \
  X(kMixedUnits, "V320", "0A000", 1, "ask about one kind of unit at a time",                       \
    "rows of two kinds of privacy unit would meet")                                                \
  X(kTooNoisy, "V321", "22023", 1, "ask with a larger epsilon, or with smaller bounds",            \
    "the noise would leave nothing of the answer")                                                 \
  X(kTooManyRows, "V322", "54001", 1, "join on keys that the database keeps unique",               \
    "a join could multiply rows without end")                                                      \
  X(kUnstableOrder, "V323", "0A000", 1, "ORDER BY and LIMIT belong to the outer query",            \
    "an order or a limit below a release would depend on the order of rows")                       \
  X(kOptionOutsidePolicy, "B401", "22023", 3, "", "the policy does not allow so loose a value")    \
  X(kBudgetExhausted, "B402", "53400", 3, "the owner can grant more; stored answers stay free",    \
    "what is left of the budget does not pay for the question")                                    \
  X(kAnalystUnknown, "B403", "42501", 3, "", "the policy does not list this analyst")              \
  X(kCapsDiffer, "B404", "55000", 3, "",                                                           \
    "the budget in the policy is not the one in force in the ledger")                              \
  X(kUnaffordable, "B405", "53400", 3, "", "the question costs more than the whole budget")        \
  X(kOwnerOnly, "B406", "42501", 3, "leave it out: the policy says who is protected",              \
    "only the owner says who is protected")                                                        \
  X(kLockedOut, "B407", "42501", 3, "",                                                            \
    "too many paid questions of this analyst ended without an answer")                             \
  X(kTooManyAtOnce, "B408", "53300", 3, "ask again when one of them has ended",                    \
    "more questions of this analyst run at once than may fail")                                    \
  X(kRevoked, "B409", "42501", 3, "", "the owner has revoked the right to ask")                    \
  X(kWithdrawn, "B410", "57014", 3, "nothing was spent",                                           \
    "the question was withdrawn before it was paid")                                               \
  X(kPolicyChanged, "B411", "55000", 3, "", "the policy has changed since the session was opened") \
  X(kDatabaseOpen, "E501", "08001", 4, "", "the database cannot be opened")                        \
  X(kDatabaseNewer, "E502", "08001", 4, "", "the database file was written by a newer DuckDB")     \
  X(kDatabaseRun, "E503", "58000", 4,                                                              \
    "the budget stays spent; the owner can read the incident log",                                 \
    "the database could not finish a paid question")                                               \
  X(kDatabaseScheme, "E504", "0A000", 2,                                                           \
    "use a DuckDB file (a path or duckdb:PATH), sqlite:PATH, postgresql://… or spark://…",         \
    "the URL names a database that no session can ask")                                            \
  X(kInterrupted, "E505", "57014", 130, "the budget stays spent", "the question was interrupted")  \
  X(kLedgerDamaged, "L601", "58030", 5, "",                                                        \
    "the ledger is damaged, and nothing is answered until it is whole")                            \
  X(kLedgerStorage, "L602", "58030", 5, "", "the ledger cannot be read or written")                \
  X(kLedgerUrl, "L603", "0A000", 2, "", "the ledger is not a file on a local disk")                \
  X(kNoLedger, "L604", "58P01", 2, "", "there is no ledger yet")                                   \
  X(kFileExists, "L605", "58P02", 2, "choose another name: nothing is overwritten",                \
    "a file that would be written is there already")                                               \
  X(kBug, "X901", "XX000", 4, "what was paid stays paid; please report how to get here",           \
    "the program found a mistake of its own and stopped")

namespace dpsql {

enum class ErrorCode {
#define DPSQL_ERROR_NAME(name, code, sqlstate, exit_code, hint, meaning) name,
  DPSQL_ERROR_CODES(DPSQL_ERROR_NAME)
#undef DPSQL_ERROR_NAME
};

struct ErrorCodeInfo {
  std::string_view name;
  std::string_view code;
  std::string_view sqlstate;
  int exit_code;
  std::string_view hint;
  std::string_view meaning;
};

std::span<const ErrorCodeInfo> AllErrorCodes();

std::string_view CodeOf(ErrorCode code);

// Builds the error of a code; an empty `hint` takes the code's default one.
Error MakeError(ErrorCode code, std::string message, SourceSpan span = {}, std::string hint = "");

}  // namespace dpsql
