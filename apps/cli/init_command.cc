#include "init_command.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "dpsql/draft.h"
#include "fail.h"
#include "usage.h"

namespace dpsql::cli {
namespace {

// The options; where there are none to obey, the exit code is set.
std::optional<DraftOptions> Parse(int argc, char** argv, int& exit_code) {
  DraftOptions options;
  CLI::App app(
      "Write a first policy from the schema of a database or of files. Reads no row, asks "
      "nothing.",
      "dpsql init");
  app.add_option("URL", options.sources,
                 "A DuckDB file; or files, each a table: .parquet, .csv, .json, .jsonl, .ndjson, "
                 "or a pattern of them in quotes")
      ->required()
      ->type_name("URL");
  app.add_option("-o,--output", options.policy, "The file to write, which must not exist yet")
      ->type_name("FILE");
  app.add_option("--dataset", options.dataset, "The name of the dataset (default: the file's)")
      ->type_name("NAME");
  app.add_option("--unit", options.unit, "The column that tells whose row it is")
      ->type_name("TABLE.COLUMN");
  app.footer(
      "Exit codes: 0 a draft was written, also where it is still without a unit; 2 usage, or "
      "files\n"
      "that cannot be tables; 4 database.");
  if (const auto ended = ParseOrExit(app, argc, argv)) {
    exit_code = *ended;
    return std::nullopt;
  }
  return options;
}

int CannotWrite(const std::string& path, int error) {
  std::cerr << "dpsql: " << path << " cannot be written: "
            << (error == EEXIST ? "it exists already; give another name with -o"
                                : std::strerror(error))
            << "\n";
  return kUsageError;
}

// An owner's file is never written over.
int WriteNew(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wx");
  if (file == nullptr) return CannotWrite(path, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  if (std::fclose(file) == 0 && written) return 0;
  return CannotWrite(path, error);
}

void SayWhatNext(const PolicyDraft& draft, const std::string& policy) {
  const std::string file = policy.empty() ? "FILE" : policy;
  if (!policy.empty()) std::cerr << "written to " << policy << "\n";
  if (draft.unit.empty()) {
    std::cerr << "no column looks like a person: write it where the draft says DECIDE, or run this "
                 "again with  --unit TABLE.COLUMN\n";
  } else {
    std::cerr << "each " << draft.unit << " is protected\n";
  }
  std::cerr << "next:  dpsql check " << draft.url << " --policy " << file << "\n";
  if (draft.unit.empty()) return;
  const std::string url = draft.url == ":memory:" ? "" : draft.url + " ";
  std::cerr << "then:  dpsql " << url << "--policy " << file << " -c 'SELECT count(*) FROM "
            << draft.table << "'\n";
}

}  // namespace

int RunInit(int argc, char** argv) {
  int exit_code = 0;
  const auto options = Parse(argc, argv, exit_code);
  if (!options) return exit_code;
  const auto draft = DraftPolicy(*options);
  if (!draft) return Fail(draft.error(), "", Format::kBox);
  if (options->policy.empty()) {
    std::cout << draft->text;
  } else if (const int failed = WriteNew(options->policy, draft->text); failed != 0) {
    return failed;
  }
  SayWhatNext(*draft, options->policy);
  return 0;
}

}  // namespace dpsql::cli
