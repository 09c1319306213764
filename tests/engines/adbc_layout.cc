// Compares src/backend/adbc_abi.h with the published header, place by place. It only compiles.
#include <adbc.h>

#include "backend/adbc_abi.h"

namespace dpsql {
namespace {

#define SAME_SIZE(ours, theirs) static_assert(sizeof(adbc::ours) == sizeof(::theirs))
#define SAME_PLACE(ours, our_field, theirs, their_field)                              \
  static_assert(offsetof(adbc::ours, our_field) == offsetof(::theirs, their_field) && \
                sizeof(adbc::ours::our_field) == sizeof(::theirs::their_field))
#define SAME_ARROW(type, field) SAME_PLACE(type, field, type, field)
#define SAME_FUNCTION(ours, theirs) SAME_PLACE(Driver, ours, AdbcDriver, theirs)

static_assert(adbc::kOk == ADBC_STATUS_OK && adbc::kVersion == ADBC_VERSION_1_1_0);
static_assert(sizeof(adbc::Status) == sizeof(AdbcStatusCode));

SAME_SIZE(Error, AdbcError);
SAME_PLACE(Error, message, AdbcError, message);
SAME_PLACE(Error, vendor_code, AdbcError, vendor_code);
SAME_PLACE(Error, sqlstate, AdbcError, sqlstate);
SAME_PLACE(Error, release, AdbcError, release);
SAME_PLACE(Error, private_data, AdbcError, private_data);
SAME_PLACE(Error, private_driver, AdbcError, private_driver);

SAME_SIZE(Database, AdbcDatabase);
SAME_PLACE(Database, private_data, AdbcDatabase, private_data);
SAME_PLACE(Database, private_driver, AdbcDatabase, private_driver);
SAME_SIZE(Connection, AdbcConnection);
SAME_PLACE(Connection, private_data, AdbcConnection, private_data);
SAME_PLACE(Connection, private_driver, AdbcConnection, private_driver);
SAME_SIZE(Statement, AdbcStatement);
SAME_PLACE(Statement, private_data, AdbcStatement, private_data);
SAME_PLACE(Statement, private_driver, AdbcStatement, private_driver);

SAME_SIZE(ArrowSchema, ArrowSchema);
SAME_ARROW(ArrowSchema, format);
SAME_ARROW(ArrowSchema, n_children);
SAME_ARROW(ArrowSchema, children);
SAME_ARROW(ArrowSchema, dictionary);
SAME_ARROW(ArrowSchema, release);
SAME_SIZE(ArrowArray, ArrowArray);
SAME_ARROW(ArrowArray, length);
SAME_ARROW(ArrowArray, null_count);
SAME_ARROW(ArrowArray, offset);
SAME_ARROW(ArrowArray, n_buffers);
SAME_ARROW(ArrowArray, n_children);
SAME_ARROW(ArrowArray, buffers);
SAME_ARROW(ArrowArray, children);
SAME_ARROW(ArrowArray, release);
SAME_SIZE(ArrowStream, ArrowArrayStream);
SAME_PLACE(ArrowStream, get_schema, ArrowArrayStream, get_schema);
SAME_PLACE(ArrowStream, get_next, ArrowArrayStream, get_next);
SAME_PLACE(ArrowStream, get_last_error, ArrowArrayStream, get_last_error);
SAME_PLACE(ArrowStream, release, ArrowArrayStream, release);

SAME_SIZE(Driver, AdbcDriver);
SAME_FUNCTION(release, release);
SAME_FUNCTION(database_init, DatabaseInit);
SAME_FUNCTION(database_new, DatabaseNew);
SAME_FUNCTION(database_set_option, DatabaseSetOption);
SAME_FUNCTION(database_release, DatabaseRelease);
SAME_FUNCTION(connection_init, ConnectionInit);
SAME_FUNCTION(connection_new, ConnectionNew);
SAME_FUNCTION(connection_release, ConnectionRelease);
SAME_FUNCTION(statement_execute_query, StatementExecuteQuery);
SAME_FUNCTION(statement_new, StatementNew);
SAME_FUNCTION(statement_release, StatementRelease);
SAME_FUNCTION(statement_set_sql_query, StatementSetSqlQuery);
SAME_FUNCTION(statement_cancel, StatementCancel);

}  // namespace
}  // namespace dpsql
