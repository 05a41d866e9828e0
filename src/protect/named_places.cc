#include "protect/named_places.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "protect/command_words.h"

namespace grapnel::protect {

using shell::SimpleCommand;
using shell::Word;

/// A text that changes to more directories than this is compared with the first ones only.
static constexpr size_t kMaxBases = 16;

bool is_option(const Word& word) {
  return word.text.size() > 1 && word.text.starts_with('-');
}

std::vector<const Word*> operands_of(const SimpleCommand& command) {
  std::vector<const Word*> out;
  for (size_t i = 1; i < command.words.size(); ++i) {
    if (!is_option(command.words[i])) out.push_back(&command.words[i]);
  }
  return out;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

NamedPlaces::NamedPlaces(const ProtectedPlaces& places, const ReviewContext& around)
    : places_(places), around_(around), bases_{around.directory} {
  bases_.insert(bases_.end(), around.also.begin(), around.also.end());
}

bool NamedPlaces::is_around(const std::string& path) const {
  const std::string root = resolve_links(path);
  return root == "/" || (resolve_links(around_.directory) + "/").starts_with(root + "/") ||
         (resolve_links(around_.home) + "/").starts_with(root + "/");
}

void NamedPlaces::note_directories(const SimpleCommand& command) {
  const std::string_view program = program_of(command);
  const bool enters = program == "cd" || program == "pushd";
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    const bool is_directory = (enters && !is_option(word)) || command.words[i - 1].text == "-C";
    if (!is_directory || word.is_dynamic()) continue;
    for (std::string& path : paths_of(word.text)) {
      if (bases_.size() < kMaxBases) bases_.push_back(std::move(path));
    }
  }
  note_mounts(command);
}

void NamedPlaces::note_mounts(const SimpleCommand& command) {
  constexpr auto kContainers = std::to_array<std::string_view>({"docker", "podman", "nerdctl", "docker-compose"});
  if (!lists(kContainers, program_of(command))) return;
  for (const Word& word : command.words) {
    std::string from;
    std::string to;
    for (const std::string_view part : text::split(word.text, ',')) {
      const std::string_view key = part.substr(0, part.find('='));
      const std::string_view value = part.substr(std::min(key.size() + 1, part.size()));
      if (key.ends_with("source") || key.ends_with("src")) from = value;
      if (key == "target" || key == "dst" || key == "destination") to = value;
    }
    if (const size_t colon = word.text.find(":/"); from.empty() && colon != std::string::npos) {
      const std::string value = word.text.substr(0, colon);
      from = value.substr(std::min(value.find_first_of("/~."), value.size()));
      to = word.text.substr(colon + 1, word.text.find(':', colon + 1) - colon - 1);
    }
    if (!from.empty() && to.size() > 1) mounts_.emplace_back(to, absolute_name(from, around_));
  }
}

std::vector<std::string> NamedPlaces::paths_of(const std::string& name) const {
  std::vector<std::string> out;
  for (const std::string& base : bases_) {
    out.push_back(absolute_name(name, {base, around_.home}));
    if (out.back() == name) break;  // an absolute name means the same everywhere
  }
  for (const auto& [inside, outside] : mounts_) {
    if ((name + "/").starts_with(inside + "/")) out.push_back(outside + name.substr(inside.size()));
  }
  return out;
}

const ProtectedPlace* NamedPlaces::place_at(const Word& word) const {
  if (const ProtectedPlace* place = named_at(word)) return place;
  const size_t equals = word.text.find('=');  // of=x, --file=x
  if (equals == std::string::npos || equals + 1 == word.text.size()) return attached(word);
  Word value = word;
  value.text.erase(0, equals + 1);
  std::erase_if(value.gaps, [&](size_t gap) { return gap <= equals; });
  for (size_t& gap : value.gaps) gap -= equals + 1;
  return named_at(value);
}

const ProtectedPlace* NamedPlaces::attached(const Word& word) const {
  if (!is_option(word) || word.text.starts_with("--") || word.text.size() < 3 || word.is_dynamic()) return nullptr;
  for (const std::string& path : paths_of(word.text.substr(2))) {
    if (const ProtectedPlace* place = places_.at(path)) return place;
  }
  return nullptr;
}

const ProtectedPlace* NamedPlaces::named_at(const Word& word) const {
  if (word.text.empty()) return nullptr;
  if (!word.gaps.empty()) return place_around_gaps(word);
  for (const std::string& path : paths_of(word.text)) {
    const ProtectedPlace* place = places_.at(path);
    if (place == nullptr && word.has_glob) place = places_.like(path);
    if (place != nullptr) return place;
  }
  return nullptr;
}

const ProtectedPlace* NamedPlaces::place_around_gaps(const Word& word) const {
  const std::string front = word.text.substr(0, word.gaps.front());
  if (const size_t slash = front.rfind('/'); slash != std::string::npos && slash > 0) {
    for (const std::string& path : paths_of(front.substr(0, slash))) {
      if (const ProtectedPlace* place = places_.at(path)) return place;
      for (const auto& [place, rest] : places_.rests_below(path)) {
        if (rest.find('/', 1) == std::string::npos) return place;
      }
    }
  }
  return places_.ending(std::string_view(word.text).substr(word.gaps.back()));
}

const ProtectedPlace* NamedPlaces::place_inside(const Word& word) const {
  const ProtectedPlace* place = place_below(word);
  if (place == nullptr || place->is_program) return nullptr;
  const std::vector<std::string> paths = paths_of(word.text);
  return std::ranges::any_of(paths, [&](const std::string& path) { return is_around(path); }) ? nullptr : place;
}

const ProtectedPlace* NamedPlaces::place_below(const Word& word) const {
  if (word.is_dynamic() || is_option(word)) return nullptr;
  for (const std::string& path : paths_of(word.text)) {
    if (const ProtectedPlace* place = places_.below(path)) return place;
  }
  return nullptr;
}

std::string absolute_name(std::string_view name, const ReviewContext& around) {
  // The working directory of the tool, by its name in /proc. The link leads elsewhere in this process.
  constexpr auto kHere = std::to_array<std::string_view>({"/proc/self/cwd", "/proc/thread-self/cwd"});
  for (const std::string_view here : kHere) {
    if (name.starts_with(here)) return around.directory + std::string(name.substr(here.size()));
  }
  if (name.starts_with("/proc/self/root/")) return std::string(name.substr(std::string_view("/proc/self/root").size()));
  if (name.starts_with('/')) return std::string(name);
  if (name == "~" || name.starts_with("~/")) return around.home + std::string(name.substr(1));
  // `~me` is the home of that person; another person's files are not ours to guard.
  const std::string own = "~" + std::string(shell::base_name(around.home));
  if (own.size() > 1 && (name == own || name.starts_with(own + "/"))) {
    return around.home + std::string(name.substr(own.size()));
  }
  return around.directory + "/" + std::string(name);
}

}  // namespace grapnel::protect
