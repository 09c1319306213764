#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dpsql/error.h"

// Every refusal of the program, one line each: name, code, SQLSTATE, exit code, default hint.
// The letter is the room: P parse, C catalog, V validate and plan, B budget, E backend, L ledger,
// X bug. tests/errors holds a golden file for each.
#define DPSQL_ERROR_CODES(X)                                                                       \
  X(kSyntax, "P101", "42601", 1, "")                                                               \
  X(kTooLarge, "P102", "54001", 1, "split the question into smaller statements")                   \
  X(kInvalidText, "P103", "22021", 1, "send the statement as UTF-8 without NUL bytes")             \
  X(kUnsupportedStatement, "P104", "0A000", 1, "ask with SELECT, EXPLAIN (DP) SELECT or SET dp.…") \
  X(kUnsupportedSyntax, "P105", "0A000", 1, "")                                                    \
  X(kBadSetting, "P106", "22023", 1, "")                                                           \
  X(kPolicyFile, "C201", "F0000", 2, "")                                                           \
  X(kPolicyKey, "C202", "F0000", 2, "")                                                            \
  X(kPolicyValue, "C203", "F0000", 2, "")                                                          \
  X(kPolicyTable, "C204", "F0000", 2, "")                                                          \
  X(kPolicyLink, "C205", "F0000", 2, "")                                                           \
  X(kPolicyUnavailable, "C206", "0A000", 2, "")                                                    \
  X(kDatabaseMacro, "C207", "F0000", 2,                                                            \
    "drop it, or ask a copy without it: it could change what a query means")                       \
  X(kUnknownTable, "V301", "42P01", 1, "only tables that the policy declares can be asked")        \
  X(kUnknownColumn, "V302", "42703", 1, "")                                                        \
  X(kAmbiguousColumn, "V303", "42702", 1, "write the table's name or alias before the column")     \
  X(kHiddenColumn, "V304", "42501", 1, "the owner has hidden this column")                         \
  X(kNotJoinedOnUnit, "V305", "42P10", 1, "")                                                      \
  X(kNotYet, "V306", "0A000", 1, "")                                                               \
  X(kUnknownFunction, "V307", "42883", 1, "")                                                      \
  X(kWrongArguments, "V308", "42883", 1, "")                                                       \
  X(kTypeMismatch, "V309", "42804", 1,                                                             \
    "compare values of one type; write the literal in that type")                                  \
  X(kNoBounds, "V310", "22023", 1, "")                                                             \
  X(kBadBounds, "V311", "22023", 1, "bounds are finite numbers, lower < upper")                    \
  X(kRawColumn, "V312", "42803", 1,                                                                \
    "put the column into GROUP BY, or aggregate it: COUNT, SUM, AVG")                              \
  X(kUnitReleased, "V314", "42501", 1,                                                             \
    "count people with COUNT(DISTINCT unit); a unit itself is never shown")                        \
  X(kNoGroupCap, "V315", "22023", 1, "")                                                           \
  X(kNoRowCap, "V316", "22023", 1, "")                                                             \
  X(kDuplicateTable, "V317", "42712", 1, "give each use of a table its own alias")                 \
  X(kInexactKey, "V318", "42804", 1, "group by an integer, text, boolean, decimal or date")        \
  X(kMisplacedAggregate, "V319", "42803", 1, "aggregates belong in the select list")               \
  X(kMixedUnits, "V320", "0A000", 1, "ask about one kind of unit at a time")                       \
  X(kTooNoisy, "V321", "22023", 1, "ask with a larger epsilon, or with smaller bounds")            \
  X(kTooManyRows, "V322", "54001", 1, "join on keys that the database keeps unique")               \
  X(kUnstableOrder, "V323", "0A000", 1, "ORDER BY and LIMIT belong to the outer query")            \
  X(kOptionOutsidePolicy, "B401", "22023", 3, "")                                                  \
  X(kBudgetExhausted, "B402", "53400", 3, "the owner can grant more; stored answers stay free")    \
  X(kAnalystUnknown, "B403", "42501", 3, "")                                                       \
  X(kCapsDiffer, "B404", "55000", 3, "")                                                           \
  X(kUnaffordable, "B405", "53400", 3, "")                                                         \
  X(kOwnerOnly, "B406", "42501", 3, "leave it out: the policy says who is protected")              \
  X(kLockedOut, "B407", "42501", 3, "")                                                            \
  X(kTooManyAtOnce, "B408", "53300", 3, "ask again when one of them has ended")                    \
  X(kWithdrawn, "B410", "57014", 3, "nothing was spent")                                           \
  X(kDatabaseOpen, "E501", "08001", 4, "")                                                         \
  X(kDatabaseNewer, "E502", "08001", 4, "")                                                        \
  X(kDatabaseRun, "E503", "58000", 4,                                                              \
    "the budget stays spent; the owner can read the incident log")                                 \
  X(kDatabaseScheme, "E504", "0A000", 2, "use a DuckDB file: a bare path or duckdb:PATH")          \
  X(kInterrupted, "E505", "57014", 130, "the budget stays spent")                                  \
  X(kLedgerDamaged, "L601", "58030", 5, "")                                                        \
  X(kLedgerStorage, "L602", "58030", 5, "")                                                        \
  X(kLedgerUrl, "L603", "0A000", 2, "")                                                            \
  X(kNoLedger, "L604", "58P01", 2, "")                                                             \
  X(kBug, "X901", "XX000", 4, "what was paid stays paid; please report how to get here")

namespace dpsql {

enum class ErrorCode {
#define DPSQL_ERROR_NAME(name, code, sqlstate, exit_code, hint) name,
  DPSQL_ERROR_CODES(DPSQL_ERROR_NAME)
#undef DPSQL_ERROR_NAME
};

struct ErrorCodeInfo {
  std::string_view name;
  std::string_view code;
  std::string_view sqlstate;
  int exit_code;
  std::string_view hint;
};

std::span<const ErrorCodeInfo> AllErrorCodes();

std::string_view CodeOf(ErrorCode code);

// Builds the error of a code; an empty `hint` takes the code's default one.
Error MakeError(ErrorCode code, std::string message, SourceSpan span = {}, std::string hint = "");

}  // namespace dpsql
