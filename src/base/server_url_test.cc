#include "base/server_url.h"

#include <gtest/gtest.h>

namespace dpsql {
namespace {

TEST(ServerUrlTest, ShowsNoPassword) {
  EXPECT_EQ(WithoutPassword("postgresql://me:secret@host:1/db?sslmode=require"),
            "postgresql://me@host:1/db?sslmode=require");
  EXPECT_EQ(WithoutPassword("postgres://me:se:cr?et@host/db"), "postgres://me@host/db");
  EXPECT_EQ(WithoutPassword("postgres://me:se?password@host/db"), "postgres://me@host/db");
  EXPECT_EQ(WithoutPassword("postgresql://me:secret@"), "postgresql://me@");
  EXPECT_EQ(WithoutPassword("postgresql://:secret@host"), "postgresql://@host");
  EXPECT_EQ(WithoutPassword("postgresql://host:1/db"), "postgresql://host:1/db");
  EXPECT_EQ(WithoutPassword("postgresql://host/db?user=me&password=secret"),
            "postgresql://host/db");
  EXPECT_EQ(WithoutPassword("postgresql:///db?host=a&sslPassword=secret"), "postgresql:///db");
  EXPECT_EQ(WithoutPassword("spark://host:15002/;use_ssl=true;token=secret"),
            "spark://host:15002/");
  EXPECT_EQ(WithoutPassword("spark://host:15002/db;x-api-key=secret"), "spark://host:15002/db");
  EXPECT_EQ(WithoutPassword("postgresql://me:se;cret@host/db"), "postgresql://me@host/db");
  EXPECT_EQ(WithoutPassword("spark://host:15002/;token=se@cret"), "spark://host:15002/");
  EXPECT_EQ(WithoutPassword("folder/a:b@c.duckdb"), "folder/a:b@c.duckdb");
}

// Who writes these means a password, whatever libpq makes of them.
TEST(ServerUrlTest, ShowsNoPasswordThatShouldHaveBeenEncoded) {
  for (const char* password :
       {"se/cret", "se@cret", "a/b@c/d@e", "a@b/c", "@", "/", "a@b;c", "a@b?c", "a/b?c", "a?b=c"}) {
    EXPECT_EQ(WithoutPassword("postgresql://me:" + std::string(password) + "@host/db?sslmode=x"),
              "postgresql://me@host/db?sslmode=x")
        << password;
  }
  EXPECT_EQ(WithoutPassword("postgresql://host:1/db?application_name=a@b"),
            "postgresql://host:1/db?application_name=a@b");
}

TEST(ServerUrlTest, ShowsNoOptionsThatTellASecret) {
  for (const char* name : {"sslkey", "sslPASSWORD", "oauth_client_secret", "token", "%70assword"}) {
    EXPECT_EQ(WithoutPassword("postgresql://host/db?sslmode=require&" + std::string(name) + "=x"),
              "postgresql://host/db")
        << name;
  }
  EXPECT_EQ(WithoutPassword("postgresql://host/db?application_name=monkey"),
            "postgresql://host/db?application_name=monkey");
}

TEST(ServerUrlTest, NamesTheDatabase) {
  EXPECT_EQ(DatabaseOf("postgresql://me:secret@host:1/db?sslmode=require"), "db");
  EXPECT_EQ(DatabaseOf("postgresql:///shop"), "shop");
  EXPECT_EQ(DatabaseOf("postgresql://me:secret@host"), "");
  EXPECT_EQ(DatabaseOf("duckdb:folder/db.duckdb"), "");
}

}  // namespace
}  // namespace dpsql
