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

std::string TextOf(std::span<const HeadLine> lines) {
  std::string text;
  for (const HeadLine& line : lines) text += ToText(line);
  return text;
}

}  // namespace

std::string ToText(const HeadLine& line) {
  Check(line.sequence >= 0 && line.hash.size() == kHashDigits, "a head line has its fixed width");
  std::array<char, kSequenceDigits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%020" PRId64, line.sequence);
  return std::string(digits.data()) + ' ' + line.hash + '\n';
}

Status HeadFile::Create(const std::string& path, const HeadLine& genesis) {
  const FileDescriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid()) return StorageError("cannot create", path, errno);
  TRY_DONE(WriteAll(fd, ToText(genesis), path));
  return SyncData(fd, path);
}

Result<HeadFile> HeadFile::Open(std::string path) {
  FileDescriptor fd(::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
  if (!fd.valid()) return StorageError("cannot open", path, errno);
  return HeadFile(std::move(fd), std::move(path));
}

Result<HeadFile> HeadFile::OpenToRead(std::string path) {
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
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

Result<std::size_t> HeadFile::Size() const {
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) return StorageError("cannot read", path_, errno);
  return static_cast<std::size_t>(status.st_size);
}

Result<std::int64_t> HeadFile::LastSequence() const {
  TRY(const std::size_t size, Size());
  if (size < kLineSize) return DamageError("its head file is cut short", path_);
  return static_cast<std::int64_t>(size / kLineSize) - 1;
}

Result<bool> HeadFile::EndsAt(std::int64_t sequence) const {
  TRY(const std::size_t size, Size());
  return size == static_cast<std::size_t>(sequence + 1) * kLineSize;
}

Status HeadFile::Append(std::span<const HeadLine> lines) {
  return WriteAll(fd_, TextOf(lines), path_);
}

// In place, where an appending descriptor cannot go.
Status HeadFile::Fill(std::size_t offset, std::string_view bytes) {
  const FileDescriptor fd(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd.valid()) return StorageError("cannot open", path_, errno);
  if (::lseek(fd.get(), static_cast<off_t>(offset), SEEK_SET) < 0) {
    return StorageError("cannot write", path_, errno);
  }
  return WriteAll(fd, bytes, path_);
}

Status HeadFile::Complete(std::span<const HeadLine> lines) {
  Check(!lines.empty(), "there are lines to complete");
  const std::string expected = TextOf(lines);
  const std::size_t offset = static_cast<std::size_t>(lines.front().sequence) * kLineSize;
  TRY(const std::size_t size, Size());
  if (size < offset) return DamageError("its head file is an old copy", path_);
  if (size > offset + expected.size()) {
    return DamageError("it ends at entry " + std::to_string(lines.back().sequence) +
                           ", its head file later; it is an old copy or lost its log",
                       path_);
  }
  TRY(const std::string found, ReadAt(fd_, offset, size - offset, path_));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != expected[i] && found[i] != '\0') {
      return DamageError("its head file does not match its last entries", path_);
    }
  }
  // Written even where nothing is missing: after a flush that failed, the page cache may show bytes
  // that a later flush takes for written.
  return Fill(offset, expected);
}

Status HeadFile::Sync() { return SyncData(fd_, path_); }

bool HeadFile::HasMoved() const {
  struct stat here {};
  struct stat named {};
  if (::fstat(fd_.get(), &here) != 0 || ::stat(path_.c_str(), &named) != 0) return true;
  return here.st_dev != named.st_dev || here.st_ino != named.st_ino;
}

}  // namespace dpsql
