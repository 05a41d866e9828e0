#pragma once

#include <string>
#include <string_view>

#include "dialect/dialect.h"

namespace grapnel {

/// Shortens texts that are longer than a dialect's limit. The whole text is kept in a file of the session, and the
/// model gets the beginning and the path.
///
/// The files are `<directory>/<digest of the session's id>/<event>-<number>.txt`. Only their owner may read them, and
/// they are removed when the session ends. If there is no session or no file can be written, the text is cut and
/// marked.
class LongTexts {
 public:
  /// The three texts must outlive this object.
  LongTexts(std::string_view directory, std::string_view session_id, std::string_view event_id)
      : directory_(directory), session_id_(session_id), event_id_(event_id) {}

  /// Shortens the context and the messages of one hook of that dialect.
  void shorten(Effects& effects, const Dialect& dialect);
  /// Removes the session's files.
  void forget_session() const;

 private:
  std::string keep(const std::string& text);
  void shorten_all(std::vector<Attributed>& items, const Dialect& dialect);
  /// Returns "" without a session.
  std::string session_directory() const;

  std::string_view directory_;
  std::string_view session_id_;
  std::string_view event_id_;
  int count_ = 0;
};

}  // namespace grapnel
