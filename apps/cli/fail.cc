#include "fail.h"

#include <iostream>

namespace dpsql::cli {

int Fail(const Error& error, const std::string& sql, Format format) {
  std::cerr << RenderError(error, sql);
  if (IsJson(format)) std::cout << ErrorToJson(error, sql) << "\n";
  return error.exit_code;
}

}  // namespace dpsql::cli
