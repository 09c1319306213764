#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dpsql {

// One question and its expected answer.
//
//   # why this case is here
//   @policy strict.toml
//   SELECT count(*) FROM customer
//   ----
//   expected text
//
// Cases are separated by a line "====". Lines that start with # or @ come first; a directive in
// the head of the file (before the first "====" and without SQL) holds for all its cases.
struct GoldenCase {
  std::vector<std::string> comments;
  std::map<std::string, std::string> directives;
  std::string sql;
  std::string expected;
};

struct GoldenFile {
  GoldenCase head;
  std::vector<GoldenCase> cases;

  // The case's own directive, else the head's.
  std::optional<std::string> Directive(const GoldenCase& golden, const std::string& name) const;
};

GoldenFile ReadGoldenFile(const std::string& path);
void WriteGoldenFile(const std::string& path, const GoldenFile& file);

}  // namespace dpsql
