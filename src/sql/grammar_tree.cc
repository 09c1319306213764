#include "sql/grammar_tree.h"

#include <pg_query.h>
#include <simdjson.h>

#include <cstring>
#include <memory>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/limits.h"
#include "sql/syntax_error.h"
#include "sql/tokens.h"

namespace dpsql {
namespace {

struct FreeParse {
  void operator()(PgQueryParseResult* result) const {
    pg_query_free_parse_result(*result);
    delete result;
  }
};
using ParseAnswer = std::unique_ptr<PgQueryParseResult, FreeParse>;

GrammarNode Convert(std::string_view key, const simdjson::dom::element& element);

void ConvertChildren(const simdjson::dom::element& element, GrammarNode& node) {
  if (node.kind == GrammarNode::Kind::kList) {
    const simdjson::dom::array items = element.get_array().value();
    node.children.reserve(items.size());
    for (const simdjson::dom::element item : items) node.children.push_back(Convert("", item));
    return;
  }
  const simdjson::dom::object members = element.get_object().value();
  node.children.reserve(members.size());
  for (const auto& [name, value] : members) node.children.push_back(Convert(name, value));
}

GrammarNode Convert(std::string_view key, const simdjson::dom::element& element) {
  GrammarNode node;
  node.key = key;
  switch (element.type()) {
    case simdjson::dom::element_type::ARRAY:
      node.kind = GrammarNode::Kind::kList;
      ConvertChildren(element, node);
      break;
    case simdjson::dom::element_type::OBJECT:
      node.kind = GrammarNode::Kind::kObject;
      ConvertChildren(element, node);
      break;
    case simdjson::dom::element_type::STRING:
      node.kind = GrammarNode::Kind::kText;
      node.text = element.get_string().value();
      break;
    case simdjson::dom::element_type::BOOL:
      node.kind = GrammarNode::Kind::kBool;
      node.integer = element.get_bool().value() ? 1 : 0;
      break;
    case simdjson::dom::element_type::INT64:
      node.kind = GrammarNode::Kind::kInteger;
      node.integer = element.get_int64().value();
      break;
    default:
      Check(element.is_null(), "the grammar answers with integers, not with other numbers");
  }
  return node;
}

Result<GrammarTree> ReadJson(const char* json) {
  const auto parser = std::make_shared<simdjson::dom::parser>();
  const std::size_t size = std::strlen(json);
  Check(parser->allocate(size, kMaxTreeDepth) == simdjson::SUCCESS, "a JSON parser has memory");
  simdjson::dom::element root;
  const simdjson::error_code code = parser->parse(json, size).get(root);
  if (code == simdjson::DEPTH_ERROR) {
    return MakeError(ErrorCode::kTooLarge, "statement nests too deep");
  }
  if (code == simdjson::UTF8_ERROR) {
    return MakeError(ErrorCode::kInvalidText, "a constant of the statement is not valid UTF-8");
  }
  Check(code == simdjson::SUCCESS, "the grammar answers with JSON");
  return GrammarTree{.root = Convert("", root), .memory = parser};
}

}  // namespace

const GrammarNode* GrammarNode::Find(std::string_view name) const {
  for (const GrammarNode& child : children) {
    if (child.key == name) return &child;
  }
  return nullptr;
}

std::string_view GrammarNode::Text(std::string_view name) const {
  const GrammarNode* child = Find(name);
  return child == nullptr ? std::string_view() : child->text;
}

std::int64_t GrammarNode::Integer(std::string_view name) const {
  const GrammarNode* child = Find(name);
  return child == nullptr ? 0 : child->integer;
}

bool GrammarNode::Bool(std::string_view name) const { return Integer(name) != 0; }

const std::vector<GrammarNode>& GrammarNode::List(std::string_view name) const {
  static const std::vector<GrammarNode> kNothing;
  const GrammarNode* child = Find(name);
  return child == nullptr ? kNothing : child->children;
}

Result<GrammarTree> RunGrammar(const std::string& sql, const Tokens& tokens) {
  const ParseAnswer answer(new PgQueryParseResult(pg_query_parse(sql.c_str())));
  if (answer->error != nullptr) return SyntaxError(*answer->error, sql, &tokens);
  return ReadJson(answer->parse_tree);
}

}  // namespace dpsql
