#include "postgresql/engine_fixture.h"

namespace dpsql {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// What the URL says of TLS is libpq's to keep; here it is seen that it gets there, and that a line
// which is not what was asked for is refused, not used in the clear.
class TlsTest : public EngineFixture {
 protected:
  static void SetUpTestSuite() {
    server_ = std::make_unique<PostgreSqlServer>();
    server_->Sql(
        "CREATE TABLE thing (id int); CREATE ROLE reader LOGIN PASSWORD 'x'; "
        "GRANT SELECT ON thing TO reader");
    certificate_ = server_->SpeakTls();
  }

  static void TearDownTestSuite() { server_.reset(); }

  static std::string Url(const std::string& options) {
    return server_->TcpUrl("reader:x", options);
  }

  static std::unique_ptr<PostgreSqlServer> server_;
  static std::string certificate_;
};

std::unique_ptr<PostgreSqlServer> TlsTest::server_;
std::string TlsTest::certificate_;

TEST_F(TlsTest, ACertificateThatIsKnownIsBelieved) {
  Open(Url("sslmode=verify-full&sslrootcert=" + certificate_), PolicyOf({"thing"}));
  const auto connection = Connect();
  EXPECT_THAT(
      RowsOf(*connection, "SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"),
      ElementsAre("true|TLSv1.3"));
}

TEST_F(TlsTest, ACertificateOfSomebodyElseIsNot) {
  const PostgreSqlServer other;
  EXPECT_THAT(WordsOf(Url("sslmode=verify-ca&sslrootcert=" + other.SpeakTls())),
              AllOf(HasSubstr("E501"), HasSubstr("certificate verify failed")));
}

TEST_F(TlsTest, ACertificateOfAnotherHostIsNot) {
  std::string url = Url("sslmode=verify-full&sslrootcert=" + certificate_);
  url.replace(url.find("127.0.0.1"), 9, "localhost");
  EXPECT_THAT(WordsOf(url), AllOf(HasSubstr("E501"), HasSubstr("does not match host name")));
}

TEST_F(TlsTest, AServerWithoutItIsRefused) {
  SharedServer().Sql("CREATE TABLE IF NOT EXISTS thing (id int)");
  EXPECT_THAT(WordsOf(SharedServer().TcpUrl("reader:rose-garden-7", "sslmode=require")),
              AllOf(HasSubstr("E501"), HasSubstr("does not support SSL")));
}

}  // namespace
}  // namespace dpsql
