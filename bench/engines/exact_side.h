#pragma once

#include <memory>
#include <string>
#include <vector>

namespace dpsql {

// One of the four databases as its own users ask it: no private form, no setting of ours.
class ExactSide {
 public:
  virtual ~ExactSide() = default;

  // Runs a query to the end and takes its rows. Ends the program where the database refuses.
  virtual void Run(const std::string& sql) = 0;
};

// `url` as the product has it. Of Spark, and of DuckDB where the URL is empty, each table is a file
// of Parquet in `files`: NAME.parquet.
std::unique_ptr<ExactSide> OpenExactSide(const std::string& url, const std::string& files,
                                         const std::vector<std::string>& tables);

}  // namespace dpsql
