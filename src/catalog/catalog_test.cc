#include "catalog/catalog.h"

#include <gtest/gtest.h>

namespace dpsql {
namespace {

constexpr const char* kPolicy = R"([dataset]
name = "shop"
[budget]
epsilon = 1
delta = 1e-6
[tables.person]
unit = "mail"
[tables.visit]
unit = { through = "mail", references = "person.mail" }
[tables.town]
public = true
)";

// Two private tables and a public one, whose texts have a collation where their names say so.
Schema SchemaWith(const std::string& collated) {
  const auto column = [&](const std::string& table, const std::string& name) {
    return SchemaColumn{.name = name,
                        .type = ParseType("VARCHAR"),
                        .nullable = false,
                        .has_collation = collated == table + "." + name};
  };
  Schema schema;
  schema.tables = {
      {.name = "person",
       .columns = {column("person", "mail"), column("person", "name")},
       .unique_keys = {{"mail"}}},
      {.name = "visit", .columns = {column("visit", "mail"), column("visit", "place")}},
      {.name = "town", .columns = {column("town", "name")}}};
  return schema;
}

std::string RefusalOf(const std::string& collated) {
  const auto catalog =
      Catalog::Make(ReadPolicy(kPolicy, "shop.toml").value(), SchemaWith(collated));
  return catalog.ok() ? "" : catalog.error().code + " " + catalog.error().message;
}

// What is one person for the database would be several for us.
TEST(CatalogTest, A32WhatTellsWhoseARowIsHasNoCollation) {
  constexpr const char* kWords =
      " tells whose a row is and has a collation under which unequal texts are equal";
  EXPECT_EQ(RefusalOf("person.mail"), std::string("C204 shop.toml:6: person.mail") + kWords);
  EXPECT_EQ(RefusalOf("visit.mail"), std::string("C205 shop.toml:8: visit.mail") + kWords);
  for (const char* other : {"", "person.name", "visit.place", "town.name"}) {
    EXPECT_EQ(RefusalOf(other), "") << other;
  }
}

// A key that links lead to need not be the unit's column.
TEST(CatalogTest, A32AKeyThatLinksLeadToHasNoCollation) {
  std::string text = kPolicy;
  text.replace(text.find("unit = \"mail\""), 13, "unit = \"name\"");
  const auto catalog =
      Catalog::Make(ReadPolicy(text, "shop.toml").value(), SchemaWith("person.mail"));
  ASSERT_FALSE(catalog.ok());
  EXPECT_EQ(catalog.error().code, "C205");
  EXPECT_EQ(catalog.error().message.find("shop.toml:8: person.mail tells whose"), 0U);
}

}  // namespace
}  // namespace dpsql
