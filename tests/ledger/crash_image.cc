#include "ledger/crash_image.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace dpsql {
namespace {

constexpr std::uint64_t kSector = 512;
constexpr std::uint64_t kPage = 4096;

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void Put(std::string& bytes, std::uint64_t offset, std::string_view data) {
  if (bytes.size() < offset + data.size()) bytes.resize(offset + data.size(), '\0');
  std::copy(data.begin(), data.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
}

// Calls `use(offset, size)` for each sector that the range touches.
template <typename Use>
void ForEachSector(std::uint64_t offset, std::uint64_t size, Use use) {
  for (std::uint64_t at = offset; at < offset + size;) {
    const std::uint64_t end = std::min((at / kSector + 1) * kSector, offset + size);
    use(at, end - at);
    at = end;
  }
}

}  // namespace

CrashDisk CrashDisk::Of(const std::string& directory) {
  CrashDisk disk;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with("-shm")) continue;
    struct stat status {};
    ::stat(entry.path().c_str(), &status);
    auto file = std::make_shared<File>();
    file->durable = file->cached = ReadFile(entry.path());
    disk.files_[status.st_ino] = file;
    disk.durable_names_[name] = disk.cached_names_[name] = file;
  }
  return disk;
}

void CrashDisk::ApplyChange(std::string& bytes, const Change& change) {
  if (change.truncate) {
    bytes.resize(change.offset, '\0');
  } else {
    Put(bytes, change.offset, change.data);
  }
}

void CrashDisk::ApplyName(Names& names, const NameChange& change) {
  if (!change.old_name.empty()) names.erase(change.old_name);
  if (change.file == nullptr) {
    names.erase(change.name);
  } else {
    names[change.name] = change.file;
  }
}

void CrashDisk::ChangeName(NameChange change) {
  ApplyName(cached_names_, change);
  name_changes_.push_back(std::move(change));
}

// The pages that were written since the last flush become durable as they stand in the cache. A
// page whose flush failed is not among them unless somebody wrote to it again.
void CrashDisk::Flush(File& file) {
  std::set<std::uint64_t> pages;
  std::vector<Change> left;
  for (const Change& change : file.changes) {
    if (change.forgotten) {
      left.push_back(change);
    } else if (change.truncate) {
      file.durable.resize(change.offset, '\0');
      left.clear();
    } else {
      const std::uint64_t last = (change.offset + change.data.size() - 1) / kPage;
      for (std::uint64_t page = change.offset / kPage; page <= last; ++page) pages.insert(page);
    }
  }
  for (const std::uint64_t page : pages) {
    if (page * kPage >= file.cached.size()) continue;
    Put(file.durable, page * kPage, std::string_view(file.cached).substr(page * kPage, kPage));
  }
  std::erase_if(left, [&](const Change& change) {
    return pages.contains(change.offset / kPage) ||
           pages.contains((change.offset + change.data.size()) / kPage);
  });
  file.changes = std::move(left);
}

void CrashDisk::Apply(const TraceRecord& record) {
  if (record.kind == TraceKind::kSyncDirectory) {
    durable_names_ = cached_names_;
    name_changes_.clear();
    return;
  }
  if (record.kind == TraceKind::kCreate) {
    auto file = std::make_shared<File>();
    files_[record.file] = file;
    ChangeName({.name = std::string(record.data), .file = file, .old_name = ""});
    return;
  }
  if (record.kind == TraceKind::kUnlink) {
    ChangeName({.name = std::string(record.data), .file = nullptr, .old_name = ""});
    return;
  }
  if (record.kind == TraceKind::kRename) {
    const std::size_t end = record.data.find('\0');
    const std::string from(record.data.substr(0, end));
    ChangeName({.name = std::string(record.data.substr(end + 1)),
                .file = cached_names_.at(from),
                .old_name = from});
    return;
  }
  File& file = *files_.at(record.file);
  if (record.kind == TraceKind::kSync) {
    Flush(file);
  } else if (record.kind == TraceKind::kSyncFailed) {
    for (Change& change : file.changes) change.forgotten = true;
  } else {
    const Change change{.truncate = record.kind == TraceKind::kTruncate,
                        .forgotten = false,
                        .offset = record.offset,
                        .data = record.data};
    ApplyChange(file.cached, change);
    file.changes.push_back(change);
  }
}

std::string CrashDisk::Survivor(const File& file, const CrashPolicy& policy,
                                std::mt19937_64& random) {
  if (policy.unflushed == Unflushed::kKept) return file.cached;
  std::string bytes = file.durable;
  if (policy.unflushed == Unflushed::kDropped) return bytes;
  std::uint64_t base = bytes.size();  // what lies above has grown since the last flush
  const std::size_t half = file.changes.size() / 2;
  for (std::size_t i = 0; i < file.changes.size(); ++i) {
    const Change& change = file.changes[i];
    const bool by_sector = policy.unflushed == Unflushed::kSectors && !change.truncate;
    const bool kept = policy.unflushed == Unflushed::kLastKept ? i >= half : random() % 3 != 0;
    if (!kept && !by_sector) continue;
    if (change.truncate) {
      bytes.resize(change.offset, '\0');
      base = std::min<std::uint64_t>(base, bytes.size());
      continue;
    }
    const bool torn = policy.unflushed == Unflushed::kWrites && random() % 3 == 0;
    const std::uint64_t cut = torn ? random() % (change.data.size() + 1) : change.data.size();
    ForEachSector(change.offset, change.data.size(), [&](std::uint64_t at, std::uint64_t size) {
      if (at - change.offset > cut || (torn && at - change.offset == cut)) return;
      if (by_sector && random() % 2 == 0) return;
      Put(bytes, at, change.data.substr(at - change.offset, size));
    });
  }
  if (policy.ordered && bytes.size() > base) {
    const std::uint64_t end = std::min(bytes.size(), file.cached.size());
    bytes.resize(std::max(base, end));
    if (end > base) Put(bytes, base, std::string_view(file.cached).substr(base, end - base));
  }
  return bytes;
}

CrashDisk::Names CrashDisk::SurvivingNames(const CrashPolicy& policy,
                                           std::mt19937_64& random) const {
  if (policy.unflushed == Unflushed::kDropped) return durable_names_;
  if (policy.unflushed == Unflushed::kKept) return cached_names_;
  Names names = durable_names_;
  const std::size_t size = name_changes_.size();
  if (policy.ordered) {
    const std::size_t kept = random() % (size + 1);
    for (std::size_t i = 0; i < kept; ++i) ApplyName(names, name_changes_[i]);
    return names;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const bool kept = policy.unflushed == Unflushed::kLastKept ? 2 * i >= size : random() % 2 == 0;
    if (kept) ApplyName(names, name_changes_[i]);
  }
  return names;
}

void CrashDisk::WriteImage(const CrashPolicy& policy, const std::string& directory) const {
  std::filesystem::remove_all(directory);
  std::filesystem::create_directory(directory);
  std::mt19937_64 random(policy.seed);
  for (const auto& [name, file] : SurvivingNames(policy, random)) {
    const std::string bytes = Survivor(*file, policy, random);
    std::ofstream(directory + "/" + name, std::ios::binary) << bytes;
  }
}

}  // namespace dpsql
