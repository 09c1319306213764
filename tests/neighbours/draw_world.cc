#include "neighbours/draw_world.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "neighbours/draw_columns.h"

namespace dpsql {
namespace {

// Who says that a key is unique.
enum class KeptBy { kDatabase, kOwner, kNobody };

struct World {
  CaseTable table;
  std::vector<DrawnColumn> columns;
  std::string policy;  // of the table itself
};

class WorldMaker {
 public:
  WorldMaker(Dice& dice, bool on_duckdb) : dice_(dice), on_duckdb_(on_duckdb) {}

  NeighbourCase Make() {
    unit_type_ = dice_.Pick(std::to_array({"INTEGER", "BIGINT", "VARCHAR", "UUID", "SMALLINT"}));
    AddPublic();
    MakePerson();
    MakeAct();
    if (dice_.In16(11)) MakePart();
    if (part_ != kNone && dice_.In16(8)) MakePiece();
    if (person_kept_ != KeptBy::kNobody && dice_.In16(7)) MakeNote();
    if (dice_.In16(5)) MakeVisit();
    AddRows();
    NeighbourCase made{
        .policy = Head(), .verified = std::move(verified_), .tables = {}, .question = ""};
    for (World& world : worlds_) {
      made.policy += PolicyOf(world);
      made.tables.push_back(std::move(world.table));
    }
    return made;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // --- the policy
  std::string Head() {
    std::string head = "[dataset]\nname = \"random\"\nunit = \"person\"\n[budget]\n";
    head += "epsilon = 8.0\ndelta = 1e-6\n";
    head += dice_.Pick(std::to_array(
        {"", "", "pure_epsilon = 4.0\n", "accountant = \"rdp\"\n", "accountant = \"basic\"\n"}));
    head += "[query]\nepsilon = 1.0\nepsilon_max = 2.0\ndelta = 1e-7\nmin_frequency = ";
    head += dice_.Pick(std::to_array({"1", "1", "1", "2", "3"}));
    head += "\n";
    if (!dice_.In16(2)) {
      head += "max_groups_per_unit = ";
      head += dice_.Pick(std::to_array({"1", "1", "2", "3", "1000"}));
      head += "\n";
    }
    return head;
  }

  std::string RowCap() {
    if (dice_.In16(1) && dice_.In16(6)) return "";
    return std::string("max_rows_per_unit = ") +
           dice_.Pick(std::to_array({"1", "2", "2", "3", "20"})) + "\n";
  }

  static std::string PolicyOf(const World& world) {
    std::string text = "[tables." + world.table.name + "]\n" + world.policy + "[tables." +
                       world.table.name + ".columns]\n";
    for (const DrawnColumn& column : world.columns) text += column.policy;
    return text;
  }

  // --- tables
  std::size_t AddTable(const std::string& name, const std::string& keys, std::string policy) {
    World world{.table = {.name = name, .columns = keys, .rows = {}},
                .columns = DrawColumns(dice_, name.substr(0, 2), on_duckdb_),
                .policy = std::move(policy)};
    for (const DrawnColumn& column : world.columns) world.table.columns += ", " + column.sql;
    worlds_.push_back(std::move(world));
    return worlds_.size() - 1;
  }

  // The words behind a key's columns; what only the owner knows is remembered.
  std::string KeyText(KeptBy kept, const std::string& table, std::vector<std::string> columns) {
    std::string list;
    for (const std::string& column : columns) list += (list.empty() ? "" : ", ") + column;
    const char* const word = dice_.In16(8) ? ", PRIMARY KEY (" : ", UNIQUE (";
    if (kept == KeptBy::kOwner) verified_.push_back({table, std::move(columns)});
    return kept == KeptBy::kDatabase ? word + list + ")" : "";
  }

  void AddPublic() {
    place_ = AddTable("place", std::string("name VARCHAR") + (dice_.In16(8) ? " PRIMARY KEY" : ""),
                      "public = true\n");
    if (!dice_.In16(8)) return;
    fair_ = AddTable("fair",
                     std::string("town VARCHAR, year INTEGER") +
                         (dice_.In16(8) ? ", PRIMARY KEY (town, year)" : ""),
                     "public = true\n");
  }

  void MakePerson() {
    person_kept_ = dice_.Pick(
        std::to_array({KeptBy::kDatabase, KeptBy::kDatabase, KeptBy::kOwner, KeptBy::kNobody}));
    const std::string cap = person_kept_ == KeptBy::kNobody || dice_.In16(3) ? RowCap() : "";
    person_ = AddTable("person", "id " + unit_type_ + KeyText(person_kept_, "person", {"id"}),
                       "unit = \"id\"\n" + cap);
  }

  void MakeAct() {
    const KeptBy kept = dice_.In16(11) ? KeptBy::kDatabase : KeptBy::kOwner;
    two_keys_ = dice_.In16(4);
    std::vector<std::string> key = {"act_id"};
    if (two_keys_) key.emplace_back("act_no");
    const std::string columns = two_keys_ ? "act_id BIGINT, act_no SMALLINT" : "act_id BIGINT";
    const bool never_null = dice_.In16(3);
    act_nulls_ = !never_null;
    act_ = AddTable("act",
                    columns + ", who " + unit_type_ + (never_null ? " NOT NULL" : "") +
                        KeyText(kept, "act", key),
                    "unit = \"who\"\n" + RowCap());
  }

  void MakePart() {
    const KeptBy kept = dice_.In16(11) ? KeptBy::kDatabase : KeptBy::kOwner;
    const std::string columns = two_keys_ ? "act_id BIGINT, act_no SMALLINT" : "act_id BIGINT";
    const std::string link = two_keys_
                                 ? "unit = { through = [\"act_id\", \"act_no\"], references = "
                                   "[\"act.act_id\", \"act.act_no\"] }\n"
                                 : "unit = { through = \"act_id\", references = \"act.act_id\" }\n";
    part_ = AddTable("part", "part_id INTEGER, " + columns + KeyText(kept, "part", {"part_id"}),
                     link + RowCap());
  }

  void MakePiece() {
    piece_ =
        AddTable("piece", "part_id INTEGER",
                 "unit = { through = \"part_id\", references = \"part.part_id\" }\n" + RowCap());
  }

  void MakeNote() {
    note_ = AddTable("note", "person_id " + unit_type_,
                     "unit = { through = \"person_id\", references = \"person.id\" }\n" + RowCap());
  }

  void MakeVisit() {
    visit_ =
        AddTable("visit", "visitor VARCHAR", "unit = \"visitor\"\nkind = \"visitor\"\n" + RowCap());
  }

  // --- rows
  std::string Unit(int number) const {
    // Texts that differ by a space or by letter case are different people.
    constexpr auto kTexts = std::to_array({"'u'", "'U'", "'u '", "''", "'\u00e9'", "'u1'", "'9'"});
    const std::string digit = std::to_string(number);
    if (unit_type_ == "VARCHAR") return kTexts[static_cast<std::size_t>(number)];
    if (unit_type_ == "UUID") return "'00000000-0000-0000-0000-00000000000" + digit + "'";
    // Too large for a DOUBLE to tell them apart, or below zero.
    if (unit_type_ == "BIGINT") return "900719925474099" + digit;
    return unit_type_ == "SMALLINT" ? std::to_string(number - 3) : digit;
  }

  void Insert(std::size_t table, std::string values, const std::string& owner) {
    World& world = worlds_[table];
    for (const DrawnColumn& column : world.columns) values += ", " + column.DrawValue(dice_);
    world.table.rows.push_back({std::move(values), owner});
    if (dice_.In16(1) && twins_) world.table.rows.push_back(world.table.rows.back());
  }

  // The same row once more breaks a key.
  void InsertOnce(std::size_t table, std::string values, const std::string& owner) {
    twins_ = false;
    Insert(table, std::move(values), owner);
    twins_ = true;
  }

  void AddRows() {
    const int people = dice_.In16(1) ? 0 : dice_.Between(1, 6);
    const int heavy = dice_.Between(0, people);
    for (int unit = 0; unit < people; ++unit) AddUnit(unit, unit == heavy);
    AddNobody();
    AddPublicRows();
    if (visit_ != kNone) AddVisits();
    // Now and then a table is empty; then nobody's rows can lead to it.
    if (dice_.In16(1)) worlds_[dice_.Below(worlds_.size())].table.rows.clear();
  }

  void AddUnit(int unit, bool heavy) {
    const std::string owner = "person " + std::to_string(unit);
    const std::string name = Unit(unit);
    const bool is_person = dice_.In16(14);
    if (is_person) {
      InsertOnce(person_, name, owner);
      // What nobody keeps, and what the owner got wrong.
      const bool twice = person_kept_ != KeptBy::kDatabase && note_ == kNone && dice_.In16(4);
      if (twice) InsertOnce(person_, name, owner);
    }
    const int acts = heavy ? dice_.Between(6, 12) : dice_.Between(dice_.In16(11) ? 1 : 0, 4);
    for (int i = 0; i < acts; ++i) AddAct(name, owner);
    if (note_ == kNone) return;
    const int notes = heavy ? 6 : dice_.Between(0, 2);
    for (int i = 0; i < notes; ++i) Insert(note_, name, is_person ? owner : "");
  }

  void AddAct(const std::string& name, const std::string& owner) {
    const std::string id = std::to_string(++acts_);
    const std::string key = two_keys_ ? std::to_string(acts_ / 2) + ", " + id : id;
    InsertOnce(act_, key + ", " + name, owner);
    if (part_ == kNone) return;
    const int parts = dice_.Between(-1, 3);
    for (int i = 0; i < parts; ++i) AddPart(key, owner);
  }

  void AddPart(const std::string& act, const std::string& owner) {
    const std::string id = std::to_string(++parts_);
    InsertOnce(part_, id + ", " + act, owner);
    if (piece_ == kNone) return;
    const int pieces = dice_.Between(-1, 2);
    for (int i = 0; i < pieces; ++i) Insert(piece_, id, owner);
  }

  void AddNobody() {
    if (act_nulls_ && dice_.In16(12)) AddAct("NULL", "");
    if (part_ != kNone) {
      const std::string second = two_keys_ ? ", NULL" : "";
      AddPart("7777" + second, "");
      AddPart("NULL" + second, "");
    }
    if (piece_ != kNone) {
      Insert(piece_, "NULL", "");
      Insert(piece_, "8888", "");
    }
    if (note_ != kNone) Insert(note_, "NULL", "");
  }

  void AddPublicRows() {
    for (const char* name : {"'Paris'", "'a'", "''", "'home'", "'nowhere'"}) {
      if (dice_.In16(10)) InsertOnce(place_, name, "");
    }
    if (fair_ == kNone) return;
    for (const char* key : {"'Paris', 2020", "'Paris', 3", "'a', 1", "'', 0"}) {
      if (dice_.In16(12)) InsertOnce(fair_, key, "");
    }
  }

  void AddVisits() {
    Insert(visit_, "NULL", "");
    for (int unit = 0; unit < 2; ++unit) {
      const int visits = dice_.Between(0, 3);
      for (int i = 0; i < visits; ++i) {
        Insert(visit_, "'u" + std::to_string(unit) + "'", "visitor " + std::to_string(unit));
      }
    }
  }

  Dice& dice_;
  bool on_duckdb_;
  std::string unit_type_;
  std::vector<World> worlds_;
  std::vector<CaseKey> verified_;
  KeptBy person_kept_ = KeptBy::kDatabase;
  bool two_keys_ = false;
  bool act_nulls_ = true;
  bool twins_ = true;
  int acts_ = 0;
  int parts_ = 0;
  std::size_t place_ = kNone;
  std::size_t fair_ = kNone;
  std::size_t person_ = kNone;
  std::size_t act_ = kNone;
  std::size_t part_ = kNone;
  std::size_t piece_ = kNone;
  std::size_t note_ = kNone;
  std::size_t visit_ = kNone;
};

}  // namespace

NeighbourCase DrawWorld(Dice& dice, bool on_duckdb) { return WorldMaker(dice, on_duckdb).Make(); }

}  // namespace dpsql
