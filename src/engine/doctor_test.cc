#include "dpsql/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "backend/loaded_library.h"
#include "engine/doctor.h"
#include "support/temp_folder.h"
#include "support/test_session.h"

namespace dpsql {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace fs = std::filesystem;

class DoctorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    MakeCustomers(folder_ / "shop.duckdb");
    WritePolicy("4.0");
  }

  void WritePolicy(const std::string& epsilon) const {
    std::ofstream(policy()) << "[dataset]\nname = \"shop\"\n[budget]\nepsilon = " << epsilon
                            << "\ndelta = 1e-6\n[tables.customer]\nunit = \"customer_id\"\n";
  }

  std::string policy() const { return folder_ / "shop.toml"; }
  std::string ledger() const { return folder_ / "shop.ledger"; }
  std::string database() const { return folder_ / "shop.duckdb"; }

  // Each as "health area: what"; asks for a fix wherever all is not well.
  std::vector<std::string> Look() const {
    std::vector<std::string> lines;
    for (const Checkup& checkup : Examine({.url = database(), .policy = policy()}).checkups) {
      const char* const names[] = {"ok", "warn", "fail"};
      lines.push_back(std::string(names[static_cast<int>(checkup.health)]) + " " + checkup.area +
                      ": " + checkup.what);
      EXPECT_EQ(checkup.fix.empty(), checkup.health == Health::kOk) << lines.back();
    }
    return lines;
  }

  void Ask() const {
    auto session = Session::Open({.url = database(), .policy = policy(), .analyst = "a"});
    ASSERT_TRUE(session.ok());
    ASSERT_TRUE(session->Ask("SELECT count(*) FROM customer").ok());
  }

  TempFolder folder_;
};

TEST_F(DoctorTest, WithoutAPolicyTheInstallation) {
  const DoctorReport report = Examine({});
  EXPECT_FALSE(HasFailed(report)) << FormatDoctor(report, Format::kBox);
  EXPECT_THAT(report.not_examined, ElementsAre("policy", "ledger", "database"));
  EXPECT_THAT(FormatDoctor(report, Format::kBox),
              AllOf(HasSubstr("ok    installation: dpsql "), HasSubstr("libduckdb"),
                    HasSubstr("not examined: policy, ledger, database\n")));
  EXPECT_THAT(FormatDoctor(report, Format::kJson), HasSubstr("\"failed\":0,"));
}

// Neither is needed by everybody, so that none of these is a warning.
TEST_F(DoctorTest, SaysWhatReachesSpark) {
  setenv("DPSQL_ADBC_SPARK", "/nowhere/driver.so", 1);
  EXPECT_THAT(
      Look(),
      Contains("ok installation: no driver for Spark, which only spark:// needs: "
               "pip install adbc-driver-spark; looked for DPSQL_ADBC_SPARK=/nowhere/driver.so"));
  const std::string driver = folder_ / "driver.so";
  std::ofstream(driver) << "x";
  setenv("DPSQL_ADBC_SPARK", driver.c_str(), 1);
  EXPECT_THAT(Look(), Contains("ok installation: a driver for Spark, " + driver));
  unsetenv("DPSQL_ADBC_SPARK");
}

TEST_F(DoctorTest, SaysWhatReachesPostgreSql) {
  const auto line_of = [](const std::optional<LoadedLibrary>& library) {
    DoctorReport report;
    AreaReport area("installation", report);
    ExamineLibPq(library, area);
    EXPECT_EQ(report.checkups.at(0).health, Health::kOk);
    return report.checkups.at(0).what;
  };
  EXPECT_EQ(line_of(std::nullopt),
            "no libpq.so.5, which only postgresql:// needs: install Debian's package libpq5");
  EXPECT_EQ(line_of(LoadedLibrary{.version = "15.4", .path = "/lib/libpq.so.5"}),
            "libpq 15.4 for PostgreSQL, /lib/libpq.so.5");
  EXPECT_THAT(Look(), Contains("ok installation: " + line_of(LibPqLibrary())));
}

TEST_F(DoctorTest, CreatesNoLedgerAndSpendsNothing) {
  EXPECT_THAT(Look(), Contains(HasSubstr("ok ledger: there is none yet")));
  EXPECT_FALSE(fs::exists(ledger()));
  EXPECT_FALSE(fs::exists(ledger() + ".head"));
  Ask();
  const auto head_size = fs::file_size(ledger() + ".head");
  EXPECT_THAT(Look(), Contains(HasSubstr("is whole: 2 entries")));
  EXPECT_EQ(fs::file_size(ledger() + ".head"), head_size);
}

TEST_F(DoctorTest, AWellHouseHasNoFailure) {
  Ask();
  EXPECT_THAT(Look(), Not(Contains(HasSubstr("fail "))));
  EXPECT_THAT(Look(), Contains("ok ledger: the policy's budget is the one in force"));
  EXPECT_THAT(Look(), Contains("ok database: it can be opened, and has the tables of the policy"));
  EXPECT_THAT(Look(), Contains(AllOf(HasSubstr("warn database: this account"),
                                     HasSubstr("can read the data itself"))));
}

TEST_F(DoctorTest, SeesWhoMayWriteAndRead) {
  Ask();
  using fs::perms;
  fs::permissions(policy(), perms::others_write, fs::perm_options::add);
  fs::permissions(ledger(), perms::group_read, fs::perm_options::add);
  fs::permissions(database(), perms::others_read, fs::perm_options::add);
  EXPECT_THAT(Look(), Contains(AllOf(HasSubstr("warn policy: others than its owner may write"),
                                     HasSubstr("shop.toml"))));
  EXPECT_THAT(Look(), Contains(AllOf(HasSubstr("warn ledger: others than its owner may use"),
                                     HasSubstr("shop.ledger"))));
  EXPECT_THAT(Look(), Contains(HasSubstr("warn database: others than its owner may read")));
  fs::permissions(database(), perms::owner_read | perms::owner_write);
  EXPECT_THAT(Look(), Not(Contains(HasSubstr("warn database: others than its owner may read"))));
}

TEST_F(DoctorTest, SeesDamageAndOtherTerms) {
  Ask();
  WritePolicy("8.0");
  EXPECT_THAT(Look(), Contains(HasSubstr("fail ledger: the policy's budget is not the ledger's")));
  std::ofstream(ledger() + ".head", std::ios::app) << "x";
  EXPECT_THAT(Look(), Contains(HasSubstr("fail ledger: ")));
  fs::remove(ledger() + ".head");
  EXPECT_THAT(Look(), Contains(HasSubstr("fail ledger: ")));
  EXPECT_FALSE(fs::exists(ledger() + ".head"));
}

TEST_F(DoctorTest, SeesABrokenPolicyAndAMissingDatabase) {
  fs::remove(database());
  EXPECT_THAT(Look(), Contains(HasSubstr("fail database: there is no database file")));
  std::ofstream(policy()) << "[dataset]\nnam = \"x\"\n";
  const DoctorReport report = Examine({.url = database(), .policy = policy()});
  EXPECT_TRUE(HasFailed(report));
  EXPECT_THAT(report.not_examined, ElementsAre("ledger", "database"));
  EXPECT_THAT(FormatDoctor(report, Format::kBox),
              HasSubstr("[dataset] has no key nam\n      - did you mean  name ?\n"));
}

TEST_F(DoctorTest, AFolderThatIsNotThereHoldsNoLedger) {
  const DoctorReport report =
      Examine({.url = database(), .policy = policy(), .ledger = folder_ / "none/x.ledger"});
  EXPECT_TRUE(HasFailed(report));
  EXPECT_THAT(FormatDoctor(report, Format::kBox),
              HasSubstr("fail  ledger: this account cannot write to the ledger's folder"));
}

}  // namespace
}  // namespace dpsql
