#pragma once

#include <cstdint>
#include <string>

// The parts of the statistical audit. Each draws through the public interface, prints a table and
// audit lines, and returns the exit code of the program. Work grows with `draws`.
namespace dpsql {

int AuditNoiseLaw(std::int64_t draws, const std::string& program);
int AuditGdp(std::int64_t draws);
int AuditEpsilon(std::int64_t draws);
int AuditDelta(std::int64_t draws);
int AuditStructure(std::int64_t draws);

// Draws for AuditNoiseLaw in a process of its own, and writes them to standard output.
int DrawForParent(std::int64_t questions);

}  // namespace dpsql
