#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "model/registry.h"

namespace grapnel {

/// Ends the message or the hint of a mistake because of which a whole file is not used.
inline constexpr std::string_view kNothingLoaded = "no hook in this file is loaded";

/// Maps an offset in a converted text to the line and column of the original text.
struct TextPlace {
  size_t offset = 0;
  uint32_t line = 0;
  uint32_t column = 0;
};

/// Collects the mistakes in one document, each with its position.
class Problems {
 public:
  Problems(std::string path, const Json& root);
  /// For a document that was converted from another text. `places` are sorted by offset and give the original
  /// positions.
  Problems(std::string path, std::vector<TextPlace> places) : path_(std::move(path)), places_(std::move(places)) {}

  /// An error usually means that the entry is not used; with a warning it is used, but maybe not as intended. Both are
  /// reported at a value, or at an offset into the document when there is no value, as for keys. Hints say what to
  /// write instead.
  void error(const Json& where, std::string_view message, std::string hint = {});
  void error_at(size_t offset, std::string_view message, std::string hint = {});
  void warning(const Json& where, std::string_view message, std::string hint = {});
  void warning_at(size_t offset, std::string_view message, std::string hint = {});

  /// The line and column of a value or an offset in the original text.
  SourcePos position_of(const Json& value) const { return position_at(value.begin_offset()); }
  SourcePos position_at(size_t offset) const;
  /// Limit: a message is cut at 400 bytes.
  std::vector<ConfigProblem> take() { return std::move(problems_); }

 private:
  void add(ConfigProblem::Severity severity, size_t offset, std::string_view message, std::string hint);

  std::string path_;
  std::vector<size_t> line_starts_;  ///< of all lines but the first
  std::vector<TextPlace> places_;    ///< used instead of `line_starts_` when not empty
  std::vector<ConfigProblem> problems_;
};

/// The members of an object without duplicate keys: the last one is kept, and each earlier one gets a warning.
std::vector<JsonMember> counting_members(const Json& object, Problems& problems);

/// `did you mean 'X'?`, or "" when nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace grapnel
