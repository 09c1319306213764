#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/postgresql_relations.h"
#include "backend/sql_engine.h"

// Tables that join others in the middle of a question. ALTER TABLE … INHERIT and ATTACH PARTITION
// need no lock that ours on the parent hinders, and show at once in snapshots that are older: their
// rows, which are as old as they like, may repeat a key whose uniqueness the plan relies on.
//
// A table that has no heirs is read with ONLY (postgresql_read.h). For the others, what our
// transaction has locked is looked at. Proof that a statement which does not fail read no table but
// those that were there before the snapshot: PostgreSQL locks each table before it reads it, and
// keeps that lock until the transaction ends; whether somebody detaches the table, which waits for
// us, or not, the lock is among ours behind the statement. pg_locks is no table and has no
// snapshot. All that were locked first were heirs then, before the snapshot, with rows that their
// parent's indexes had been checked for; and none of them can go.
namespace dpsql {

// Whether more tables than this one are read under its name.
bool ReadsHeirs(const PostgreSqlRelation& relation);

// The tables that the transaction of a connection has locked, in order.
std::optional<SqlFailure> ReadLocks(SqlConnection& connection, std::vector<std::string>& tables);

// A connection whose statements have failed, as ones that met changed data, where they locked
// another table. Requires: `tables` was read before its first statement.
std::unique_ptr<SqlConnection> KeepToLocks(std::unique_ptr<SqlConnection> connection,
                                           std::vector<std::string> tables);

}  // namespace dpsql
