#include "backend/duckdb_cell_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace dpsql {
namespace {

// Decimals of at most this width are below 2^53, where DuckDB too divides two exact doubles.
constexpr std::uint8_t kExactWidth = 15;

std::string TakeText(duckdb_value value) {
  char* const text = duckdb_get_varchar(value);
  std::string copy = text;
  duckdb_free(text);
  duckdb_destroy_value(&value);
  return copy;
}

std::optional<Payload> WholeNumber(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_TINYINT:
      return Payload::kInt8;
    case DUCKDB_TYPE_SMALLINT:
      return Payload::kInt16;
    case DUCKDB_TYPE_INTEGER:
      return Payload::kInt32;
    case DUCKDB_TYPE_BIGINT:
      return Payload::kInt64;
    case DUCKDB_TYPE_UTINYINT:
      return Payload::kUint8;
    case DUCKDB_TYPE_USMALLINT:
      return Payload::kUint16;
    case DUCKDB_TYPE_UINTEGER:
      return Payload::kUint32;
    default:
      return std::nullopt;
  }
}

Payload DecimalPayload(duckdb_logical_type type) {
  switch (duckdb_decimal_internal_type(type)) {
    case DUCKDB_TYPE_SMALLINT:
      return Payload::kInt16;
    case DUCKDB_TYPE_INTEGER:
      return Payload::kInt32;
    case DUCKDB_TYPE_BIGINT:
      return Payload::kInt64;
    default:
      return Payload::kWide;
  }
}

ColumnType DecimalKey(duckdb_logical_type type) {
  const std::uint8_t width = duckdb_decimal_width(type);
  const std::uint8_t scale = duckdb_decimal_scale(type);
  const Payload payload = DecimalPayload(type);
  const bool wide = payload == Payload::kWide;
  return {.payload = payload, .to_value = [=](RawValue raw) -> Value {
            const auto narrow = static_cast<std::int64_t>(raw.low);
            const std::int64_t upper =
                wide ? static_cast<std::int64_t>(raw.high) : (narrow < 0 ? -1 : 0);
            return TakeText(duckdb_create_decimal({width, scale, {raw.low, upper}}));
          }};
}

ColumnType DateKey() {
  return {.payload = Payload::kInt32, .to_value = [](RawValue raw) -> Value {
            return TakeText(duckdb_create_date({static_cast<std::int32_t>(raw.low)}));
          }};
}

ColumnType TimestampKey() {
  return {.payload = Payload::kInt64, .to_value = [](RawValue raw) -> Value {
            return TakeText(duckdb_create_timestamp({static_cast<std::int64_t>(raw.low)}));
          }};
}

// Vectors hold a UUID with its first bit turned, so that it orders as a signed number.
ColumnType UuidKey() {
  return {.payload = Payload::kWide, .to_value = [](RawValue raw) -> Value {
            constexpr std::uint64_t kFirstBit = std::uint64_t{1} << 63;
            return TakeText(duckdb_create_uuid({raw.low, raw.high ^ kFirstBit}));
          }};
}

std::optional<ColumnType> KeyType(duckdb_logical_type type) {
  const duckdb_type id = duckdb_get_type_id(type);
  if (const auto whole = WholeNumber(id)) return ColumnType{.payload = *whole};
  switch (id) {
    case DUCKDB_TYPE_BOOLEAN:
      return ColumnType{.payload = Payload::kBool};
    case DUCKDB_TYPE_VARCHAR:
      return ColumnType{.payload = Payload::kText};
    case DUCKDB_TYPE_DECIMAL:
      return DecimalKey(type);
    case DUCKDB_TYPE_DATE:
      return DateKey();
    case DUCKDB_TYPE_TIMESTAMP:
      return TimestampKey();
    case DUCKDB_TYPE_UUID:
      return UuidKey();
    default:
      return std::nullopt;
  }
}

std::optional<ColumnType> UnitType(duckdb_logical_type type) {
  const duckdb_type id = duckdb_get_type_id(type);
  if (const auto whole = WholeNumber(id)) return ColumnType{.payload = *whole};
  if (id == DUCKDB_TYPE_UBIGINT) return ColumnType{.payload = Payload::kUint64};
  if (id == DUCKDB_TYPE_VARCHAR) return ColumnType{.payload = Payload::kText};
  if (id == DUCKDB_TYPE_UUID) return UuidKey();
  return std::nullopt;
}

std::optional<ColumnType> NumberType(duckdb_logical_type type) {
  const duckdb_type id = duckdb_get_type_id(type);
  if (const auto whole = WholeNumber(id)) return ColumnType{.payload = *whole};
  if (id == DUCKDB_TYPE_UBIGINT) return ColumnType{.payload = Payload::kUint64};
  if (id == DUCKDB_TYPE_FLOAT) return ColumnType{.payload = Payload::kFloat};
  if (id == DUCKDB_TYPE_DOUBLE) return ColumnType{.payload = Payload::kDouble};
  if (id != DUCKDB_TYPE_DECIMAL || duckdb_decimal_width(type) > kExactWidth) return std::nullopt;
  // A power of ten up to 10^15 is an exact double.
  return ColumnType{.payload = DecimalPayload(type),
                    .divisor = std::pow(10.0, duckdb_decimal_scale(type))};
}

bool IsOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 7> kWholeNames = {
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"};
constexpr std::array<std::string_view, 5> kKeyNames = {"BOOLEAN", "VARCHAR", "DATE", "TIMESTAMP",
                                                       "UUID"};
constexpr std::array<std::string_view, 3> kUnitNames = {"UBIGINT", "VARCHAR", "UUID"};
constexpr std::array<std::string_view, 3> kNumberNames = {"UBIGINT", "FLOAT", "DOUBLE"};

}  // namespace

bool CellsTake(CellColumn column, const std::string& type) {
  if (IsOneOf(type, kWholeNames)) return true;
  const bool is_decimal = type.starts_with("DECIMAL(");
  switch (column) {
    case CellColumn::kUnit:
      return IsOneOf(type, kUnitNames);
    case CellColumn::kKey:
    case CellColumn::kDistinct:
      return is_decimal || IsOneOf(type, kKeyNames);
    case CellColumn::kValue:
      return IsOneOf(type, kNumberNames) ||
             (is_decimal &&
              std::atoi(type.c_str() + std::string_view("DECIMAL(").size()) <= kExactWidth);
  }
  return false;
}

std::optional<ColumnType> CellColumnType(CellColumn column, duckdb_logical_type type) {
  switch (column) {
    case CellColumn::kUnit:
      return UnitType(type);
    case CellColumn::kValue:
      return NumberType(type);
    case CellColumn::kKey:
    case CellColumn::kDistinct:
      return KeyType(type);
  }
  return std::nullopt;
}

}  // namespace dpsql
