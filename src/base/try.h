#pragma once

#include <utility>

#include "dpsql/result.h"

#define DPSQL_CONCAT_INNER(a, b) a##b
#define DPSQL_CONCAT(a, b) DPSQL_CONCAT_INNER(a, b)
#define DPSQL_TRY_AS(temporary, declaration, ...)           \
  auto temporary = (__VA_ARGS__);                           \
  if (!temporary.ok()) return std::move(temporary).error(); \
  declaration = std::move(temporary).value()

// `TRY(Plan plan, MakePlan(query));` declares `plan`, or returns the error to the caller.
#define TRY(declaration, ...) \
  DPSQL_TRY_AS(DPSQL_CONCAT(try_result_, __LINE__), declaration, __VA_ARGS__)

// The same for a Status.
#define TRY_DONE(...)                                        \
  do {                                                       \
    if (auto try_status = (__VA_ARGS__); !try_status.ok()) { \
      return std::move(try_status).error();                  \
    }                                                        \
  } while (false)
