#include "parameters_option.h"

#include <optional>
#include <utility>

namespace dpsql::cli {
namespace {

Error Usage(std::string message, std::string hint) {
  Error error;
  error.code = "P108";
  error.sqlstate = "22023";
  error.message = "--param " + std::move(message);
  error.hint = std::move(hint);
  return error;
}

// The value is never repeated: it may be long, and need not be text.
Status AddParameter(const std::string& text, Parameters& parameters) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return Usage("takes a value", "write  --param name=value");
  const std::string left = text.substr(0, equals);
  std::string value = text.substr(equals + 1);
  const std::size_t colon = left.find(':');
  const std::string name = left.substr(0, colon);
  if (!IsParameterName(name)) {
    return Usage("takes a name of letters, digits and _",
                 "write  --param name=value  and  $name  in the SQL");
  }
  Parameter parameter;
  if (colon == std::string::npos) {
    parameter = Parameter::Untyped(std::move(value));
  } else {
    const auto type = FindParameterType(left.substr(colon + 1));
    if (!type) return Usage(name + " has an unknown type", "types: " + ParameterTypeNames());
    parameter = {*type, std::move(value)};
  }
  if (const Status checked = CheckParameter(name, parameter); !checked) {
    return Usage(name + ": " + checked.error().message, checked.error().hint);
  }
  if (!parameters.emplace(name, std::move(parameter)).second) {
    return Usage(name + " is given twice", "leave one of them out");
  }
  return Done{};
}

}  // namespace

Result<Parameters> ReadParameters(const std::vector<std::string>& texts) {
  Parameters parameters;
  for (const std::string& text : texts) {
    if (const Status added = AddParameter(text, parameters); !added) return added.error();
  }
  return parameters;
}

}  // namespace dpsql::cli
