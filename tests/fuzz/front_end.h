#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "plan/settings.h"
#include "validate/bound_query.h"

namespace dpsql {

// Called for every query that the binder accepts, before it is planned. It throws where the bound
// query breaks a promise.
using AcceptedCheck = void (*)(const BoundQuery&);

// The way of a text from bytes to a plan, without database and budget, as the fuzzers walk it.
// A refusal is a good answer. A finding is an exception, whatever its type: the engine would catch
// it and stop with X901, which says that there is a bug.
class FrontEnd {
 public:
  // `check` may be null.
  explicit FrontEnd(AcceptedCheck check);

  // Walks every statement of the text. Throws a Bug that names the broken promise.
  void Run(std::string_view sql);

  // The same, but a finding is written to stderr with its text and ends the program.
  void RunOrAbort(std::string_view sql);

  // "50,000 statements: 31 % accepted …", then how many each code refused, most first.
  std::string Summary() const;

  // Whether the binder accepted the last statement of the last text.
  bool accepted() const { return accepted_last_; }

 private:
  void RunStatement(const ast::Statement& statement, std::string_view sql);
  void RunSelect(const ast::Select& select, std::string_view sql);
  void Refused(const Error& error, std::string_view sql);

  Catalog catalog_;
  Settings settings_;
  AcceptedCheck check_;
  std::map<std::string, std::size_t> refused_;
  std::size_t statements_ = 0;
  std::size_t accepted_ = 0;
  std::size_t planned_ = 0;
  bool accepted_last_ = false;
};

}  // namespace dpsql
