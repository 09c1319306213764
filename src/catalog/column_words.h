#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the name of a table or column lets one guess. A guess is for a warning or a draft, never for
// a decision.
namespace dpsql {

// The words of a name in lower case: customer_id, customerId and "Customer ID" are customer and id.
std::vector<std::string> WordsOf(std::string_view name);

// Speaks of one person: name, email, phone.
bool LooksPersonal(std::string_view name);

// Numbers rows: id, uuid.
bool LooksLikeIdentifier(std::string_view name);

// The kinds of people that are known, most likely ones first.
std::span<const std::string_view> KindsOfPeople();

// The kind of people that a table is about, "customer" of customers or dim_customer; empty where
// its name speaks of none.
std::string PeopleOf(std::string_view table);

// The kind of people that a column names one of, "customer" of customer_id or CustomerNo; empty
// where it names none.
std::string PersonNamedBy(std::string_view column);

// A name without the ending of a plural.
std::string Singular(std::string_view name);

}  // namespace dpsql
