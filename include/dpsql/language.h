#pragma once

#include <string>
#include <vector>

namespace dpsql {

// Where a function may stand.
enum class FunctionKind {
  kRow,        // in an expression over one row
  kAggregate,  // over people, with noise
  kExact,      // over released or public rows, and over the rows of one unit
  kWindow,     // before OVER, there too
};

// A function, under the name that an analyst types.
struct FunctionInfo {
  std::string name;  // "round"
  FunctionKind kind = FunctionKind::kRow;
  std::vector<std::string> signatures;  // "round(number)", "round(number, digits)"
  std::string summary;                  // what it gives in its simplest form
};

// A setting that SET can change.
struct SettingInfo {
  std::string name;    // "dp.epsilon"
  std::string values;  // "auto, gaussian, laplace"
  std::string summary;
};

// An error code.
struct ErrorInfo {
  std::string code;      // "V305"
  std::string sqlstate;  // "42P10"
  int exit_code = 1;     // of the program
  std::string summary;
  std::string hint;  // where the error brings none of its own
};

// What can be written, from the tables that the program itself reads: for completion, help and the
// reference. Nothing here depends on a policy or on data.
// Functions are those with a name that is called, sorted by kind and name: operators and CASE are
// not among them, one entry stands for all forms of a name.
std::vector<FunctionInfo> Functions();

// In the order of the reference.
std::vector<SettingInfo> SessionSettings();
std::vector<ErrorInfo> ErrorCodes();

}  // namespace dpsql
