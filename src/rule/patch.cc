#include "rule/patch.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace grapnel::rule {

namespace {

constexpr auto kMarks = std::to_array<std::string_view>(
    {"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ", "rename from ", "rename to ",
     "copy from ", "copy to "});

void add(std::vector<std::string>& out, std::string_view path) {
  path = text::trim(path);
  if (path.size() > 1 && path.starts_with('"') && path.ends_with('"')) path = path.substr(1, path.size() - 2);
  if (path.empty() || path == "/dev/null") return;
  if (std::ranges::find(out, path) == out.end()) out.emplace_back(path);
}

/// `--- a/src/x.c<tab>date`: with and without the letter, since the patch's reader decides which it is.
void add_header(std::vector<std::string>& out, std::string_view path) {
  path = path.substr(0, path.find('\t'));
  if (path.starts_with("a/") || path.starts_with("b/")) add(out, path.substr(2));
  add(out, path);
}

bool is_header(std::string_view line, std::string_view next) {
  return line.starts_with("--- ") && next.starts_with("+++ ");
}

}  // namespace

std::vector<std::string> files_of_patch(std::string_view text) {
  std::vector<std::string> out;
  const std::vector<std::string_view> lines = text::split(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    for (const std::string_view mark : kMarks) {
      if (line.starts_with(mark)) add(out, line.substr(mark.size()));
    }
    if (i + 1 < lines.size() && is_header(line, lines[i + 1])) {
      add_header(out, line.substr(4));
      add_header(out, lines[i + 1].substr(4));
    }
  }
  return out;
}

}  // namespace grapnel::rule
