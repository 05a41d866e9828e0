#pragma once

#include <string>
#include <vector>

#include "grapnel/json.h"

#include "os/temp_dir.h"

/// A run of the agent in a place of its own; README.md says what a scenario may ask for.
namespace grapnel::scenario {

struct Ran {
  int exit = -1;
  std::string ending;
  std::string out;
  std::string err;
  std::vector<Json> journal;
};

class Scenario {
 public:
  explicit Scenario(Json json) : json_(std::move(json)) {}

  std::string id() const { return json_["id"].as_string().value_or(""); }
  /// What is not as wanted, one line each; "" when all is.
  std::string play();

 private:
  void write_files(const std::string& below, const Json& files) const;
  Ran run(const Json& step);
  std::string check(const Json& want, const Ran& ran) const;

  Json json_;
  testing::TempDir dir_;
  int runs_ = 0;
};

}  // namespace grapnel::scenario
