// Runs a fuzz target without libFuzzer, the same inputs each time: the entries of the given files
// as they are and then mutated, or, without files, random bytes.
//
//   fuzz_text INPUTS [FILE…]
//
// Entries of a file are separated by empty lines; in a file of the name *.hex they are its lines,
// two digits a byte.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/target.h"

namespace {

constexpr std::uint64_t kSeed = 20'260'101;
constexpr std::size_t kMaxRandomBytes = 1'500;
constexpr std::size_t kMaxTextBytes = 2'000;

std::string FromHex(std::string_view digits) {
  std::string bytes;
  for (; digits.size() >= 2; digits.remove_prefix(2)) {
    unsigned value = 0;
    std::from_chars(digits.data(), digits.data() + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> entries;
  for (std::string line; std::getline(file, line);) entries.push_back(FromHex(line));
  return entries;
}

std::vector<std::string> ReadEntries(const std::string& path) {
  if (path.ends_with(".hex")) return ReadLines(path);
  std::ifstream file(path);
  std::vector<std::string> entries;
  std::string entry;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) {
      entry += line + "\n";
    } else if (!entry.empty()) {
      entries.push_back(std::move(entry));
      entry.clear();
    }
  }
  if (!entry.empty()) entries.push_back(std::move(entry));
  return entries;
}

class Mutator {
 public:
  Mutator(std::vector<std::string> entries, bool bytes)
      : entries_(std::move(entries)), bytes_(bytes) {}

  std::string Next() {
    if (entries_.empty()) return RandomBytes(Below(kMaxRandomBytes));
    std::string text = entries_[Below(entries_.size())];
    for (std::size_t i = 0, changes = 1 + Below(4) / 3; i < changes; ++i) {
      bytes_ ? ChangeBytes(text) : Change(text);
    }
    return text.substr(0, kMaxTextBytes);
  }

 private:
  std::size_t Below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  std::string RandomBytes(std::size_t size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random_() & 0xff);
    return bytes;
  }

  const std::string& Entry() { return entries_[Below(entries_.size())]; }

  // A stretch of `text` between two blanks, or one in brackets: what can stand for another of its
  // kind. Single bytes seldom can.
  struct Stretch {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  Stretch Word(const std::string& text) {
    const std::size_t found = text.find_first_of(" \n", Below(text.size() + 1));
    const std::size_t begin = found == std::string::npos ? 0 : found + 1;
    const std::size_t end = text.find_first_of(" \n", begin + 1 + Below(30));
    return {begin, std::min(end, text.size()) - std::min(begin, text.size())};
  }
  Stretch Brackets(const std::string& text) {
    const std::size_t begin = text.find('(', Below(text.size() + 1));
    if (begin == std::string::npos) return Word(text);
    std::size_t open = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
      if (text[i] == '(') ++open;
      if (text[i] == ')' && --open == 0) return {begin, i + 1 - begin};
    }
    return {begin, text.size() - begin};
  }

  void Change(std::string& text) {
    const std::string& other = Entry();
    const bool brackets = Below(4) != 0;
    const Stretch here = brackets ? Brackets(text) : Word(text);
    const Stretch there = brackets ? Brackets(other) : Word(other);
    const std::string piece = other.substr(std::min(there.begin, other.size()), there.size);
    const std::size_t at = std::min(here.begin, text.size());
    switch (Below(16)) {
      case 0:
        text.insert(Below(text.size() + 1), RandomBytes(1));
        break;
      case 1:
        text.insert(Below(text.size() + 1), 1, "()'\";,.*-+/$[]=<>:\\"[Below(19)]);
        break;
      case 2:
      case 3:
        text.erase(at, here.size);
        break;
      case 4:
      case 5:
        text.insert(at, piece + " ");
        break;
      default:
        text.replace(at, here.size, piece);
    }
  }

  // Of bytes that are choices every stretch can stand for every other.
  void ChangeBytes(std::string& bytes) {
    const std::string& other = Entry();
    const std::size_t at = Below(bytes.size() + 1);
    const std::size_t from = Below(other.size() + 1);
    switch (Below(5)) {
      case 0:
        bytes.erase(at, Below(8));
        break;
      case 1:
        bytes.insert(at, RandomBytes(1 + Below(8)));
        break;
      case 2:
        bytes.replace(at, std::string::npos, other.substr(from));
        break;
      default:
        bytes.replace(at, 1, RandomBytes(1));
    }
  }

  std::vector<std::string> entries_;
  bool bytes_;
  std::mt19937_64 random_{kSeed};
};

void Run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t inputs = 0;
  const char* const number = argc > 1 ? argv[1] : "";
  const char* const end = number + std::strlen(number);
  if (std::from_chars(number, end, inputs).ptr != end || number == end) {
    std::cerr << "usage: " << argv[0] << " INPUTS [FILE…]\n";
    return 2;
  }
  std::vector<std::string> entries;
  bool bytes = false;
  for (int i = 2; i < argc; ++i) {
    bytes = bytes || std::string_view(argv[i]).ends_with(".hex");
    std::vector<std::string> more = ReadEntries(argv[i]);
    if (more.empty()) {
      std::cerr << argv[i] << ": no entries\n";
      return 2;
    }
    entries.insert(entries.end(), more.begin(), more.end());
  }
  LLVMFuzzerInitialize(&argc, &argv);
  for (const std::string& entry : entries) Run(entry);
  Mutator mutator(std::move(entries), bytes);
  for (std::size_t i = 0; i < inputs; ++i) Run(mutator.Next());
  return 0;
}
