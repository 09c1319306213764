#pragma once

#include <string>
#include <string_view>

// URLs of servers: scheme://user:password@host/database?option=value as libpq reads them, and
// scheme://host/database/;option=value as Spark does.
namespace dpsql {

bool IsServerUrl(std::string_view url);

// The URL as it may be shown. Options behind `?` go with a password that is among them; those
// behind `;` always go, since any of them may be a token. Any other text is left as it is.
std::string WithoutPassword(std::string_view url);

// The name behind the host, or nothing.
std::string DatabaseOf(std::string_view url);

}  // namespace dpsql
