#include "backend/key_set.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error_codes.h"
#include "plan/public_keys.h"

namespace dpsql {
namespace {

// Whether there is room for every combination of the lists' tuples and the declared values.
bool HaveRoom(const Door& door, const std::vector<KeyTuples>& lists) {
  std::size_t room = MostPublicKeys(door.query->keys);
  for (const KeyTuples& list : lists) room /= std::max<std::size_t>(1, list.size());
  return room > 0;
}

// Every key with every tuple in the places that the tuples are of.
KeyTuples Combine(const KeyTuples& keys, const KeyTuples& tuples,
                  const std::vector<std::size_t>& places) {
  KeyTuples combined;
  combined.reserve(keys.size() * tuples.size());
  for (const std::vector<Value>& key : keys) {
    for (const std::vector<Value>& tuple : tuples) {
      combined.push_back(key);
      for (std::size_t i = 0; i < places.size(); ++i) combined.back()[places[i]] = tuple.at(i);
    }
  }
  return combined;
}

}  // namespace

Result<KeyTuples> WithDeclaredKeys(const Door& door, const std::vector<KeyTuples>& lists) {
  const std::vector<BoundKey>& keys = door.query->keys;
  const bool none =
      std::any_of(lists.begin(), lists.end(), [](const KeyTuples& list) { return list.empty(); });
  if (none) return KeyTuples{};
  if (!HaveRoom(door, lists)) {
    return MakeError(
        ErrorCode::kDatabaseRun,
        "the public tables hold too many groups to list: more than " +
            std::to_string(kMostKnownKeys),
        keys[0].expr->span,
        "the budget stays spent; group by fewer columns, or narrow the public tables in WHERE");
  }
  KeyTuples all = {std::vector<Value>(keys.size())};
  for (std::size_t i = 0; i < lists.size(); ++i) {
    all = Combine(all, lists[i], KeysOf(door.public_keys.at(i), keys));
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    KeyTuples declared;
    for (const Value& value : keys[i].values) declared.push_back({value});
    if (!declared.empty()) all = Combine(all, declared, {i});
  }
  return all;
}

}  // namespace dpsql
