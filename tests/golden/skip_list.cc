#include "golden/skip_list.h"

#include <fstream>
#include <stdexcept>

namespace dpsql {

SkipList::SkipList(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("there is no " + path);
  constexpr const char* kBar = " | ";
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t first = line.find(kBar);
    const std::size_t last = line.rfind(kBar);
    if (first == std::string::npos || first == last || last + 3 == line.size()) {
      throw std::runtime_error(path + ": a line has no case or no reason: " + line);
    }
    skips_.push_back({.file = line.substr(0, first),
                      .begins = line.substr(first + 3, last - first - 3),
                      .reason = line.substr(last + 3)});
  }
}

const Skip* SkipList::Find(const std::string& file, const std::string& sql) const {
  for (const Skip& skip : skips_) {
    if (skip.file == file && (skip.begins == "*" || sql.starts_with(skip.begins))) return &skip;
  }
  return nullptr;
}

}  // namespace dpsql
