#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace grapnel::cli {

/// Reads lines from the terminal, with editing and a history. Waiting for a key also ends when `wake_fd` becomes
/// readable, a deadline passes or the question is cancelled. This is the only file that uses libedit. Thread: one at a
/// time.
class LineEditor {
 public:
  /// `Line`: a line was entered. `EndOfInput`: Ctrl-D, or the terminal is gone. `Woken`: `wake_fd` is readable.
  /// `TimedOut`: the deadline has passed. `Cancelled`: a stop was requested.
  enum class End : uint8_t { Line, EndOfInput, Woken, TimedOut, Cancelled };
  struct Entry {
    End end = End::Line;
    std::string text;
  };

  /// The history file is read now and written whenever a line is remembered; "" means no file.
  LineEditor(std::string history_file, int wake_fd);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// Shows the prompt and waits. The text is trimmed, and only present for `End::Line`.
  Entry read(const std::string& prompt, std::optional<Deadline> until = {}, const std::stop_token& cancel = {});
  /// What the tab key does: given the text before the cursor, the whole lines that it may become.
  using Complete = std::function<std::vector<std::string>(std::string_view before)>;
  void complete_with(Complete complete);
  /// Adds a line to the history.
  void remember(const std::string& line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grapnel::cli
