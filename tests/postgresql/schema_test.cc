#include "postgresql/engine_fixture.h"

namespace dpsql {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class SchemaTest : public EngineFixture {
 protected:
  static void SetUpTestSuite() {
    SharedServer().Sql(R"(
CREATE DOMAIN amount AS numeric(12,3);
CREATE DOMAIN price AS amount CHECK (VALUE >= 0);
CREATE DOMAIN label AS varchar(20);
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TYPE pair AS (a int, b int);
CREATE TYPE hugeint AS (digits text);
CREATE TABLE kinds (
  a_bool boolean NOT NULL, a_int2 smallint NOT NULL, a_int4 integer NOT NULL,
  a_int8 bigint NOT NULL, a_float4 real NOT NULL, a_float8 double precision NOT NULL,
  a_numeric numeric(10,2) NOT NULL, a_whole numeric(38) NOT NULL, a_wide numeric(39,2) NOT NULL,
  a_rounded numeric(5,-2) NOT NULL, a_fraction numeric(2,5) NOT NULL, a_free numeric NOT NULL,
  a_price price NOT NULL, a_label label NOT NULL, a_text text NOT NULL, a_varchar varchar(9),
  a_char char(5) NOT NULL, a_uuid uuid NOT NULL, a_date date NOT NULL,
  a_timestamp timestamp(3) NOT NULL, a_timestamptz timestamptz NOT NULL,
  a_interval interval NOT NULL, a_time time, a_array int[], a_json jsonb, a_money money,
  a_mood mood, a_pair pair, a_huge hugeint, a_bytes bytea, a_bit bit(3), a_oid oid, a_inet inet,
  a_bpchar bpchar,
  a_stored int GENERATED ALWAYS AS (1) STORED, "A ""quoted"" $ name" int);
)");
  }
};

TEST_F(SchemaTest, EveryTypeHasItsOwn) {
  Open({"kinds"});
  std::vector<std::string> columns;
  for (const SchemaColumn& column : Table("kinds").columns) {
    columns.push_back(column.name + " " + column.type.name +
                      (column.type.family == TypeFamily::kOther ? " other" : "") +
                      (column.nullable ? "" : " not null"));
  }
  EXPECT_THAT(
      columns,
      ElementsAre("a_bool BOOLEAN not null", "a_int2 SMALLINT not null", "a_int4 INTEGER not null",
                  "a_int8 BIGINT not null", "a_float4 FLOAT not null", "a_float8 DOUBLE not null",
                  "a_numeric DECIMAL(10,2)", "a_whole DECIMAL(38,0)", "a_wide DOUBLE",
                  "a_rounded DOUBLE", "a_fraction DOUBLE", "a_free DOUBLE", "a_price DECIMAL(12,3)",
                  "a_label VARCHAR not null", "a_text VARCHAR not null", "a_varchar VARCHAR",
                  "a_char VARCHAR not null", "a_uuid UUID not null", "a_date DATE not null",
                  "a_timestamp TIMESTAMP not null", "a_timestamptz TIMESTAMP not null",
                  "a_interval INTERVAL", "a_time TIME other", "a_array _INT4 other",
                  "a_json JSONB other", "a_money MONEY other", "a_mood MOOD other",
                  "a_pair PAIR other", "a_huge HUGEINT other", "a_bytes BYTEA other",
                  "a_bit BIT other", "a_oid OID other", "a_inet INET other",
                  "a_bpchar BPCHAR other", "a_stored INTEGER", "A \"quoted\" $ name INTEGER"));
  EXPECT_FALSE(Table("kinds").has_generated_column);
  EXPECT_FALSE(Table("kinds").has_collation);
  EXPECT_TRUE(schema_.macros.empty());
}

TEST_F(SchemaTest, ValuesAreWhatTheirTypesSay) {
  SharedServer().Sql(R"(
CREATE TABLE hostile AS SELECT * FROM kinds;
INSERT INTO hostile VALUES (true, -32768, -2147483648, -9223372036854775808, 'NaN', '-Infinity',
  'NaN', 99999999999999999999999999999999999999, 'NaN', 12345, 0.00012, '1e400',
  7.5, 'x', E'it''s "so" \\ $ \u00e9', NULL,
  'ab', '00000000-0000-0000-0000-000000000001', 'infinity',
  '0044-03-15 BC', '2024-07-01 12:00:00+09', '1 mon -1 day 00:00:01.5', '10:00', '{1,NULL}', '{}',
  '1', 'sad', ROW(NULL, NULL), NULL, '\x00', B'101', 1, '127.0.0.1', 'ab ', 1, 3);
INSERT INTO hostile VALUES (NULL, NULL, NULL, NULL, 1e-45, 4.9406564584124654e-324, NULL, NULL, 0,
  -1e5, 0, '-1e-400', 0, '', '', '', '', NULL, '-infinity', '-infinity', 'infinity');
)");
  Open({"hostile"});
  const auto connection = Connect();
  EXPECT_THAT(
      RowsOf(*connection, Read("hostile")),
      UnorderedElementsAre(
          "true|-32768|-2147483648|-9223372036854775808|NaN|-Infinity|NULL|"
          "99999999999999999999999999999999999999|NULL|12300|0.00012|Infinity|7.500|x|"
          "it's \"so\" \\ $ \u00e9|NULL|ab|00000000-0000-0000-0000-000000000001|infinity|"
          "0044-03-15 (BC) 00:00:00|2024-07-01 03:00:00|1 mon -1 days "
          "+00:00:01.5|||||||NULL||||||1|3",
          "NULL|NULL|NULL|NULL|1e-45|5e-324|NULL|NULL|0|-100000|0|0|0.000|||||NULL|-infinity|"
          "-infinity|infinity|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|"
          "NULL|NULL"));
}

// Under the order of a language é is before z, and under one that is not deterministic É is é.
TEST_F(SchemaTest, TextsCompareByTheirBytes) {
  SharedServer().Sql(R"(
CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
CREATE DOMAIN looser AS text COLLATE loose;
CREATE TABLE words (w text COLLATE loose UNIQUE, c char(3), l looser, s looser COLLATE "C",
  u text COLLATE "und-x-icu");
INSERT INTO words VALUES ('z', 'a'), (U&'\00e9', 'a  ');
)");
  Open({"words"});
  const auto connection = Connect();
  const std::string words = "FROM (" + Read("words") + ") AS s ";
  EXPECT_THAT(RowsOf(*connection, "SELECT w " + words + "ORDER BY w"), ElementsAre("z", "\u00e9"));
  EXPECT_THAT(RowsOf(*connection, "SELECT count(*) " + words + "WHERE w = U&'\\00c9'"),
              ElementsAre("0"));
  EXPECT_THAT(RowsOf(*connection, "SELECT c, count(*) " + words + "GROUP BY c"),
              ElementsAre("a|2"));
  EXPECT_THAT(Table("words").unique_keys, ElementsAre(ElementsAre("w")));
  std::vector<bool> collated;
  for (const SchemaColumn& column : Table("words").columns) {
    collated.push_back(column.has_collation);
  }
  EXPECT_THAT(collated, ElementsAre(true, false, true, false, false));
}

TEST_F(SchemaTest, KeysAreThoseThatHoldForEveryRow) {
  SharedServer().Sql(R"(
CREATE FUNCTION same(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 = $2';
CREATE TABLE keyed (id bigint PRIMARY KEY, a int, b text, c text UNIQUE DEFERRABLE, d int, e text,
  f numeric UNIQUE, g numeric(5,1) UNIQUE, h jsonb UNIQUE, i timestamptz UNIQUE, j int, k int,
  UNIQUE (a, b), UNIQUE NULLS NOT DISTINCT (j));
CREATE UNIQUE INDEX ON keyed (d) WHERE d > 0;
CREATE UNIQUE INDEX ON keyed (lower(e));
CREATE UNIQUE INDEX ON keyed (k) INCLUDE (d);
CREATE TABLE parted (day date, id int, PRIMARY KEY (day, id)) PARTITION BY RANGE (day);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE TABLE elder (id int PRIMARY KEY);
CREATE TABLE younger () INHERITS (elder);
INSERT INTO elder VALUES (1);
INSERT INTO younger VALUES (1);
CREATE TABLE broken (id int);
INSERT INTO broken VALUES (1), (1);
)");
  EXPECT_ANY_THROW(SharedServer().Sql("CREATE UNIQUE INDEX CONCURRENTLY ON broken (id)"));
  Open({"keyed", "parted", "elder", "broken"});
  EXPECT_THAT(Table("keyed").unique_keys,
              UnorderedElementsAre(ElementsAre("id"), ElementsAre("a", "b"), ElementsAre("g"),
                                   ElementsAre("i"), ElementsAre("j"), ElementsAre("k")));
  EXPECT_THAT(Table("parted").unique_keys, ElementsAre(ElementsAre("day", "id")));
  EXPECT_TRUE(Table("elder").unique_keys.empty());
  EXPECT_TRUE(Table("elder").columns[0].nullable);
  EXPECT_TRUE(Table("broken").unique_keys.empty());
}

TEST_F(SchemaTest, ViewsAreViewsAlsoWhereTheyAreStored) {
  SharedServer().Sql(R"(
CREATE VIEW seen AS SELECT a_int4 FROM kinds;
CREATE MATERIALIZED VIEW kept AS SELECT a_int4 FROM kinds;
)");
  Open({"kinds", "seen", "kept"});
  EXPECT_FALSE(Table("kinds").is_view);
  EXPECT_TRUE(Table("seen").is_view);
  EXPECT_TRUE(Table("kept").is_view);
}

TEST_F(SchemaTest, TablesThatCannotBeAskedAreRefused) {
  SharedServer().Sql(R"(
CREATE FOREIGN DATA WRAPPER elsewhere;
CREATE SERVER other FOREIGN DATA WRAPPER elsewhere;
CREATE FOREIGN TABLE distant (id int) SERVER other;
CREATE TABLE split (id int) PARTITION BY LIST (id);
CREATE FOREIGN TABLE split_1 PARTITION OF split FOR VALUES IN (1) SERVER other;
CREATE TABLE filtered (id int);
ALTER TABLE filtered ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON filtered USING (id < (SELECT count(*) FROM filtered));
CREATE TABLE closed (id int);
REVOKE ALL ON closed FROM reader;
CREATE TABLE "Twin" (id int);
CREATE TABLE twin (id int);
CREATE TABLE twins (id int, "ID" int);
)");
  const std::string url = SharedServer().Url("reader");
  EXPECT_THAT(RefusalOf(url, {"distant"}), HasSubstr("C204 test.toml:1: distant lies on another"));
  EXPECT_THAT(RefusalOf(url, {"kinds", "split"}), HasSubstr("C204 test.toml:2: split lies on"));
  EXPECT_THAT(RefusalOf(url, {"filtered"}), HasSubstr("C204 test.toml:1: row security decides"));
  EXPECT_THAT(RefusalOf(url, {"closed"}), HasSubstr("C204 test.toml:1: the account may not read"));
  EXPECT_THAT(RefusalOf(url, {"twin"}), HasSubstr("two tables are named twin"));
  EXPECT_THAT(RefusalOf(url, {"twins"}), HasSubstr("two columns of twins are named id"));
  EXPECT_EQ(RefusalOf(url, {"kinds"}), "");
  // Whom no policy of rows concerns may ask.
  EXPECT_EQ(RefusalOf(SharedServer().Url("postgres"), {"filtered"}), "");
  EXPECT_TRUE(incidents_.texts.empty());
}

TEST_F(SchemaTest, OnlyTheTablesOfThePolicyAreThere) {
  Open({"KINDS", "absent"});
  ASSERT_EQ(schema_.tables.size(), 1U);
  EXPECT_EQ(schema_.tables[0].name, "kinds");
}

TEST_F(SchemaTest, TheSchemaIsTheFirstOfTheSearchPath) {
  SharedServer().Sql(R"(
CREATE SCHEMA "Odd ""one""";
GRANT USAGE ON SCHEMA "Odd ""one""" TO reader;
CREATE TABLE "Odd ""one""".kinds (only_here int);
GRANT SELECT ON "Odd ""one""".kinds TO reader;
)");
  const std::string url =
      SharedServer().Url("reader", "options=-csearch_path%3D%22Odd%5C%20%22%22one%22%22%22");
  Open(url, PolicyOf({"kinds"}));
  EXPECT_EQ(Table("kinds").columns.at(0).name, "only_here");
  EXPECT_THAT(RowsOf(*Connect(), Read("kinds")), ElementsAre());
  EXPECT_THAT(RefusalOf(SharedServer().Url("reader", "options=-csearch_path%3Dnowhere"), {"kinds"}),
              HasSubstr("E501 the account's search path leads to no schema"));
  EXPECT_THAT(
      RefusalOf(SharedServer().Url("reader", "options=-csearch_path%3Dpg_catalog"), {"pg_class"}),
      HasSubstr("E501 the account's search path leads to no schema"));
}

TEST_F(SchemaTest, OwnersHearOfAccountsThatCanDoMore) {
  Open({"kinds"});
  EXPECT_TRUE(schema_.warnings.empty());
  SharedServer().Sql("CREATE ROLE writer LOGIN; GRANT SELECT, TRUNCATE ON kinds TO writer");
  Open(SharedServer().Url("writer"), PolicyOf({"kinds"}));
  ASSERT_EQ(schema_.warnings.size(), 1U);
  EXPECT_EQ(schema_.warnings[0].message, "the account may change what is in kinds");
  for (const char* right : {"INSERT", "UPDATE"}) {
    SharedServer().Sql(
        "CREATE SCHEMA part; CREATE TABLE part.kinds (a int, b int); CREATE ROLE clerk "
        "LOGIN; GRANT USAGE ON SCHEMA part TO clerk; GRANT SELECT, " +
        std::string(right) + " (b) ON part.kinds TO clerk");
    Open(SharedServer().Url("clerk", "options=-csearch_path%3Dpart"), PolicyOf({"kinds"}));
    ASSERT_EQ(schema_.warnings.size(), 1U) << right;
    EXPECT_EQ(schema_.warnings[0].message, "the account may change what is in kinds");
    SharedServer().Sql("DROP SCHEMA part CASCADE; DROP ROLE clerk");
  }
  SharedServer().Sql(
      R"(CREATE SCHEMA "My ""own"""; GRANT CREATE, USAGE ON SCHEMA "My ""own""" TO reader;
CREATE TABLE "My ""own""".kinds (a int); GRANT SELECT ON "My ""own""".kinds TO reader;)");
  Open(SharedServer().Url("reader", "options=-csearch_path%3D%22My%5C%20%22%22own%22%22%22"),
       PolicyOf({"kinds"}));
  ASSERT_EQ(schema_.warnings.size(), 1U);
  EXPECT_EQ(schema_.warnings[0].message, R"(the account may make tables in the schema My "own")");
  EXPECT_EQ(schema_.warnings[0].fix,
            R"(REVOKE CREATE ON SCHEMA "My ""own""" FROM PUBLIC, or from the account)");
  Open(SharedServer().Url("postgres"), PolicyOf({"kinds"}));
  ASSERT_EQ(schema_.warnings.size(), 1U);
  EXPECT_EQ(schema_.warnings[0].message, "the account postgres is a superuser of the server");
}

TEST_F(SchemaTest, ListsTablesAndForeignKeys) {
  SharedServer().Sql(R"(
CREATE SCHEMA shop;
CREATE TABLE shop.customer (id int PRIMARY KEY, city text);
CREATE TABLE shop.orders (id int, part int, customer int REFERENCES shop.customer,
  PRIMARY KEY (id, part));
CREATE TABLE shop.line (o int, p int, FOREIGN KEY (o, p) REFERENCES shop.orders (id, part));
GRANT USAGE ON SCHEMA shop TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader;
)");
  const auto listing =
      ListPostgreSql(SharedServer().Url("reader", "options=-csearch_path%3Dshop"), incidents_);
  ASSERT_TRUE(listing.ok()) << listing.error().message;
  EXPECT_EQ(listing->schema.tables.size(), 3U);
  ASSERT_EQ(listing->foreign_keys.size(), 2U);
  EXPECT_EQ(listing->foreign_keys[0].table, "line");
  EXPECT_THAT(listing->foreign_keys[0].columns, ElementsAre("o", "p"));
  EXPECT_THAT(listing->foreign_keys[0].parent_columns, ElementsAre("id", "part"));
  EXPECT_EQ(listing->foreign_keys[1].parent_table, "customer");
}

}  // namespace
}  // namespace dpsql
