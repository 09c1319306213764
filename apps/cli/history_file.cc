#include "history_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "sql_tokens.h"

namespace dpsql::cli {
namespace {

constexpr std::size_t kMostEntries = 1000;
constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

// $XDG_STATE_HOME/dpsql, or ~/.local/state/dpsql; empty where there is no home.
std::filesystem::path StateFolder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::filesystem::path(state) / "dpsql";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return std::filesystem::path(home) / ".local" / "state" / "dpsql";
}

bool WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Writes to a file that is, or becomes, its owner's alone.
bool WriteOwnFile(const std::string& path, int flags, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, kOwnerOnly);
  if (file < 0) return false;
  const bool written = fchmod(file, kOwnerOnly) == 0 && WriteAll(file, text);
  return close(file) == 0 && written;
}

}  // namespace

HistoryFile::HistoryFile() {
  const std::filesystem::path folder = StateFolder();
  if (folder.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed) path_ = folder / "history";
}

std::vector<std::string> HistoryFile::Load() const {
  std::vector<std::string> entries;
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line);) entries.push_back(line);
  if (entries.size() <= kMostEntries) return entries;
  entries.erase(entries.begin(), entries.end() - kMostEntries);
  std::string text;
  for (const std::string& entry : entries) text += entry + "\n";
  const std::string fresh = path_ + ".new";
  const bool kept =
      WriteOwnFile(fresh, O_TRUNC, text) && std::rename(fresh.c_str(), path_.c_str()) == 0;
  if (!kept) std::remove(fresh.c_str());
  return entries;
}

void HistoryFile::Append(std::string_view entry) const {
  if (!path_.empty()) WriteOwnFile(path_, O_APPEND, std::string(entry) + "\n");
}

std::vector<std::string> HistoryEntries(std::string_view statement) {
  const std::vector<Token> tokens = Tokenize(statement);
  const bool joinable = std::all_of(tokens.begin(), tokens.end(), [](const Token& token) {
    if (token.kind == TokenKind::kSpace) return true;
    return token.text.find('\n') == std::string_view::npos && !token.text.starts_with("--");
  });
  if (joinable) {
    std::string line(statement);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return {line};
  }
  std::vector<std::string> lines;
  std::istringstream text{std::string(statement)};
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace dpsql::cli
