#include "cli/agent/line_editor.h"

#include <histedit.h>
#include <langinfo.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <string_view>

#include <sys/eventfd.h>

#include "base/text.h"
#include "base/unique_fd.h"
#include "os/files.h"

/// libedit reads lines by itself and knows neither deadlines nor other descriptors. It does let us replace the function
/// that reads a single key. Ours polls standard input together with `wake_fd` and an event descriptor for cancelling,
/// and makes libedit give up the line when one of the others is ready. `end` remembers which one it was.
namespace grapnel::cli {

namespace {

constexpr int kHistoryLines = 1000;

/// Input is always read as UTF-8, even if the user's locale has another encoding.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(::nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

/// The timeout for `poll`; -1 waits without limit.
int milliseconds_until(const std::optional<Deadline>& until) {
  if (!until) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - SteadyClock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, std::numeric_limits<int>::max()));
}

}  // namespace

struct LineEditor::Impl {
  Impl(std::string history_file, int wake) : history_path(std::move(history_file)), wake_fd(wake) {
    use_utf8();
    editor = ::el_init("grapnel", stdin, stdout, stderr);
    lines = ::history_init();
    HistEvent event{};
    ::history(lines, &event, H_SETSIZE, kHistoryLines);
    ::history(lines, &event, H_SETUNIQUE, 1);
    if (!history_path.empty()) ::history(lines, &event, H_LOAD, history_path.c_str());
    ::el_set(editor, EL_CLIENTDATA, this);
    ::el_set(editor, EL_PROMPT, &Impl::show_prompt);
    ::el_set(editor, EL_EDITOR, "emacs");
    ::el_set(editor, EL_HIST, &::history, lines);
    ::el_set(editor, EL_GETCFN, &Impl::read_character);
    // The wide form keeps these pointers; the narrow one would keep copies that nobody frees.
    ::el_wset(editor, EL_ADDFN, L"complete-line", L"completes the line", &Impl::complete_line);
    ::el_set(editor, EL_BIND, "^I", "complete-line", nullptr);
    // signals.h handles the signals, so libedit must not.
    ::el_set(editor, EL_SIGNAL, 0);
  }
  ~Impl() {
    ::el_end(editor);
    ::history_end(lines);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  static Impl& of(EditLine* editor) {
    void* self = nullptr;
    ::el_get(editor, EL_CLIENTDATA, &self);
    return *static_cast<Impl*>(self);
  }

  static char* show_prompt(EditLine* editor) { return of(editor).prompt.data(); }

  /// libedit calls this for each key. It returns 1 for a character, 0 at the end of input, -1 to give up.
  static int read_character(EditLine* editor, wchar_t* out) { return of(editor).next_character(*out); }

  /// libedit calls this for the tab key.
  static unsigned char complete_line(EditLine* editor, int /*key*/) { return of(editor).complete_here(); }

  /// Inserts what all possible lines have in common. If that is nothing, they are listed below the line.
  unsigned char complete_here() {
    const LineInfo* const info = ::el_line(editor);
    const std::string before(info->buffer, static_cast<size_t>(info->cursor - info->buffer));
    const auto lines_to_be = complete ? complete(before) : std::vector<std::string>{};
    if (lines_to_be.empty()) return CC_ERROR;
    std::string common = lines_to_be.front();
    for (const std::string& line : lines_to_be) {
      const auto [differs, other] = std::ranges::mismatch(common, line);
      common.erase(differs, common.end());
    }
    if (lines_to_be.size() == 1) common += ' ';
    if (common.size() > before.size()) {
      return ::el_insertstr(editor, common.c_str() + before.size()) == 0 ? CC_REFRESH : CC_ERROR;
    }
    const size_t word = before.rfind(' ') == std::string::npos ? 0 : before.rfind(' ') + 1;
    std::fputs("\n", stdout);
    for (const std::string& line : lines_to_be) std::fprintf(stdout, "%s  ", line.c_str() + word);
    std::fputs("\n", stdout);
    return CC_REDISPLAY;
  }

  /// Reads one character, byte by byte, since UTF-8 characters have up to four.
  int next_character(wchar_t& out) {
    std::mbstate_t state{};
    for (;;) {
      if (!wait_for_key()) return -1;
      char byte = 0;
      const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
      if (count == 0 && never_blocks && !is_hung_up) continue;  // Ctrl-C discarded the key that `poll` had reported
      if (count != 1) return 0;
      const size_t length = std::mbrtowc(&out, &byte, 1, &state);
      if (length == static_cast<size_t>(-2)) continue;  // the character has more bytes
      if (length == static_cast<size_t>(-1)) out = L'?';
      return 1;
    }
  }

  /// Returns false, and sets `end`, when something other than a key ended the wait. A cancelled question wins over a
  /// signal.
  bool wait_for_key() {
    std::array<pollfd, 3> fds{{{STDIN_FILENO, POLLIN, 0}, {wake_fd, POLLIN, 0}, {cancelled.get(), POLLIN, 0}}};
    const int ready = ::poll(fds.data(), fds.size(), milliseconds_until(until));
    is_hung_up = ready > 0 && (fds[0].revents & POLLHUP) != 0;
    if (ready == 0) end = End::TimedOut;
    if (ready > 0 && fds[1].revents != 0) end = End::Woken;
    if (ready > 0 && fds[2].revents != 0) end = End::Cancelled;
    return end == End::Line;
  }

  /// Switches the terminal to single keys. This happens before the prompt appears, so that keys typed right away are
  /// read in this mode.
  void take_keys() {
    ::el_set(editor, EL_PREP_TERM, 1);
    termios mode{};
    never_blocks = ::tcgetattr(STDIN_FILENO, &mode) == 0;
    if (!never_blocks) return;
    // `read` must never block: Ctrl-C can discard a key that `poll` has already reported, and a blocked `read` would
    // not notice the other descriptors that `wait_for_key` watches.
    mode.c_cc[VMIN] = 0;
    mode.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &mode);
  }

  std::string history_path;
  int wake_fd;
  EditLine* editor = nullptr;
  History* lines = nullptr;
  std::string prompt;
  Complete complete;
  std::optional<Deadline> until;
  UniqueFd cancelled;
  End end = End::Line;
  bool never_blocks = false;  ///< `read` returns at once, even without input
  bool is_hung_up = false;
};

LineEditor::LineEditor(std::string history_file, int wake_fd)
    : impl_(std::make_unique<Impl>(std::move(history_file), wake_fd)) {}

LineEditor::~LineEditor() = default;

LineEditor::Entry LineEditor::read(const std::string& prompt, std::optional<Deadline> until,
                                   const std::stop_token& cancel) {
  impl_->prompt = prompt;
  impl_->until = until;
  impl_->end = End::Line;
  impl_->cancelled = UniqueFd(::eventfd(0, EFD_CLOEXEC));
  // The request may come from another thread, so it has to arrive through a descriptor that `poll` watches.
  const std::stop_callback wake(cancel, [this] {
    const uint64_t one = 1;
    static_cast<void>(::write(impl_->cancelled.get(), &one, sizeof one) == sizeof one);
  });
  impl_->take_keys();
  int count = 0;
  const char* const line = ::el_gets(impl_->editor, &count);
  if (impl_->end != End::Line) return {impl_->end, ""};
  if (line == nullptr || count <= 0) return {End::EndOfInput, ""};
  return {End::Line, std::string(text::trim(line))};
}

void LineEditor::complete_with(Complete complete) {
  impl_->complete = std::move(complete);
}

void LineEditor::remember(const std::string& line) {
  HistEvent event{};
  ::history(impl_->lines, &event, H_ENTER, line.c_str());
  if (impl_->history_path.empty() || !os::make_parent_dirs(impl_->history_path, 0700)) return;
  ::history(impl_->lines, &event, H_SAVE, impl_->history_path.c_str());
}

}  // namespace grapnel::cli
