#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "grapnel/json.h"

/// Conformance cases: what an agent's hooks do, written down as data. `README.md` beside this file has the format.
namespace grapnel::conformance {

/// Where we answer otherwise than the real system, on purpose.
struct Difference {
  std::string real;
  std::string ours;
  std::string why;
  bool operator==(const Difference&) const = default;
};

/// An example that the agent's document gives.
struct Example {
  std::string of;       ///< where it stands and what it is
  std::string changed;  ///< what had to be changed to run it, and why; "" for nothing
  bool operator==(const Example&) const = default;
};

struct Case {
  std::string id;
  std::string dialect;  ///< the folder it lies in
  std::string spec;     ///< the rule, in a sentence
  std::string where;    ///< a note: the test that covers the case is elsewhere
  Json json;
  std::optional<Difference> differs;
  std::optional<Example> example;
  std::string problem;  ///< the case itself cannot be used

  bool is_note() const { return !where.empty(); }
};

/// How a test's name is followed by its case.
inline void PrintTo(const Case& one, std::ostream* out) {
  *out << one.id;
}

/// Every case of every dialect below `directory`, by dialect, file and order in the file.
std::vector<Case> load_cases(const std::string& directory);

}  // namespace grapnel::conformance
