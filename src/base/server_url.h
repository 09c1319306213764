#pragma once

#include <string>
#include <string_view>

// URLs of servers: scheme://user:password@host/database?option=value as libpq reads them, and
// scheme://host/database/;option=value as Spark does.
namespace dpsql {

bool IsServerUrl(std::string_view url);

// The URL as it may be shown. What stands between the first colon and the last @ before the options
// is a password, also one with a / or @ or ? that should have been written as %2F and so on.
// Options behind
// `?` go where the name of one speaks of a password, secret, key or token, or is not plain; those
// behind `;` always go, since any of them may be a token. Any other text is left as it is.
std::string WithoutPassword(std::string_view url);

// The name behind the host, or nothing.
std::string DatabaseOf(std::string_view url);

}  // namespace dpsql
