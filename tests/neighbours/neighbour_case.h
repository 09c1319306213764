#pragma once

#include <string>
#include <vector>

namespace dpsql {

// A row, and whose it is: "person 3", or nothing where it is public or nobody's.
struct CaseRow {
  std::string values;  // the inside of VALUES (…)
  std::string owner;
  bool operator==(const CaseRow&) const = default;
};

struct CaseTable {
  std::string name;
  std::string columns;  // the inside of CREATE TABLE (…)
  std::vector<CaseRow> rows;
  bool operator==(const CaseTable&) const = default;
};

// A key that the owner found to be unique, where the database keeps none.
struct CaseKey {
  std::string table;
  std::vector<std::string> columns;
  bool operator==(const CaseKey&) const = default;
};

// A policy, a database that fits it and a question: all that a finding needs to be seen again.
struct NeighbourCase {
  std::string policy;
  std::vector<CaseKey> verified;
  std::vector<CaseTable> tables;
  std::string question;
  std::string refusal;  // of a file: the code with which it must be refused; else it is accepted
  std::string manner;   // of a file: how it was found, as in kept_manner.h; nothing in old ones

  bool operator==(const NeighbourCase&) const = default;

  // Everybody who owns a row, sorted.
  std::vector<std::string> Units() const;

  // CREATE and INSERT statements of all rows but those of one unit; of all where it is empty.
  std::string Sql(const std::string& without) const;

  // One SQL file: the policy in comments, behind each row whose it is, the question at the end.
  // Where a finding was mended by refusing the question, its file says  -- refused V305 .
  std::string ToFile(const std::string& finding) const;

  // Reads what ToFile wrote. Throws std::runtime_error where it is not that.
  static NeighbourCase FromFile(const std::string& path);
};

}  // namespace dpsql
