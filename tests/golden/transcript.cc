#include "golden/transcript.h"

#include <optional>
#include <regex>
#include <span>
#include <sstream>

namespace grapnel::golden {

namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kConsole = "```console";
constexpr std::string_view kRegexMark = " (re)";
constexpr std::string_view kAnyText = "[..]";

/// `-- path --` of a transcript.
std::optional<std::string> file_header(const std::string& line) {
  if (!line.starts_with("-- ") || !line.ends_with(" --") || line.size() < 7) return std::nullopt;
  return line.substr(3, line.size() - 6);
}

/// The second word after a fence: "```json .gemini/settings.json".
std::optional<std::string> fenced_path(const std::string& line) {
  const size_t space = line.find(' ');
  if (!line.starts_with(kFence) || space == std::string::npos) return std::nullopt;
  return line.substr(space + 1);
}

class Reader {
 public:
  explicit Reader(bool is_page) { out_.is_page = is_page; }

  Transcript read(const Lines& lines) {
    for (const std::string& line : lines) {
      ++number_;
      out_.is_page ? read_page_line(line) : read_transcript_line(line);
    }
    end_step();
    return std::move(out_);
  }

 private:
  void read_page_line(const std::string& line) {
    if (in_file_ && !line.starts_with(kFence)) return file().lines.push_back(line);
    if (in_console_ && !line.starts_with(kFence)) return read_console_line(line);
    const auto path = in_file_ || in_console_ ? std::nullopt : fenced_path(line);
    in_console_ = !in_console_ && !in_file_ && line == kConsole;
    end_step();
    prose(line);
    in_file_ = path.has_value();
    if (path) out_.parts.emplace_back(File{*path, {}});
  }

  void read_transcript_line(const std::string& line) {
    if (const auto path = file_header(line)) {
      end_step();
      in_file_ = true;
      prose(line);
      out_.parts.emplace_back(File{*path, {}});
    } else if (in_file_) {
      file().lines.push_back(line);
    } else {
      read_console_line(line);
    }
  }

  void read_console_line(const std::string& line) {
    if (line.starts_with("$ ")) {
      end_step();
      step_ = Step{number_, {line}, {}};
    } else if (step_ && step_->expected.empty() && (line.starts_with("> ") || line == ">")) {
      step_->command.push_back(line);
    } else if (!step_ || line.starts_with("# ")) {
      end_step();
      prose(line);
    } else {
      step_->expected.push_back(line);
    }
  }

  /// Blank lines after what a command prints are not part of it.
  void end_step() {
    if (!step_) return;
    Lines blank;
    while (!step_->expected.empty() && step_->expected.back().empty()) {
      blank.emplace_back();
      step_->expected.pop_back();
    }
    out_.parts.emplace_back(std::move(*step_));
    step_.reset();
    for (const std::string& line : blank) prose(line);
  }

  void prose(const std::string& line) {
    if (out_.parts.empty() || !std::holds_alternative<Prose>(out_.parts.back())) out_.parts.emplace_back(Prose{});
    std::get<Prose>(out_.parts.back()).lines.push_back(line);
  }

  File& file() { return std::get<File>(out_.parts.back()); }

  Transcript out_;
  std::optional<Step> step_;
  size_t number_ = 0;
  bool in_file_ = false;
  bool in_console_ = false;
};

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    constexpr std::string_view kSpecial = R"(\^$.|?*+()[]{})";
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

bool line_matches(const std::string& expected, const std::string& actual) {
  if (expected.ends_with(kRegexMark)) {
    return std::regex_match(actual, std::regex(expected.substr(0, expected.size() - kRegexMark.size())));
  }
  if (expected.find(kAnyText) == std::string::npos) return expected == actual;
  std::string pattern;
  size_t start = 0;
  for (size_t at; (at = expected.find(kAnyText, start)) != std::string::npos; start = at + kAnyText.size()) {
    pattern += escape(std::string_view(expected).substr(start, at - start)) + ".*";
  }
  return std::regex_match(actual, std::regex(pattern + escape(std::string_view(expected).substr(start))));
}

bool match_from(std::span<const std::string> expected, std::span<const std::string> actual) {
  if (expected.empty()) return actual.empty();
  if (expected.front() == "...") {
    for (size_t skip = 0; skip <= actual.size(); ++skip) {
      if (match_from(expected.subspan(1), actual.subspan(skip))) return true;
    }
    return false;
  }
  return !actual.empty() && line_matches(expected.front(), actual.front()) &&
         match_from(expected.subspan(1), actual.subspan(1));
}

}  // namespace

std::string Step::script() const {
  std::string out;
  for (const std::string& typed : command) out += (typed.size() > 2 ? typed.substr(2) : "") + "\n";
  return out;
}

Transcript read_transcript(const std::string& text, bool is_page) {
  return Reader(is_page).read(split_lines(text));
}

std::string Transcript::print() const {
  std::string out;
  const auto add = [&](const Lines& lines) {
    for (const std::string& line : lines) out += line + "\n";
  };
  for (const auto& part : parts) {
    if (const auto* prose = std::get_if<Prose>(&part)) add(prose->lines);
    if (const auto* file = std::get_if<File>(&part)) add(file->lines);
    if (const auto* step = std::get_if<Step>(&part)) {
      add(step->command);
      add(step->expected);
    }
  }
  return out;
}

bool matches(const Lines& expected, const Lines& actual) {
  return match_from(expected, actual);
}

Lines split_lines(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace grapnel::golden
