#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/type.h"
#include "catalog/catalog.h"
#include "support/choices.h"

namespace dpsql {

// The one thing by which a hostile query differs from one that may be answered.
enum class NearMiss {
  kNone,
  kDroppedJoin,      // owners are not equated
  kOtherJoinColumn,  // something else is
  kMixedKinds,       // rows of two kinds of units are joined
  kNullableOwner,    // the owner's copy on the optional side of an outer join stands for the owner
  kComputedOwner,    // an expression over the owner does
  kOwnerLeftOut,     // a query in FROM does not show its owner
  kGroupsOverUnits,  // a grouping below another one does not hold the owner
  kWindowOverUnits,  // a window without PARTITION BY owner
  kSwappedUnion,     // the owner stands in another column on one side
  kLimitInside,      // LIMIT chooses among rows of several people
  kUncorrelated,     // EXISTS does not compare owners
  kUnitShown,        // the owner is a key of the answer
  kHiddenColumn,
};

struct GeneratedQuery {
  std::string sql;
  NearMiss near_miss = NearMiss::kNone;  // kNone also where the chosen one found no place
};

// Makes SELECT text over a catalog's tables from a stream of choices. All shapes of the language
// are made, those that no binder accepts yet too; types fit and owners are joined, except at the
// one place where a hostile query goes wrong. The same bytes give the same text.
class QueryGenerator {
 public:
  // Requires: the tables are those of one catalog and outlive this; one is private, one public.
  QueryGenerator(const std::vector<CatalogTable>& tables, Choices& choices)
      : tables_(tables), choices_(choices) {}

  GeneratedQuery Next();

 private:
  struct Column {
    std::string name;
    TypeFamily type = TypeFamily::kInteger;
    bool unit = false;
    bool hidden = false;
    bool bounded = false;
  };
  struct Source {
    std::string alias;  // as it is written before the dot
    std::vector<Column> columns;
    std::string kind;  // of its units; empty for what is public or released
    const CatalogTable* table = nullptr;
    bool optional = false;  // rows of NULLs may stand for it
  };
  struct Scope {
    std::vector<Source> sources;
    const Scope* outer = nullptr;
    std::vector<std::string> conditions;  // of joins by comma: they belong into WHERE
  };
  struct Query {
    std::string sql;
    std::vector<Column> columns;
    std::string kind;
  };
  // What a query inside another one is for.
  enum class Shape { kRows, kPerUnit, kReleased, kPublic };

  // query_generator.cc: blocks.
  std::string Answer(int depth);
  std::string AnswerBlock(int depth);
  std::string With();
  // The units are of `kind` where it is not empty. With `outer` the query is correlated.
  Query Inner(Shape shape, int depth, std::string_view kind, const Scope* outer);
  Query InnerBlock(Shape shape, int depth, std::string_view kind, const Scope* outer);
  std::string Where(Scope& scope, int depth);
  Query PublicBlock();
  Query Combine(Query left, int depth);
  std::string Aggregate(const Scope& scope, int depth);
  std::string Sum(const Scope& scope, int depth);
  std::string ExactAggregate(const Scope& scope, int depth);
  std::string Window(const Scope& scope, int depth);
  std::string Tail(std::size_t columns, bool inside);
  void AddOwner(const Scope& scope, std::vector<std::string>& items, Query& query);
  void AddColumns(const Scope& scope, int depth, std::vector<std::string>& items, Query& query);

  // query_generator_from.cc: sources and joins. A `kind` is that of units, "public", a table's own
  // name, or empty for any.
  std::string From(Scope& scope, int depth, std::string_view kind);
  std::string JoinNext(Scope& scope, int depth, std::string text);
  std::string Lateral(Scope& scope, int depth);
  std::string TakeSource(Source& source, int depth, std::string_view kind);
  std::string TakeTable(Source& source, std::string_view kind);
  std::string TakeDerived(Source& source, int depth, std::string_view kind);
  std::string_view NextKind(const Scope& scope);
  std::string JoinText(Scope& scope, Source& right, const std::string& right_text, int depth);
  std::string Condition(const Scope& scope, const Source& right, int depth);
  std::string LinkCondition(const Scope& scope, const Source& right);
  std::string AnyCondition(const Scope& scope, const Source& right);
  std::string KeysEqual(const Source& child, const Source& parent);
  std::string SharedColumn(const Scope& scope, const Source& right);
  std::string NewAlias();
  void RenameColumns(Source& source, std::string& text);

  // query_generator_expr.cc: expressions.
  std::string Expression(const Scope& scope, TypeFamily type, int depth);
  std::string NumberExpression(const Scope& scope, int depth);
  std::string TextExpression(const Scope& scope, int depth);
  std::string Leaf(const Scope& scope, TypeFamily type);
  std::string Literal(TypeFamily type);
  std::string Predicate(const Scope& scope, int depth);
  std::string SimplePredicate(const Scope& scope, int depth);
  std::string SubqueryPredicate(const Scope& scope, int depth);
  std::string Membership(const Scope& scope, int depth);
  std::string Exists(const Scope& scope, int depth);
  std::string Quantified(const Scope& scope, int depth);
  std::string ScalarComparison(const Scope& scope, int depth);

  // Names and choices.
  std::string Name(std::string_view name);
  std::string Ref(const Source& source, const Column& column);
  std::optional<std::string> Owner(const Scope& scope);
  std::string_view KindOf(const Scope& scope) const;
  bool Miss(NearMiss miss);
  bool Bold(std::size_t in16);  // for what few binders accept

  const std::vector<CatalogTable>& tables_;
  Choices& choices_;
  NearMiss near_miss_ = NearMiss::kNone;
  bool missed_ = false;
  std::size_t boldness_ = 0;
  std::size_t names_ = 0;
  std::size_t sources_left_ = 0;
  std::vector<Source> ctes_;
};

// The query of a seed.
GeneratedQuery GenerateQuery(const std::vector<CatalogTable>& tables, std::uint64_t seed);

}  // namespace dpsql
