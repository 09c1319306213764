#include "support/engine_copies.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/file_policy.h"

namespace dpsql {
namespace {

const ConformanceEngine& EngineOf(std::string_view name) {
  const ConformanceEngine* const found = FindConformanceEngine(name);
  if (found == nullptr) throw std::runtime_error("no engine is known by " + std::string(name));
  return *found;
}

}  // namespace

EngineCopies::EngineCopies(std::string_view engine) : engine_(EngineOf(engine)) {}

std::optional<std::string> EngineCopies::Fill(const std::string& name,
                                              const std::string& duckdb_file) {
  const auto found = copies_.find(name);
  if (found != copies_.end()) return found->second.url;
  std::filesystem::create_directory(folder_ / name);
  Copy copy{.url = {}, .database = ReadDatabase(duckdb_file)};
  copy.url = engine_.fill(copy.database, folder_ / name);
  return copies_.emplace(name, std::move(copy)).first->second.url;
}

std::string EngineCopies::PolicyText(const std::string& name, const std::string& policy) const {
  if (!engine_.is_files) return policy;
  return FilePolicy(policy, copies_.at(name).database, folder_ / name);
}

std::string EngineCopies::PolicyOf(const std::string& name, const std::string& policy) {
  if (!engine_.is_files) return policy;
  const std::string path =
      folder_ / (name + "-" + std::filesystem::path(policy).filename().string());
  std::ostringstream text;
  text << std::ifstream(policy).rdbuf();
  std::ofstream(path) << PolicyText(name, text.str());
  return path;
}

}  // namespace dpsql
