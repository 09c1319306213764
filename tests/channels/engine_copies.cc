// Copies DuckDB files to another engine and keeps the copies until its input ends:
//
//   engine_copies ENGINE POLICY FILE…
//
// prints a line for each file, the URL of the copy, and then the path of a policy that says of it
// what POLICY says of the file. Ends with 77 where this machine has no such engine.
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "support/engine_copies.h"

namespace dpsql {
namespace {

int Run(const std::string& engine, const std::string& policy,
        const std::vector<std::string>& files) {
  constexpr int kNotInstalled = 77;
  EngineCopies copies(engine);
  std::string name;
  for (const std::string& file : files) {
    name = std::filesystem::path(file).stem();
    const auto url = copies.Fill(name, file);
    if (!url) return kNotInstalled;
    std::cout << *url << "\n";
  }
  std::cout << copies.PolicyOf(name, policy) << std::endl;
  while (std::cin.get() != std::char_traits<char>::eof()) {
  }
  return 0;
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: engine_copies ENGINE POLICY FILE…\n";
    return 2;
  }
  return dpsql::Run(argv[1], argv[2], {argv + 3, argv + argc});
}
