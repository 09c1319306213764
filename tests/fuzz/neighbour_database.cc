#include "fuzz/neighbour_database.h"

#include <array>
#include <random>
#include <stdexcept>
#include <utility>

namespace dpsql {
namespace {

constexpr int kUnits = 7;

constexpr const char* kShop = R"(
CREATE TABLE city (name VARCHAR PRIMARY KEY, country VARCHAR NOT NULL);
CREATE TABLE fair (town VARCHAR NOT NULL, year INTEGER NOT NULL, PRIMARY KEY (town, year));
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR,
  segment VARCHAR NOT NULL, age INTEGER, balance DECIMAL(10, 2) NOT NULL, score DOUBLE,
  active BOOLEAN NOT NULL, born DATE);
CREATE TABLE orders (order_id BIGINT PRIMARY KEY, customer_id INTEGER, ordered DATE NOT NULL,
  amount DECIMAL(10, 2), big BIGINT NOT NULL, status VARCHAR NOT NULL);
CREATE TABLE item (order_id BIGINT, line INTEGER NOT NULL, product VARCHAR NOT NULL,
  quantity INTEGER NOT NULL);
CREATE TABLE profile (customer_id INTEGER PRIMARY KEY, language VARCHAR NOT NULL);
CREATE TABLE visit (who VARCHAR, page VARCHAR NOT NULL, seconds INTEGER);
CREATE TABLE wild (customer_id INTEGER, value INTEGER);
INSERT INTO city VALUES ('Paris', 'France'), ('Lyon', 'France'), ('Osaka', 'Japan');
INSERT INTO fair VALUES ('Paris', 2020), ('Paris', 3), ('Lyon', 2020), ('home', 1), ('Paris', 10);
)";

constexpr const char* kLink = R"(
CREATE TABLE customer (id BIGINT PRIMARY KEY, age BIGINT, secret VARCHAR);
CREATE TABLE orders (cid BIGINT, amt DECIMAL(38, 20), day DATE);
CREATE TABLE pub (n BIGINT, f DOUBLE, u UBIGINT, k VARCHAR);
CREATE TABLE zchild (cid BIGINT, x BIGINT);
INSERT INTO pub VALUES (1, 1, 1, 'k'), (3, 3, 3, 'k3'), (3, 3, 9, ''), (NULL, 'nan', 0, NULL),
  (9007199254740997, 9007199254740996, 9007199254740997, 'k');
)";

// Draws rows one after the other. The draws of a unit's rows come from a generator of its own, so
// that they are the same whoever else is there.
class Maker {
 public:
  Maker(const char* schema, std::uint64_t seed, Holds holds)
      : seed_(seed), holds_(holds), text_(schema) {}
  virtual ~Maker() = default;

  std::string Make() {
    random_.seed(seed_ * 1'000);
    AddNobody();
    for (int unit = 1; unit <= kUnits; ++unit) {
      const bool the_one = unit == kTheUnit;
      if (holds_ == (the_one ? Holds::kOthers : Holds::kOne)) continue;
      random_.seed(seed_ * 1'000 + static_cast<std::uint64_t>(unit));
      AddUnit(unit);
    }
    return std::move(text_);
  }

 protected:
  virtual void AddNobody() = 0;
  virtual void AddUnit(int unit) = 0;

  std::size_t Below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  template <std::size_t n>
  const char* Pick(const std::array<const char*, n>& values) {
    return values[Below(n)];
  }

  void Insert(const char* table, std::initializer_list<std::string> values) {
    text_ += std::string("INSERT INTO ") + table + " VALUES (";
    std::string separator;
    for (const std::string& value : values) text_ += std::exchange(separator, ", ") + value;
    text_ += ");\n";
  }

 private:
  std::uint64_t seed_;
  Holds holds_;
  std::mt19937_64 random_;
  std::string text_;
};

class ShopMaker final : public Maker {
 public:
  ShopMaker(std::uint64_t seed, Holds holds) : Maker(kShop, seed, holds) {}

 private:
  std::string Date() {
    return Pick(std::to_array({"DATE '1999-12-01'", "DATE '2020-01-31'", "DATE '2024-02-29'"}));
  }

  void AddNobody() override {
    AddOrder("900", "NULL");
    AddItem("900");
    AddItem("NULL");
    AddItem("77777");
    Insert("wild", {"NULL", "1"});
    AddVisit("NULL");
  }

  // Some are no customers, and yet somebody.
  void AddUnit(int unit) override {
    const std::string id = std::to_string(unit);
    if (Below(8) != 0) AddCustomer(id);
    if (Below(2) != 0) {
      Insert("profile", {id, Pick(std::to_array({"'fr'", "'ja'", "'home'"}))});
    }
    for (std::size_t i = 0, count = Below(4); i < count; ++i) {
      const std::string order = id + "0" + std::to_string(i);
      AddOrder(order, id);
      for (std::size_t j = 0, lines = Below(3); j < lines; ++j) AddItem(order);
    }
    for (std::size_t i = 0, count = Below(3); i < count; ++i) {
      Insert("wild", {id, Pick(std::to_array({"NULL", "0", "1", "10", "2147483647"}))});
    }
    for (std::size_t i = 0, count = Below(4); i < count; ++i) AddVisit("'u" + id + "'");
  }

  void AddCustomer(const std::string& id) {
    Insert("customer",
           {id, "'n" + id + "'", Pick(std::to_array({"NULL", "'Paris'", "'Lyon'", "''", "'home'"})),
            Pick(std::to_array({"'home'", "'office'", "'school'", "'pirate'"})),
            Pick(std::to_array({"NULL", "0", "1", "10", "55", "150", "-3"})),
            Pick(std::to_array({"0", "1.5", "-500.25", "99999999.99"})),
            Pick(std::to_array({"NULL", "'nan'", "'infinity'", "'-0.0'", "0.0", "33.5", "-1e300"})),
            Below(2) != 0 ? "TRUE" : "FALSE", Below(4) == 0 ? "NULL" : Date()});
  }

  void AddOrder(const std::string& order, const std::string& customer) {
    Insert(
        "orders",
        {order, customer, Date(),
         Pick(std::to_array({"NULL", "0", "1.25", "10", "1000.5", "-99999999.99"})),
         Pick(std::to_array({"0", "1", "10", "9223372036854775807", "-9223372036854775808", "3"})),
         Pick(std::to_array({"'open'", "'sent'", "'home'"}))});
  }

  void AddItem(const std::string& order) {
    Insert("item", {order, std::to_string(Below(3)), Pick(std::to_array({"'tea'", "'home'", "''"})),
                    Pick(std::to_array({"0", "1", "10", "2147483647", "-5"}))});
  }

  void AddVisit(const std::string& who) {
    Insert("visit", {who, Pick(std::to_array({"'/a'", "'/b'", "'Paris'"})),
                     Pick(std::to_array({"NULL", "0", "10", "300", "1000"}))});
  }
};

class LinkMaker final : public Maker {
 public:
  LinkMaker(std::uint64_t seed, Holds holds) : Maker(kLink, seed, holds) {}

 private:
  void AddNobody() override {
    AddChild("NULL");
    AddChild("5555");
    AddOrder("NULL");
  }

  void AddUnit(int unit) override {
    const std::string id =
        unit < 5 ? std::to_string(unit) : "900719925474099" + std::to_string(unit);
    if (Below(8) != 0) Insert("customer", {id, Number(), "'s'"});
    for (std::size_t i = 0, count = Below(4); i < count; ++i) AddChild(id);
    for (std::size_t i = 0, count = Below(4); i < count; ++i) AddOrder(id);
  }

  std::string Number() {
    return Pick(std::to_array({"NULL", "0", "1", "3", "10", "9007199254740993"}));
  }

  void AddChild(const std::string& id) { Insert("zchild", {id, Number()}); }

  void AddOrder(const std::string& id) {
    Insert("orders", {id, Pick(std::to_array({"NULL", "3", "3.00000000000000000001", "0", "-1"})),
                      Pick(std::to_array({"NULL", "DATE '1999-12-01'", "DATE '2020-01-31'"}))});
  }
};

}  // namespace

std::string DrawShop(std::uint64_t seed, Holds holds) { return ShopMaker(seed, holds).Make(); }

std::string DrawLink(std::uint64_t seed, Holds holds) { return LinkMaker(seed, holds).Make(); }

PlainDatabase::PlainDatabase(const std::string& sql) {
  if (duckdb_open(nullptr, &database_) != DuckDBSuccess ||
      duckdb_connect(database_, &connection_) != DuckDBSuccess) {
    throw std::runtime_error("DuckDB does not open a database in memory");
  }
  Rows("SET threads = 1");
  Rows(sql);
}

PlainDatabase::~PlainDatabase() {
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

std::multiset<std::vector<std::string>> PlainDatabase::Rows(const std::string& sql) {
  duckdb_result result;
  const bool done = duckdb_query(connection_, sql.c_str(), &result) == DuckDBSuccess;
  const std::string words = done ? "" : duckdb_result_error(&result);
  std::multiset<std::vector<std::string>> rows;
  for (idx_t row = 0; done && row < duckdb_row_count(&result); ++row) {
    std::vector<std::string> cells;
    for (idx_t column = 0; column < duckdb_column_count(&result); ++column) {
      char* text = duckdb_value_varchar(&result, column, row);
      cells.emplace_back(text != nullptr ? text : "NULL");
      duckdb_free(text);
    }
    rows.insert(std::move(cells));
  }
  duckdb_destroy_result(&result);
  if (!done) throw std::runtime_error(words);
  return rows;
}

}  // namespace dpsql
