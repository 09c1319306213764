// Under which names one may ask where the owner lists nobody.
#include <string>

#include "account/ledger.h"
#include "support/ledger_fixture.h"

namespace dpsql {
namespace {

class LedgerNamesTest : public LedgerTest {
 protected:
  std::string CodeFor(const std::string& analyst) const {
    LedgerOptions options = Options();
    options.analyst = analyst;
    const Result<Ledger> ledger = Ledger::Open(options);
    return ledger.ok() ? "ok" : ledger.error().code;
  }
};

TEST_F(LedgerNamesTest, WhoAsksHasAName) {
  EXPECT_EQ(CodeFor(""), "B403");
  for (const char* name : {"\xff\xfe", "e\033[31mve", "a\nb", "\xc2\x9b"}) {
    EXPECT_EQ(CodeFor(name), "B403") << name;
  }
  EXPECT_EQ(CodeFor("Zoë 山田"), "ok");
}

// Whoever asks chooses what the owner will read, and how much of it.
TEST_F(LedgerNamesTest, ANameLooksLikeNoOtherAndIsShort) {
  for (const char* name : {"root\u200b", "ro\u00adot", "root\U000E0041", "\ufeffroot", "root ",
                           "root\u00a0", "ro  ot", "ro\u3000ot"}) {
    EXPECT_EQ(CodeFor(name), "B403") << name;
  }
  EXPECT_EQ(CodeFor("Zoe\u0308"), "ok") << "a mark can be seen";
  EXPECT_EQ(CodeFor(std::string(200, 'a')), "ok");
  EXPECT_EQ(CodeFor(std::string(201, 'a')), "B403");
}

}  // namespace
}  // namespace dpsql
