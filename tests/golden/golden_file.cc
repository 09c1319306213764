#include "golden/golden_file.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace dpsql {
namespace {

constexpr const char* kNext = "====";
constexpr const char* kExpected = "----";

void AddLine(const std::string& line, bool& in_expected, GoldenCase& golden) {
  if (in_expected) {
    golden.expected += line + "\n";
  } else if (line == kExpected) {
    in_expected = true;
  } else if (golden.sql.empty() && line.starts_with("#")) {
    golden.comments.push_back(line);
  } else if (golden.sql.empty() && line.starts_with("@")) {
    const std::size_t space = line.find(' ');
    golden.directives[line.substr(1, space - 1)] =
        space == std::string::npos ? "" : line.substr(space + 1);
  } else if (!line.empty() || !golden.sql.empty()) {
    golden.sql += line + "\n";
  }
}

void WriteCase(std::ostream& out, const GoldenCase& golden) {
  for (const std::string& comment : golden.comments) out << comment << "\n";
  for (const auto& [name, value] : golden.directives) {
    out << "@" << name << (value.empty() ? "" : " ") << value << "\n";
  }
  out << golden.sql;
}

}  // namespace

std::optional<std::string> GoldenFile::Directive(const GoldenCase& golden,
                                                 const std::string& name) const {
  for (const GoldenCase* place : {&golden, &head}) {
    const auto found = place->directives.find(name);
    if (found != place->directives.end()) return found->second;
  }
  return std::nullopt;
}

GoldenFile ReadGoldenFile(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<GoldenCase> parts(1);
  bool in_expected = false;
  for (std::string line; std::getline(in, line);) {
    if (line == kNext) {
      parts.emplace_back();
      in_expected = false;
    } else {
      AddLine(line, in_expected, parts.back());
    }
  }
  GoldenFile file{.head = parts.front(), .cases = {parts.begin() + 1, parts.end()}};
  return file;
}

void WriteGoldenFile(const std::string& path, const GoldenFile& file) {
  std::ostringstream out;
  WriteCase(out, file.head);
  for (const GoldenCase& golden : file.cases) {
    out << kNext << "\n";
    WriteCase(out, golden);
    out << kExpected << "\n" << golden.expected;
  }
  std::ofstream(path) << out.str();
}

}  // namespace dpsql
