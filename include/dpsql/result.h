#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "dpsql/error.h"

namespace dpsql {

// Either a value or the reason why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  template <typename U>
  requires(std::is_constructible_v<T, U&&> && !std::is_same_v<std::remove_cvref_t<U>, Error> &&
           !std::is_same_v<std::remove_cvref_t<U>, Result>) Result(U&& value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Requires: ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }

  // Requires: !ok().
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

struct Done {};

// A call that either worked or says why not.
using Status = Result<Done>;

}  // namespace dpsql
