#include "speed/asker.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

namespace dpsql {
namespace {

std::string MakeFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "dpsql-bench-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  return name;
}

std::string Words(const Error& error) { return error.code + ": " + error.message; }

}  // namespace

Asker::Asker(const std::string& database, const std::string& policy) : folder_(MakeFolder()) {
  std::ofstream(folder_ + "/bench.toml") << policy;
  Result<Session> opened = Session::Open({.url = database,
                                          .policy = folder_ + "/bench.toml",
                                          .ledger = folder_ + "/bench.ledger",
                                          .analyst = "bench"});
  if (opened) {
    session_.emplace(std::move(opened).value());
  } else {
    refusal_ = Words(opened.error());
  }
}

Asker::~Asker() {
  session_.reset();
  std::filesystem::remove_all(folder_);
}

void Asker::Set(const std::string& settings) {
  if (!session_ || settings.empty()) return;
  const Status done = session_->Run(settings, [](const Reply&) {});
  if (!done) refusal_ = Words(done.error());
}

const Answer* Asker::Ask(const std::string& sql) {
  if (!refusal_.empty()) return nullptr;
  Result<Answer> answer = session_->Ask(sql);
  if (!answer) {
    refusal_ = Words(answer.error());
  } else if (answer->stored) {
    refusal_ = "the answer was stored, nothing was computed";
  } else {
    answer_.emplace(std::move(answer).value());
  }
  return refusal_.empty() ? &*answer_ : nullptr;
}

}  // namespace dpsql
