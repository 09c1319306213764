#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "speed/question.h"

namespace dpsql {
namespace {

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (file && !text.str().empty()) return text.str();
  std::fprintf(stderr, "speed: cannot read %s\n", path.c_str());
  std::exit(1);
}

}  // namespace

QuestionSet TpchQuestions() {
  const std::string tests = DPSQL_SOURCE_DIR "/tests";
  const std::string policy = ReadText(tests + "/databases/tpch.toml");
  QuestionSet set{.tables = policy.substr(policy.find("[tables.")), .questions = {}};
  for (const char* number : {"01", "05", "06", "14", "19"}) {
    const std::string sql = ReadText(tests + "/tpch/q" + number + ".sql");
    const std::string name = std::string("TPC-H Q") + std::to_string(std::atoi(number));
    set.questions.push_back(
        {.name = name, .exact = sql, .per_unit = "", .settings = "", .sql = sql});
  }
  return set;
}

}  // namespace dpsql
