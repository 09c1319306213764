#include "dpsql/language.h"

#include <algorithm>
#include <string_view>

#include "aggregates/aggregate.h"
#include "base/error_codes.h"
#include "plan/settings.h"
#include "validate/bind_window.h"
#include "validate/exact_aggregates.h"
#include "validate/functions.h"

namespace dpsql {
namespace {

// Forms of one name and kind become one entry, which keeps the words of the first.
void Add(std::vector<FunctionInfo>& functions, FunctionInfo added) {
  const auto same =
      std::find_if(functions.begin(), functions.end(), [&](const FunctionInfo& known) {
        return known.name == added.name && known.kind == added.kind;
      });
  if (same == functions.end()) {
    functions.push_back(std::move(added));
  } else {
    same->signatures.push_back(std::move(added.signatures.front()));
  }
}

// round(integer) leaves a number as it is; what round(number) does is what a reader looks for. The
// widest of forms with as many arguments comes last.
std::string_view Summary(const ScalarFunction& function) {
  std::string_view summary;
  for (const ScalarFunction& other : AllScalarFunctions()) {
    const bool alike =
        other.name == function.name && other.arguments.size() == function.arguments.size();
    if (alike) summary = other.meaning;
  }
  return summary;
}

void AddRowFunctions(std::vector<FunctionInfo>& functions) {
  for (const ScalarFunction& function : AllScalarFunctions()) {
    const std::string form = WriteForm(function);
    // "extract year" is called by its first word.
    const std::string name(function.name.substr(0, function.name.find(' ')));
    if (form != name && !form.starts_with(name + "(")) continue;
    Add(functions, {.name = name,
                    .kind = FunctionKind::kRow,
                    .signatures = {form},
                    .summary = std::string(Summary(function))});
  }
}

void AddAggregates(std::vector<FunctionInfo>& functions) {
  for (const Aggregate* aggregate : AllAggregates()) {
    for (const std::string_view name : {aggregate->function, aggregate->other_name}) {
      if (name.empty()) continue;
      Add(functions, {.name = std::string(name),
                      .kind = FunctionKind::kAggregate,
                      .signatures = {WriteAggregate(*aggregate, name)},
                      .summary = std::string(aggregate->meaning)});
    }
  }
}

void AddForms(std::vector<FunctionInfo>& functions, std::span<const ExactForm> forms,
              FunctionKind kind) {
  const std::string_view over = kind == FunctionKind::kWindow ? " OVER (…)" : "";
  for (const ExactForm& form : forms) {
    const std::string name(form.name);
    Add(functions,
        {.name = name,
         .kind = kind,
         .signatures = {name + "(" + std::string(form.arguments) + ")" + std::string(over)},
         .summary = std::string(form.meaning)});
  }
}

}  // namespace

std::vector<FunctionInfo> Functions() {
  std::vector<FunctionInfo> functions;
  AddRowFunctions(functions);
  AddAggregates(functions);
  AddForms(functions, ExactAggregateForms(), FunctionKind::kExact);
  AddForms(functions, WindowForms(), FunctionKind::kWindow);
  std::stable_sort(functions.begin(), functions.end(),
                   [](const FunctionInfo& a, const FunctionInfo& b) {
                     return a.kind != b.kind ? a.kind < b.kind : a.name < b.name;
                   });
  return functions;
}

std::vector<SettingInfo> SessionSettings() {
  std::vector<SettingInfo> settings;
  for (const SettingForm& form : SettingForms()) {
    if (form.values.empty()) continue;
    settings.push_back({.name = form.name,
                        .values = std::string(form.values),
                        .summary = std::string(form.meaning)});
  }
  return settings;
}

std::vector<ErrorInfo> ErrorCodes() {
  std::vector<ErrorInfo> errors;
  for (const ErrorCodeInfo& info : AllErrorCodes()) {
    errors.push_back({.code = std::string(info.code),
                      .sqlstate = std::string(info.sqlstate),
                      .exit_code = info.exit_code,
                      .summary = std::string(info.meaning),
                      .hint = std::string(info.hint)});
  }
  return errors;
}

}  // namespace dpsql
