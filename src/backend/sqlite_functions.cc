#include "backend/sqlite_functions.h"

#include <sqlite3.h>

#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "backend/regex_matcher.h"
#include "backend/sqlite_values.h"
#include "base/int128.h"
#include "base/utf8.h"

namespace dpsql {
namespace {

constexpr const char* kFailed = "a function of the query failed";

std::string_view TextOf(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  return text == nullptr ? std::string_view() : std::string_view(text, size);
}

std::string_view BytesOf(sqlite3_value* value) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
}

std::string HexOf(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits += kDigits[byte >> 4];
    digits += kDigits[byte & 15];
  }
  return digits;
}

bool IsText(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_TEXT; }

void Bigint(sqlite3_context* context, int, sqlite3_value** arguments) {
  if (sqlite3_value_type(*arguments) != SQLITE_INTEGER) return;  // the result is NULL
  sqlite3_result_int64(context, sqlite3_value_int64(*arguments));
}

void Boolean(sqlite3_context* context, int, sqlite3_value** arguments) {
  if (sqlite3_value_type(*arguments) != SQLITE_INTEGER) return;
  const sqlite3_int64 value = sqlite3_value_int64(*arguments);
  if (value == 0 || value == 1) sqlite3_result_int64(context, value);
}

void Double(sqlite3_context* context, int, sqlite3_value** arguments) {
  const int type = sqlite3_value_type(*arguments);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return;
  sqlite3_result_double(context, sqlite3_value_double(*arguments));
}

void Varchar(sqlite3_context* context, int, sqlite3_value** arguments) {
  if (!IsText(*arguments)) return;
  const std::string_view text = TextOf(*arguments);
  if (!IsPlainText(text)) return;
  if (text.size() <= kLongestWholeText) return sqlite3_result_value(context, *arguments);
  const std::string shorter = ShortText(text);
  sqlite3_result_text64(context, shorter.data(), shorter.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Date(sqlite3_context* context, int, sqlite3_value** arguments) {
  if (IsText(*arguments) && IsDay(TextOf(*arguments))) sqlite3_result_value(context, *arguments);
}

void Timestamp(sqlite3_context* context, int, sqlite3_value** arguments) {
  if (!IsText(*arguments)) return;
  const std::optional<std::string> moment = MomentOf(TextOf(*arguments));
  if (!moment) return;
  sqlite3_result_text(context, moment->data(), static_cast<int>(moment->size()), SQLITE_TRANSIENT);
}

// Whether there is a value is all that is believed of it, but public tables may show it: texts and
// numbers as they are written, other bytes in hexadecimal digits.
void Other(sqlite3_context* context, int, sqlite3_value** arguments) {
  const int type = sqlite3_value_type(*arguments);
  if (type == SQLITE_NULL) return;
  const std::string_view text = type == SQLITE_BLOB ? BytesOf(*arguments) : TextOf(*arguments);
  std::string shown(text.substr(0, kLongestSqliteText));
  const bool is_whole = shown.size() == text.size();
  if (type == SQLITE_BLOB || !is_whole || !IsPlainText(text)) shown = HexOf(shown);
  sqlite3_result_text64(context, shown.data(), shown.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Whether a comes before b; both are numbers, or both texts, which compare by their bytes.
bool IsLess(sqlite3_value* a, sqlite3_value* b) {
  if (IsText(a) || IsText(b)) return IsText(a) && IsText(b) && TextOf(a) < TextOf(b);
  const bool whole =
      sqlite3_value_type(a) == SQLITE_INTEGER && sqlite3_value_type(b) == SQLITE_INTEGER;
  return whole ? sqlite3_value_int64(a) < sqlite3_value_int64(b)
               : sqlite3_value_double(a) < sqlite3_value_double(b);
}

// The first of the extremes among the values that are not NULL.
template <bool greatest>
void Extreme(sqlite3_context* context, int count, sqlite3_value** arguments) {
  sqlite3_value* found = nullptr;
  for (int i = 0; i < count; ++i) {
    if (sqlite3_value_type(arguments[i]) == SQLITE_NULL) continue;
    const bool better =
        found == nullptr || (greatest ? IsLess(found, arguments[i]) : IsLess(arguments[i], found));
    if (better) found = arguments[i];
  }
  if (found != nullptr) sqlite3_result_value(context, found);
}

// The number of a text's first code point, 0 for the empty text.
void Ascii(sqlite3_context* context, int, sqlite3_value** arguments) {
  if (!IsText(*arguments)) return;
  const std::string_view text = TextOf(*arguments);
  sqlite3_result_int64(context, text.empty() ? 0 : DecodeUtf8(text).value);
}

void Like(sqlite3_context* context, int count, sqlite3_value** arguments) {
  for (int i = 0; i < count; ++i) {
    if (!IsText(arguments[i])) return;
  }
  const std::string_view escape = count == 3 ? TextOf(arguments[2]) : "";
  sqlite3_result_int(context, IsLike(TextOf(arguments[0]), TextOf(arguments[1]), escape) ? 1 : 0);
}

// The pattern is a literal, for which SQLite keeps the automaton from row to row.
void Matches(sqlite3_context* context, int count, sqlite3_value** arguments) {
  constexpr int kPattern = 1;
  if (!IsText(arguments[0]) || !IsText(arguments[kPattern])) return;
  try {
    auto* matcher = static_cast<RegexMatcher*>(sqlite3_get_auxdata(context, kPattern));
    std::unique_ptr<RegexMatcher> made;
    if (matcher == nullptr) {
      const std::string_view pattern = TextOf(arguments[kPattern]);
      const RegexReading reading = count == 3 ? ReadFoldedRegex(pattern) : ReadRegex(pattern);
      if (!reading.fault.empty()) return sqlite3_result_error(context, kFailed, -1);
      made = std::make_unique<RegexMatcher>(reading.regex);
      matcher = made.get();
    }
    sqlite3_result_int(context, matcher->IsFoundIn(TextOf(arguments[0])) ? 1 : 0);
    if (made == nullptr) return;
    sqlite3_set_auxdata(context, kPattern, made.release(),
                        [](void* kept) { delete static_cast<RegexMatcher*>(kept); });
  } catch (...) {
    sqlite3_result_error(context, kFailed, -1);
  }
}

// What a sum has seen. SQLite gives memory for 64 bits at a time, hence two halves.
struct Sum {
  std::uint64_t low;
  std::uint64_t high;
  double real;
  std::int64_t wholes;
  std::int64_t reals;

  void Add(Int128 value) {
    const UInt128 sum = (UInt128{high} << 64 | low) + static_cast<UInt128>(value);
    low = static_cast<std::uint64_t>(sum);
    high = static_cast<std::uint64_t>(sum >> 64);
  }
  Int128 whole() const { return static_cast<Int128>(UInt128{high} << 64 | low); }
};

// Adds a value, or takes one away that was added before.
void Change(sqlite3_context* context, sqlite3_value* value, int sign) {
  auto* sum = static_cast<Sum*>(sqlite3_aggregate_context(context, sizeof(Sum)));
  if (sum == nullptr) return sqlite3_result_error_nomem(context);
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      sum->Add(Int128{sqlite3_value_int64(value)} * sign);
      sum->wholes += sign;
      break;
    case SQLITE_FLOAT:
      sum->real += sqlite3_value_double(value) * sign;
      sum->reals += sign;
      break;
    default:
      break;
  }
}

void SumStep(sqlite3_context* context, int, sqlite3_value** arguments) {
  Change(context, *arguments, 1);
}

void SumInverse(sqlite3_context* context, int, sqlite3_value** arguments) {
  Change(context, *arguments, -1);
}

void SumValue(sqlite3_context* context) {
  const auto* sum = static_cast<const Sum*>(sqlite3_aggregate_context(context, 0));
  if (sum == nullptr || (sum->wholes == 0 && sum->reals == 0)) return;
  const Int128 whole = sum->whole();
  using Limits = std::numeric_limits<std::int64_t>;
  if (sum->reals != 0) {
    sqlite3_result_double(context, static_cast<double>(whole) + sum->real);
  } else if (whole >= Limits::min() && whole <= Limits::max()) {
    sqlite3_result_int64(context, static_cast<std::int64_t>(whole));
  } else {
    sqlite3_result_double(context, static_cast<double>(whole));
  }
}

void RowsStep(sqlite3_context* context, int count, sqlite3_value** arguments) {
  auto* rows = static_cast<std::int64_t*>(sqlite3_aggregate_context(context, sizeof(std::int64_t)));
  SqliteRowTaker* const taker = *static_cast<SqliteRowTaker**>(sqlite3_user_data(context));
  if (rows == nullptr) return sqlite3_result_error_nomem(context);
  try {
    if (taker == nullptr || count < 1) throw std::bad_alloc();
    taker->Take({arguments + 1, static_cast<std::size_t>(count - 1)});
    ++*rows;
  } catch (...) {
    sqlite3_result_error(context, kFailed, -1);
  }
}

void RowsCount(sqlite3_context* context) {
  const auto* rows = static_cast<const std::int64_t*>(sqlite3_aggregate_context(context, 0));
  sqlite3_result_int64(context, rows == nullptr ? 0 : *rows);
}

struct Scalar {
  const char* name;
  int arguments;
  void (*call)(sqlite3_context*, int, sqlite3_value**);
};

constexpr auto kScalars = std::to_array<Scalar>({
    {"dpsql_bigint", 1, Bigint},
    {"dpsql_boolean", 1, Boolean},
    {"dpsql_double", 1, Double},
    {"dpsql_varchar", 1, Varchar},
    {"dpsql_date", 1, Date},
    {"dpsql_timestamp", 1, Timestamp},
    {"dpsql_other", 1, Other},
    {"dpsql_greatest", -1, Extreme<true>},
    {"dpsql_least", -1, Extreme<false>},
    {"dpsql_ascii", 1, Ascii},
    {"dpsql_like", 2, Like},
    {"dpsql_like", 3, Like},
    {"dpsql_matches", 2, Matches},
    {"dpsql_matches", 3, Matches},
});

}  // namespace

bool AddSqliteFunctions(sqlite3* connection, SqliteRowTaker** taker) {
  constexpr int kPure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
  for (const Scalar& scalar : kScalars) {
    if (sqlite3_create_function_v2(connection, scalar.name, scalar.arguments, kPure, nullptr,
                                   scalar.call, nullptr, nullptr, nullptr) != SQLITE_OK) {
      return false;
    }
  }
  return sqlite3_create_window_function(connection, "dpsql_sum", 1, kPure, nullptr, SumStep,
                                        SumValue, SumValue, SumInverse, nullptr) == SQLITE_OK &&
         sqlite3_create_function_v2(connection, "dpsql_rows", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                    taker, nullptr, RowsStep, RowsCount, nullptr) == SQLITE_OK;
}

}  // namespace dpsql
