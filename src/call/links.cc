#include "call/links.h"

#include <algorithm>

#include "call/options.h"
#include "call/words.h"
#include "shell/word_scan.h"

namespace grapnel::call {

namespace {

using shell::literal_word;

/// The name with the link in front of it replaced; "" if the link is not there.
std::string behind_link(const std::string& path, const std::string& link, const std::string& target) {
  std::string_view rest = path;
  if (rest.starts_with("./")) rest.remove_prefix(2);
  if (link.empty() || !rest.starts_with(link)) return "";
  rest.remove_prefix(link.size());
  if (rest.empty()) return target;
  return rest[0] == '/' ? target + std::string(rest) : "";
}

}  // namespace

void Links::note(const SimpleCommand& command) {
  if (command.words.size() < 2) return;
  const std::string_view program = base_name(command.words[0].text);
  const bool is_container = program == "docker" || program == "podman" || program == "nerdctl";
  if (program != "ln" && program != "mount" && !is_container) return;
  const OptionRow* const options = find_options(command);
  std::vector<Word> operands;
  for (size_t i = 1; i < command.words.size(); ++i) {
    const std::string& text = command.words[i].text;
    const OptionUse use = read_option(options, text);
    if (!is_option(text)) operands.push_back(command.words[i]);
    const size_t colon = is_container ? text.find(":/") : std::string::npos;
    if (colon != std::string::npos && colon > 0) {
      const size_t from = is_option(text) ? text.find('=') + 1 : 0;
      to_.emplace(text.substr(colon + 1, text.find(':', colon + 1) - colon - 1),
                  literal_word(text.substr(from, colon - from)));
    }
    const auto part = [&](std::string_view name) {
      const size_t at = text.find(name);
      return at == std::string::npos ? std::string()
                                     : text.substr(at + name.size(), text.find(',', at) - at - name.size());
    };
    for (const std::string_view to : {"dst=", "target=", "destination="}) {
      const std::string source = part("src=").empty() ? part("source=") : part("src=");
      if (is_container && !part(to).empty() && !source.empty()) to_.emplace(part(to), literal_word(source));
    }
    if (use.takes_next && !is_container) ++i;
  }
  if (is_container || operands.empty()) return;
  const Word& target = operands.size() > 1 ? operands[operands.size() - 2] : operands[0];
  to_.emplace(operands.size() > 1 ? operands.back().text : std::string(base_name(target.text)), target);
}

void Links::follow(size_t made, std::vector<PathUse>& out) const {
  const size_t end = out.size();
  for (size_t i = made; i < end; ++i) {
    if (!out[i].path.gaps.empty()) continue;
    for (const auto& [link, target] : to_) {
      Word path = target;
      path.text = behind_link(out[i].path.text, link, target.text == "/" ? "" : target.text);
      if (!path.text.empty()) out.push_back({std::move(path), out[i].is_written, out[i].is_guess});
    }
  }
}

const Word* Links::find(const std::string& name) const {
  const auto found = to_.find(name);
  return found == to_.end() ? nullptr : &found->second;
}

}  // namespace grapnel::call
