#include "session/long_texts.h"

#include <filesystem>

#include "base/text.h"
#include "os/files.h"
#include "trust/sha256.h"

namespace grapnel {

void LongTexts::shorten(Effects& effects, const Dialect& dialect) {
  // Only dialects whose agent has a limit of its own set these two.
  if (dialect.answer.max_text == 0 || dialect.answer.text_preview == 0) return;
  shorten_all(effects.context, dialect);
  shorten_all(effects.messages, dialect);
}

void LongTexts::shorten_all(std::vector<Attributed>& items, const Dialect& dialect) {
  for (Attributed& item : items) {
    // Limits are in characters, as the agents count, and not in bytes.
    const size_t limit = text::find_character(item.text, dialect.answer.max_text);
    if (limit == item.text.size()) continue;
    const std::string path = keep(item.text);
    const std::string_view preview =
        std::string_view(item.text).substr(0, text::find_character(item.text, dialect.answer.text_preview));
    item.text = path.empty() ? text::cap(item.text, limit)
                             : "[" + std::to_string(item.text.size()) + " bytes; the full text is in " + path +
                                   "; it begins with:]\n" + std::string(preview);
  }
}

std::string LongTexts::session_directory() const {
  return session_id_.empty() ? "" : std::string(directory_) + "/" + Sha256().add(session_id_).hex().substr(0, 32);
}

/// Returns the path of the new file, or "" when it cannot be written.
std::string LongTexts::keep(const std::string& text) {
  const std::string directory = session_directory();
  if (directory.empty() || !os::make_dirs(directory, 0700)) return "";
  std::string path = directory + "/" + std::string(event_id_) + "-" + std::to_string(++count_) + ".txt";
  return os::write_file_atomic(path, text, 0600) ? path : "";
}

/// Errors are ignored, because nothing depends on these files any more.
void LongTexts::forget_session() const {
  const std::string directory = session_directory();
  std::error_code error;
  if (!directory.empty()) std::filesystem::remove_all(directory, error);
}

}  // namespace grapnel
