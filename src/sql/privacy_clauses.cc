#include "sql/privacy_clauses.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "sql/parameter_uses.h"
#include "sql/spans.h"
#include "sql/tokens.h"

namespace dpsql {
namespace {

constexpr std::string_view kClauseForm = "write  SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (…) …";
constexpr std::string_view kListForm = "write  OPTIONS (epsilon = 0.5, delta = 1e-7)";
constexpr std::string_view kAlterForm =
    "write  ALTER PRIVATE_TABLE t OPTIONS (PRIVACY_UNIT_COLUMN = c)";

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// The text between quotes, a doubled quote being one.
std::string Unquote(std::string_view text) {
  const char quote = text.front();
  std::string inside;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    inside += text[i];
    if (text[i] == quote) ++i;
  }
  return inside;
}

class ClauseFinder {
 public:
  ClauseFinder(const Tokens& tokens, const ParameterUses& uses) : tokens_(tokens), uses_(uses) {}

  Result<PrivacyClauses> Find() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (IsSelect(i)) {
        TRY_DONE(FindClause(i));
      } else if (IsAlter(i)) {
        TRY_DONE(FindAlter(i));
      }
    }
    return std::move(found_);
  }

 private:
  // A keyword or a name without quotes.
  bool IsPlain(std::size_t i) const {
    return i < tokens_.size() && IsLetter(tokens_.text(i).front()) &&
           (tokens_[i].kind == TokenKind::kWord || tokens_[i].kind == TokenKind::kName);
  }
  bool IsQuotedName(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::kName &&
           tokens_.text(i).front() == '"';
  }
  bool IsWord(std::size_t i, std::string_view word) const {
    return IsPlain(i) && ToLower(tokens_.text(i)) == word;
  }
  std::string NameAt(std::size_t i) const {
    return IsQuotedName(i) ? Unquote(tokens_.text(i)) : ToLower(tokens_.text(i));
  }

  // After AS or a dot the word is a label.
  bool IsSelect(std::size_t i) const {
    const bool label = i > 0 && (tokens_.Is(i - 1, "as") || tokens_.Is(i - 1, "."));
    return tokens_.Is(i, "select") && !label;
  }

  // Elsewhere than at the start of a statement it is a column with an alias.
  bool IsAlter(std::size_t i) const {
    const bool starts = i == 0 || tokens_.Is(i - 1, ";");
    return starts && tokens_.Is(i, "alter") && IsWord(i + 1, "private_table");
  }

  Error Syntax(std::size_t i, std::string_view hint) const {
    if (i >= tokens_.size()) {
      return MakeError(ErrorCode::kSyntax, "syntax error at end of input",
                       tokens_[tokens_.size() - 1].span, std::string(hint));
    }
    return MakeError(ErrorCode::kSyntax,
                     "syntax error at or near \"" + std::string(tokens_.text(i)) + "\"",
                     tokens_[i].span, std::string(hint));
  }

  Status FindClause(std::size_t select) {
    if (tokens_.Is(select + 1, "with")) return FindWithClause(select);
    // Without the list behind it this is a column with an alias.
    const bool private_query = IsWord(select + 1, "private_query") &&
                               IsWord(select + 2, "options") && tokens_.Is(select + 3, "(");
    return private_query ? AddClause(select, select + 1) : Done{};
  }

  Status FindWithClause(std::size_t select) {
    const std::size_t name = select + 2;
    if (IsWord(name, "differential_privacy") || IsWord(name, "anonymization")) {
      return AddClause(select, name);
    }
    if (IsWord(name, "aggregation_threshold")) {
      return MakeError(
          ErrorCode::kUnsupportedSyntax,
          "syntax is not supported: WITH AGGREGATION_THRESHOLD, which adds no noise",
          tokens_.SpanOf(select + 1, name),
          "write  WITH DIFFERENTIAL_PRIVACY OPTIONS (min_privacy_units_per_group = …)");
    }
    return Syntax(name, kClauseForm);
  }

  // `last` is the last word before OPTIONS.
  Status AddClause(std::size_t select, std::size_t last) {
    PrivacyClauses::Clause clause{.select_begin = tokens_[select].span.begin};
    if (IsWord(last + 1, "options") && tokens_.Is(last + 2, "(")) {
      TRY(clause.options.options, ReadList(last + 2));
      last = tokens_.Partner(last + 2);
    }
    clause.options.span = tokens_.SpanOf(select + 1, last);
    if (EndsBlock(last + 1)) return Syntax(last + 1, kClauseForm);
    found_.clauses.push_back(std::move(clause));
    return Done{};
  }

  // PostgreSQL takes a SELECT of nothing; with a clause it would be a block that ends before its
  // own clause does.
  bool EndsBlock(std::size_t i) const {
    return i >= tokens_.size() || tokens_.Is(i, ")") || tokens_.Is(i, ";") ||
           IsQueryTail(tokens_, i) || IsSetOperator(tokens_, i);
  }

  Status FindAlter(std::size_t first) {
    ast::AlterPrivateTable alter;
    std::size_t last = first + 2;
    while (IsPlain(last) || IsQuotedName(last)) {
      alter.table.push_back(NameAt(last));
      if (!tokens_.Is(last + 1, ".")) break;
      last += 2;
    }
    if (!IsPlain(last) && !IsQuotedName(last)) return Syntax(last, kAlterForm);
    alter.table_span = tokens_.SpanOf(first + 2, last);
    if (!IsWord(last + 1, "options")) return Syntax(last + 1, kAlterForm);
    if (!tokens_.Is(last + 2, "(")) return Syntax(last + 2, kAlterForm);
    TRY(alter.options.options, ReadList(last + 2));
    const std::size_t close = tokens_.Partner(last + 2);
    alter.options.span = tokens_.SpanOf(last + 1, close);
    if (close + 1 < tokens_.size() && !tokens_.Is(close + 1, ";")) {
      return Syntax(close + 1, kAlterForm);
    }
    ast::Statement statement;
    statement.span = tokens_.SpanOf(first, close);
    statement.node = std::move(alter);
    found_.statements.push_back(std::move(statement));
    return Done{};
  }

  // Reads `(name = value, …)`. Ensures: the bracket at `open` has a partner.
  Result<std::vector<ast::PrivacyOption>> ReadList(std::size_t open) const {
    std::vector<ast::PrivacyOption> options;
    const std::size_t close = tokens_.Partner(open);
    if (close == Tokens::kNone) return Syntax(tokens_.size(), kListForm);
    std::size_t at = open + 1;
    while (at < close) {
      if (!IsPlain(at)) return Syntax(at, kListForm);
      if (!tokens_.Is(at + 1, "=")) return Syntax(at + 1, kListForm);
      const std::size_t value = at + 2;
      const std::size_t after = AfterValue(value, close);
      if (after == value) return Syntax(value, kListForm);
      options.push_back({.name = ToLower(tokens_.text(at)),
                         .value = ValueText(value, after - 1),
                         .name_span = tokens_[at].span,
                         .value_span = tokens_.SpanOf(value, after - 1)});
      if (after == close) break;
      at = after + 1;
      if (at == close) return Syntax(close, kListForm);
    }
    return options;
  }

  // The comma or the closing bracket behind a value.
  std::size_t AfterValue(std::size_t first, std::size_t close) const {
    std::size_t i = first;
    while (i < close && !tokens_.Is(i, ",")) {
      const bool opens = tokens_.Is(i, "(") || tokens_.Is(i, "[");
      const std::size_t partner = tokens_.Partner(i);
      i = opens && partner < close ? partner + 1 : i + 1;
    }
    return i;
  }

  // A parameter, a number with its sign, a text without its quotes, names joined by dots. Anything
  // else is kept as its words: no setting takes it.
  std::string ValueText(std::size_t first, std::size_t last) const {
    const ParameterUse* alone = first == last ? uses_.At(tokens_[first].span.begin) : nullptr;
    if (alone != nullptr) return alone->SettingText();
    std::string text;
    for (std::size_t i = first; i <= last; ++i) {
      const std::string_view typed = tokens_.text(i);
      const bool plus = i == first && first < last && tokens_.Is(i, "+");
      if (plus) continue;
      if (typed.front() == '\'' || IsQuotedName(i)) {
        text += Unquote(typed);
      } else {
        text += ToLower(typed);
      }
    }
    return text;
  }

  const Tokens& tokens_;
  const ParameterUses& uses_;
  PrivacyClauses found_;
};

}  // namespace

Result<PrivacyClauses> FindPrivacyClauses(const Tokens& tokens, const ParameterUses& uses) {
  return ClauseFinder(tokens, uses).Find();
}

std::string Blank(std::string sql, const PrivacyClauses& clauses) {
  const auto blank = [&](SourceSpan span) {
    std::fill(sql.begin() + span.begin, sql.begin() + span.end, ' ');
  };
  for (const PrivacyClauses::Clause& clause : clauses.clauses) blank(clause.options.span);
  for (const ast::Statement& statement : clauses.statements) blank(statement.span);
  return sql;
}

}  // namespace dpsql
