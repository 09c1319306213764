#include "backend/key_set.h"

#include <utility>

namespace dpsql {
namespace {

using Tuples = std::vector<std::vector<Value>>;

// Every tuple with every value behind it.
Tuples Longer(const Tuples& tuples, const std::vector<Value>& values) {
  Tuples longer;
  for (const std::vector<Value>& tuple : tuples) {
    for (const Value& value : values) {
      longer.push_back(tuple);
      longer.back().push_back(value);
    }
  }
  return longer;
}

}  // namespace

Tuples WithDeclaredKeys(const Door& door, const Tuples& tuples) {
  Tuples all;
  for (const std::vector<Value>& tuple : tuples) {
    Tuples keys = {{}};
    std::size_t next = 0;
    for (const BoundKey& key : door.query->keys) {
      keys = Longer(keys, key.values.empty() ? std::vector{tuple[next++]} : key.values);
    }
    for (std::vector<Value>& key : keys) all.push_back(std::move(key));
  }
  return all;
}

}  // namespace dpsql
