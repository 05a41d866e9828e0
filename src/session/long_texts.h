#pragma once

#include <string>
#include <string_view>

#include "dialect/dialect.h"

namespace grapnel {

/// Texts over a dialect's limit: kept in a file of the session, for the model a preview and the path.
///
/// Files lie in `<directory>/<digest of the session's id>/<event>-<number>.txt`, for their owner alone, and go when the
/// session ends. Where there is no session or no file can be written, the text is cut with a visible mark.
class LongTexts {
 public:
  /// Borrows all three.
  LongTexts(std::string_view directory, std::string_view session_id, std::string_view event_id)
      : directory_(directory), session_id_(session_id), event_id_(event_id) {}

  /// Shortens what one hook of that dialect said.
  void shorten(Effects& effects, const Dialect& dialect);
  /// Removes the session's files.
  void forget_session() const;

 private:
  std::string keep(const std::string& text);
  void shorten_all(std::vector<Attributed>& items, const Dialect& dialect);
  /// "" without a session.
  std::string session_directory() const;

  std::string_view directory_;
  std::string_view session_id_;
  std::string_view event_id_;
  int count_ = 0;
};

}  // namespace grapnel
