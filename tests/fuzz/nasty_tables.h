#pragma once

#include "backend/public_table.h"
#include "support/choices.h"

namespace dpsql {

// Some rows for a table, of values that its types allow and few expect: NULL, NaN, infinities,
// extremes, texts with quotes and with names of files.
void FillTable(PublicTable& table, Choices& choices);

// Lists of draws for the columns from `first` to `last`, as publish/draws.h adds them.
void FillDraws(PublicTable& table, std::size_t first, std::size_t last, std::size_t draws,
               Choices& choices);

}  // namespace dpsql
