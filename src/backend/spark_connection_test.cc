#include "backend/spark_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>

namespace dpsql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

// A server that makes a session where it knows none, as Spark Connect does, behind a driver. It is
// started anew before a statement, of which all that was set and made is lost.
class Server {
 public:
  std::optional<std::string> Answer(const std::string& sql, Rows& rows) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (++asked == restart_before) {
      views_.clear();
      settings_.clear();
    }
    const std::string create = "CREATE TEMPORARY VIEW ";
    if (sql.starts_with(create)) {
      const std::size_t end = sql.find('`', create.size() + 1) + 1;
      views_.insert(sql.substr(create.size(), end - create.size()));
    } else if (sql.starts_with("SET ")) {
      const std::size_t equals = sql.find('=');
      settings_[sql.substr(4, equals - 4)] = sql.substr(equals + 1);
    } else if (sql == "SELECT version()") {
      rows = {{"4.1.2"}};
    } else if (const auto missing = MissingView(sql)) {
      return "[TABLE_OR_VIEW_NOT_FOUND] " + *missing;
    } else if (sql.starts_with("SELECT zone")) {
      const auto zone = settings_.find("spark.sql.session.timeZone");
      rows = {{zone == settings_.end() ? "the server's" : zone->second}};
    }
    return std::nullopt;
  }

  int asked = 0;
  int restart_before = 0;

 private:
  // Our views have a parenthesis in their names.
  std::optional<std::string> MissingView(const std::string& sql) const {
    const std::size_t begin = sql.find("`(");
    if (begin == std::string::npos) return std::nullopt;
    const std::string name = sql.substr(begin, sql.find('`', begin + 1) + 1 - begin);
    if (views_.contains(name)) return std::nullopt;
    return name;
  }

  std::mutex mutex_;
  std::set<std::string> views_;
  std::map<std::string, std::string> settings_;
};

// One batch of texts, all of which it owns.
class Answer {
 public:
  explicit Answer(Rows rows) : rows_(std::move(rows)) {
    const std::size_t columns = rows_.empty() ? 1 : rows_.front().size();
    for (std::size_t i = 0; i < columns; ++i) columns_.push_back(MakeColumn(i));
    for (Column& column : columns_) {
      column.buffers = {nullptr, column.ends.data(), column.text.data()};
      column.array = {.length = Length(), .n_buffers = 3, .buffers = column.buffers.data()};
      arrays_.push_back(&column.array);
      schemas_.push_back(&column.schema);
    }
  }

  static void Open(Rows rows, adbc::ArrowStream& stream) {
    stream = {.get_schema = GetSchema,
              .get_next = GetNext,
              .get_last_error = [](adbc::ArrowStream*) -> const char* { return nullptr; },
              .release = [](adbc::ArrowStream* of) { delete &Of(of); },
              .private_data = new Answer(std::move(rows))};
  }

 private:
  struct Column {
    std::vector<std::int32_t> ends = {0};
    std::string text;
    std::array<const void*, 3> buffers = {};
    adbc::ArrowArray array = {};
    adbc::ArrowSchema schema = {.format = "u"};
  };

  static Answer& Of(adbc::ArrowStream* stream) {
    return *static_cast<Answer*>(stream->private_data);
  }
  std::int64_t Length() const { return static_cast<std::int64_t>(rows_.size()); }

  Column MakeColumn(std::size_t place) const {
    Column column;
    for (const auto& row : rows_) {
      column.text += row[place];
      column.ends.push_back(static_cast<std::int32_t>(column.text.size()));
    }
    return column;
  }

  static int GetSchema(adbc::ArrowStream* stream, adbc::ArrowSchema* schema) {
    std::vector<adbc::ArrowSchema*>& children = Of(stream).schemas_;
    *schema = {.format = "+s",
               .n_children = static_cast<std::int64_t>(children.size()),
               .children = children.data()};
    return 0;
  }

  static int GetNext(adbc::ArrowStream* stream, adbc::ArrowArray* array) {
    Answer& own = Of(stream);
    *array = {};
    if (std::exchange(own.given_, true)) return 0;
    *array = {.length = own.Length(),
              .n_children = static_cast<std::int64_t>(own.arrays_.size()),
              .children = own.arrays_.data(),
              .release = [](adbc::ArrowArray* of) { of->release = nullptr; }};
    return 0;
  }

  Rows rows_;
  std::vector<Column> columns_;
  std::vector<adbc::ArrowArray*> arrays_;
  std::vector<adbc::ArrowSchema*> schemas_;
  bool given_ = false;
};

adbc::Status Execute(adbc::Statement* statement, adbc::ArrowStream* stream, std::int64_t*,
                     adbc::Error* error) {
  auto& server = *static_cast<Server*>(statement->private_driver->private_data);
  Rows rows;
  if (const auto failure =
          server.Answer(*static_cast<std::string*>(statement->private_data), rows)) {
    error->message = strdup(failure->c_str());
    error->release = [](adbc::Error* of) { free(of->message); };
    return 1;
  }
  Answer::Open(std::move(rows), *stream);
  return adbc::kOk;
}

adbc::Driver DriverOf(Server& server) {
  adbc::Driver driver{};
  driver.private_data = &server;
  driver.database_new = [](adbc::Database*, adbc::Error*) { return adbc::kOk; };
  driver.database_init = driver.database_new;
  driver.connection_new = [](adbc::Connection*, adbc::Error*) { return adbc::kOk; };
  driver.connection_init = [](adbc::Connection*, adbc::Database*, adbc::Error*) {
    return adbc::kOk;
  };
  driver.statement_new = [](adbc::Connection*, adbc::Statement* statement, adbc::Error*) {
    statement->private_data = new std::string;
    return adbc::kOk;
  };
  driver.statement_set_sql_query = [](adbc::Statement* statement, const char* sql, adbc::Error*) {
    *static_cast<std::string*>(statement->private_data) = sql;
    return adbc::kOk;
  };
  driver.statement_execute_query = Execute;
  driver.statement_cancel = [](adbc::Statement*, adbc::Error*) { return adbc::kOk; };
  driver.statement_release = [](adbc::Statement* statement, adbc::Error*) {
    delete static_cast<std::string*>(statement->private_data);
    return adbc::kOk;
  };
  return driver;
}

class SparkConnectionTest : public ::testing::Test {
 protected:
  // Of a table in the catalogue, which is there however often the server is started.
  std::unique_ptr<SparkConnection> Connect(std::optional<std::vector<std::string>> state = {}) {
    server_.asked = server_.restart_before = 0;
    const SparkTables tables{
        .tables =
            {{.name = "t", .relation = "`(source) t`", .stored = "`t`", .path = {}, .files = {}}},
        .stamps = {}};
    return std::make_unique<SparkConnection>(AdbcTarget{.driver = &driver_, .options = {}}, tables,
                                             std::move(state));
  }

  static Rows Ask(SqlConnection& connection, const std::string& sql) {
    Rows rows;
    const auto failure = connection.Run(
        sql, [&](SqlConnection::Row row) { rows.push_back({row[0].value_or("NULL")}); });
    if (failure) rows.push_back({"FAILED " + failure->text});
    return rows;
  }

  Server server_;
  adbc::Driver driver_ = DriverOf(server_);
};

constexpr const char* kRead = "SELECT zone FROM `(source) t`";
const auto kNotFound = ElementsAre(ElementsAre(HasSubstr("TABLE_OR_VIEW_NOT_FOUND")));

// A server that is started anew does not say so: whenever it happens, nothing is read without our
// settings.
TEST_F(SparkConnectionTest, NoTableIsReadInAForeignSession) {
  const Rows ours = {{"UTC"}};
  EXPECT_EQ(Ask(*Connect(), kRead), ours);
  const int statements = server_.asked;
  ASSERT_GT(statements, 5);
  for (int i = 2; i <= statements; ++i) {
    const auto connection = Connect();
    server_.restart_before = i;
    EXPECT_THAT(Ask(*connection, kRead), kNotFound) << i;
  }
  const auto connection = Connect();
  EXPECT_EQ(Ask(*connection, kRead), ours);
  server_.restart_before = server_.asked + 1;
  EXPECT_THAT(Ask(*connection, kRead), kNotFound) << "after an answer";
}

TEST_F(SparkConnectionTest, AStatementWithoutATableFailsInAForeignSessionToo) {
  const auto connection = Connect(std::vector<std::string>{});
  EXPECT_EQ(Ask(*connection, "SELECT zone"), (Rows{{"UTC"}}));
  server_.restart_before = server_.asked + 1;
  const Rows rows = Ask(*connection, "SELECT zone");
  ASSERT_EQ(rows.size(), 2);
  EXPECT_THAT(rows[1][0], HasSubstr("TABLE_OR_VIEW_NOT_FOUND"));
}

}  // namespace
}  // namespace dpsql
