#include "account/head_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <optional>

#include "account/ledger_errors.h"
#include "base/check.h"
#include "base/try.h"

namespace dpsql {
namespace {

constexpr std::size_t kSequenceDigits = 20;
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kLineSize = kSequenceDigits + 1 + kHashDigits + 1;

std::optional<HeadLine> ParseLine(std::string_view text) {
  if (text.size() != kLineSize) return std::nullopt;
  HeadLine line;
  const auto end = std::from_chars(text.data(), text.data() + kSequenceDigits, line.sequence);
  if (end.ec != std::errc{}) return std::nullopt;
  line.hash = text.substr(kSequenceDigits + 1, kHashDigits);
  if (ToText(line) != text) return std::nullopt;
  return line;
}

Status WriteAll(const FileDescriptor& fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return StorageError("cannot write", path, written == 0 ? ENOSPC : errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return Done{};
}

Status SyncData(const FileDescriptor& fd, const std::string& path) {
  if (::fdatasync(fd.get()) != 0) return StorageError("cannot flush", path, errno);
  return Done{};
}

Result<std::string> ReadAt(const FileDescriptor& fd, std::size_t offset, std::size_t size,
                           const std::string& path) {
  std::string bytes(size, '\0');
  const ssize_t got = ::pread(fd.get(), bytes.data(), size, static_cast<off_t>(offset));
  if (got < 0) return StorageError("cannot read", path, errno);
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

}  // namespace

std::string ToText(const HeadLine& line) {
  Check(line.sequence >= 0 && line.hash.size() == kHashDigits, "a head line has its fixed width");
  std::array<char, kSequenceDigits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%020" PRId64, line.sequence);
  return std::string(digits.data()) + ' ' + line.hash + '\n';
}

Status HeadFile::Create(const std::string& path, const HeadLine& genesis) {
  const FileDescriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd.valid()) return StorageError("cannot create", path, errno);
  TRY_DONE(WriteAll(fd, ToText(genesis), path));
  return SyncData(fd, path);
}

Result<HeadFile> HeadFile::Open(std::string path) {
  FileDescriptor fd(::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
  if (!fd.valid()) return StorageError("cannot open", path, errno);
  return HeadFile(std::move(fd), std::move(path));
}

Result<HeadLine> HeadFile::Line(std::int64_t sequence) const {
  Check(sequence >= 0, "entries are numbered from 0");
  const std::size_t offset = static_cast<std::size_t>(sequence) * kLineSize;
  TRY(const std::string text, ReadAt(fd_, offset, kLineSize, path_));
  const std::optional<HeadLine> line = ParseLine(text);
  if (!line || line->sequence != sequence) {
    return DamageError("line " + std::to_string(sequence) + " of its head file is wrong", path_);
  }
  return *line;
}

Result<HeadTail> HeadFile::Tail() const {
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) return StorageError("cannot read", path_, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < kLineSize) return DamageError("its head file is cut short", path_);
  HeadTail tail;
  TRY(tail.last, Line(static_cast<std::int64_t>(size / kLineSize) - 1));
  TRY(tail.torn, ReadAt(fd_, size - size % kLineSize, size % kLineSize, path_));
  return tail;
}

Status HeadFile::Append(const HeadLine& line, std::string_view torn) {
  const std::string text = ToText(line);
  if (!text.starts_with(torn)) return DamageError("the end of its head file is wrong", path_);
  return WriteAll(fd_, std::string_view(text).substr(torn.size()), path_);
}

Status HeadFile::Sync() { return SyncData(fd_, path_); }

bool HeadFile::HasMoved() const {
  struct stat here {};
  struct stat named {};
  if (::fstat(fd_.get(), &here) != 0 || ::stat(path_.c_str(), &named) != 0) return true;
  return here.st_dev != named.st_dev || here.st_ino != named.st_ino;
}

}  // namespace dpsql
