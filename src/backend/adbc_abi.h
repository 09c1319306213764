#pragma once

#include <cstddef>
#include <cstdint>

// What a driver of Arrow Database Connectivity (ADBC 1.1.0) and a program share: the layout of its
// tables and of Arrow's C data interface. Both are frozen by their specifications, so they are
// declared here and no header is fetched; tests/engines/adbc_layout.cc compares every place and
// size with the published header. What we do not call is a Slot.
namespace dpsql::adbc {

using Status = std::uint8_t;
using Slot = void (*)();

inline constexpr Status kOk = 0;
inline constexpr int kVersion = 1'001'000;

struct Driver;

struct Error {
  char* message;
  std::int32_t vendor_code;
  char sqlstate[5];
  void (*release)(Error*);
  void* private_data;
  Driver* private_driver;
};

struct Database {
  void* private_data;
  Driver* private_driver;
};

struct Connection {
  void* private_data;
  Driver* private_driver;
};

struct Statement {
  void* private_data;
  Driver* private_driver;
};

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowStream {
  int (*get_schema)(ArrowStream*, ArrowSchema*);
  int (*get_next)(ArrowStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowStream*);
  void (*release)(ArrowStream*);
  void* private_data;
};

// The table that a driver fills, in its order.
struct Driver {
  void* private_data;
  void* private_manager;
  Status (*release)(Driver*, Error*);

  Status (*database_init)(Database*, Error*);
  Status (*database_new)(Database*, Error*);
  Status (*database_set_option)(Database*, const char*, const char*, Error*);
  Status (*database_release)(Database*, Error*);

  Slot connection_commit;
  Slot connection_get_info;
  Slot connection_get_objects;
  Slot connection_get_table_schema;
  Slot connection_get_table_types;
  Status (*connection_init)(Connection*, Database*, Error*);
  Status (*connection_new)(Connection*, Error*);
  Slot connection_set_option;
  Slot connection_read_partition;
  Status (*connection_release)(Connection*, Error*);
  Slot connection_rollback;

  Slot statement_bind;
  Slot statement_bind_stream;
  Status (*statement_execute_query)(Statement*, ArrowStream*, std::int64_t*, Error*);
  Slot statement_execute_partitions;
  Slot statement_get_parameter_schema;
  Status (*statement_new)(Connection*, Statement*, Error*);
  Slot statement_prepare;
  Status (*statement_release)(Statement*, Error*);
  Slot statement_set_option;
  Status (*statement_set_sql_query)(Statement*, const char*, Error*);
  Slot statement_set_substrait_plan;

  Slot error_get_detail_count;
  Slot error_get_detail;
  Slot error_from_array_stream;
  Slot database_options[7];
  Slot connection_cancel;
  Slot connection_options_read[4];
  Slot connection_get_statistics;
  Slot connection_get_statistic_names;
  Slot connection_options_written[3];
  Status (*statement_cancel)(Statement*, Error*);
  Slot statement_execute_schema;
  Slot statement_options[7];
};

using InitFunction = Status (*)(int version, void* driver, Error* error);

}  // namespace dpsql::adbc
