#include "discover/formats/sandbox_entry.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"
#include "discover/formats/frontmatter.h"
#include "discover/problems.h"

namespace grapnel {

namespace {

constexpr auto kSandboxWords = std::to_array<std::string_view>({"off", "contain", "guard"});
constexpr auto kSandboxKeys = std::to_array<std::string_view>(
    {"network", "read", "write", "memory", "cpu", "processes", "leftovers", "required"});
/// Places with a meaning of their own.
constexpr auto kPlaceWords = std::to_array<std::string_view>({"project", "system", "home", "$TMPDIR"});

constexpr int64_t kMaxProcesses = 100000;
/// Less, and not even a shell starts.
constexpr uint64_t kLeastMemory = uint64_t{1} << 20;
constexpr uint64_t kMostMemory = uint64_t{1} << 44;

/// The sandbox that a word means, which must be one of `kSandboxWords`.
Sandbox read_word(std::string_view word) {
  if (word == "guard") return guard_sandbox();
  Sandbox out;
  out.is_off = word == "off";
  return out;
}

class SandboxReader {
 public:
  explicit SandboxReader(RuleFields& fields) : fields_(fields) {}

  std::optional<Sandbox> read(const YamlNode& node) {
    if (node.is_text()) {
      const auto index = fields_.word(node, "sandbox", kSandboxWords);
      if (!index) return std::nullopt;
      return read_word(kSandboxWords[*index]);
    }
    if (!node.is_map()) {
      error(node, "'sandbox' must be " + quoted_list(kSandboxWords) + ", or a map with " + quoted_list(kSandboxKeys),
            "as in sandbox: guard");
      return std::nullopt;
    }
    read_map(node);
    if (has_error_) return std::nullopt;
    return std::move(out_);
  }

 private:
  void error(const YamlNode& node, std::string message, std::string hint = {}) {
    has_error_ = true;
    fields_.error(node, std::move(message), std::move(hint));
  }

  /// The fields remember whether an entry has a mistake; here it matters whether this value has one.
  template <typename Read>
  auto checked(Read read) {
    const bool had = fields_.failed();
    auto value = read();
    has_error_ |= !had && fields_.failed();
    return value;
  }

  void read_map(const YamlNode& node) {
    for (const auto& [key, value] : node.members) {
      if (std::ranges::find(kSandboxKeys, key) != kSandboxKeys.end()) continue;
      has_error_ = true;
    }
    fields_.check_keys(node, kSandboxKeys, "in 'sandbox'");
    SandboxFiles files;
    if (const YamlNode* network = node.find("network")) out_.network = flag(*network, "network");
    if (const YamlNode* read = node.find("read")) files.read = places(*read, "read");
    if (const YamlNode* write = node.find("write")) files.write = places(*write, "write");
    const bool has_no_programs = files.read && std::ranges::find(*files.read, "system") == files.read->end();
    if (has_no_programs && !has_error_) {
      fields_.warn(*node.find("read"), "without 'system' in 'read', most programs do not start",
                   "write read: [project, system]");
    }
    if (files.read || files.write) out_.files.push_back(std::move(files));
    if (const YamlNode* memory = node.find("memory")) out_.memory = read_memory(*memory);
    if (const YamlNode* cpu = node.find("cpu")) out_.cpu_seconds = read_seconds(*cpu);
    if (const YamlNode* processes = node.find("processes")) {
      const auto read = [&] { return fields_.number(*processes, "processes", 1, kMaxProcesses); };
      out_.processes = static_cast<uint32_t>(checked(read));
    }
    if (const YamlNode* left = node.find("leftovers")) {
      const auto index = fields_.word(*left, "leftovers", kLeftoversWords);
      has_error_ |= !index;
      out_.leftovers = static_cast<Leftovers>(index.value_or(0));
    }
    if (const YamlNode* required = node.find("required")) out_.required = flag(*required, "required");
  }

  bool flag(const YamlNode& node, std::string_view key) {
    return checked([&] { return fields_.flag(node, key); });
  }

  /// An empty list is a meaning of its own: nothing may be written.
  std::vector<std::string> places(const YamlNode& node, std::string_view key) {
    if (node.kind == YamlNode::Kind::List && node.members.empty()) return {};
    auto out = checked([&] { return fields_.texts(node, key); });
    for (const std::string& place : out) check_place(node, key, place);
    return out;
  }

  void check_place(const YamlNode& node, std::string_view key, std::string_view place) {
    const std::string quoted = "'" + std::string(place) + "' in '" + std::string(key) + "'";
    if (place.find_first_of("*?[") != std::string_view::npos) {
      return error(node, quoted + " must be a file or a directory, not a pattern",
                   "name the directory; everything below it is allowed");
    }
    const bool is_variable = place.starts_with('$') && place != "$TMPDIR" && !place.starts_with("$TMPDIR/");
    if (is_variable) {
      return error(node, quoted + " names a variable; only $TMPDIR is known here",
                   "write the path, or ~/… for one in the home directory");
    }
    if (key == "write" && place == "system") {
      error(node, quoted + " is only for 'read'", "name the directory that is written to");
    }
  }

  /// A number of bytes with its unit.
  uint64_t read_memory(const YamlNode& node) {
    uint64_t bytes = 0;
    const std::string& text = node.text;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    const std::string unit = text::to_lower(text::trim(std::string_view(end, text.data() + text.size())));
    uint64_t factor = 0;
    if (unit == "k" || unit == "kb") factor = uint64_t{1} << 10;
    if (unit == "m" || unit == "mb") factor = uint64_t{1} << 20;
    if (unit == "g" || unit == "gb") factor = uint64_t{1} << 30;
    if (unit.empty() || unit == "b") factor = 1;
    const bool is_sane = node.is_text() && failed == std::errc() && factor > 0 && bytes <= kMostMemory / factor;
    if (is_sane && bytes * factor >= kLeastMemory) return bytes * factor;
    error(node, "'memory' must be a size of at least 1M", "write 512M or 2G");
    return 0;
  }

  /// The kernel counts whole seconds.
  uint64_t read_seconds(const YamlNode& node) {
    const auto time = checked([&] { return fields_.duration(node, "cpu"); });
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(time);
    return static_cast<uint64_t>(seconds.count());
  }

  RuleFields& fields_;
  Sandbox out_;
  bool has_error_ = false;
};

}  // namespace

std::optional<Sandbox> read_sandbox(const YamlNode& node, RuleFields& fields) {
  return SandboxReader(fields).read(node);
}

Result<Sandbox> parse_sandbox(std::string_view text) {
  const auto document = read_yaml_fields("sandbox: " + std::string(text), "");
  const YamlNode* node = document ? document->root.find("sandbox") : nullptr;
  if (node == nullptr) return fail(Errc::BadInput, "'" + std::string(text) + "' is no sandbox; write guard, or a map");
  std::vector<ConfigProblem> problems;
  RuleFields fields(problems);
  if (auto sandbox = read_sandbox(*node, fields)) return std::move(*sandbox);
  const ConfigProblem& first = problems.front();
  return fail(Errc::BadInput, first.message + (first.hint.empty() ? "" : " (" + first.hint + ")"));
}

Json sandbox_value(const Sandbox& sandbox) {
  if (sandbox.is_off) return Json::string("off");
  if (!sandbox.word.empty() && sandbox == read_word(sandbox.word)) return Json::string(sandbox.word);
  if (sandbox.files.size() > 1) return {};
  std::vector<std::pair<std::string, Json>> members;
  const auto add = [&](std::string_view key, Json value) { members.emplace_back(key, std::move(value)); };
  const auto add_places = [&](std::string_view key, const std::optional<std::vector<std::string>>& places) {
    if (!places) return;
    std::vector<Json> list;
    for (const std::string& place : *places) list.push_back(Json::string(place));
    add(key, Json::array(list));
  };
  if (!sandbox.network) add("network", Json::boolean(false));
  for (const SandboxFiles& files : sandbox.files) {
    add_places("read", files.read);
    add_places("write", files.write);
  }
  const auto add_number = [&](std::string_view key, uint64_t value) {
    if (value > 0) add(key, Json::number(static_cast<int64_t>(value)));
  };
  add_number("memory", sandbox.memory);
  if (sandbox.cpu_seconds > 0) add("cpu", Json::string(std::to_string(sandbox.cpu_seconds) + "s"));
  add_number("processes", sandbox.processes);
  if (sandbox.leftovers != Leftovers::Tell) {
    add("leftovers", Json::string(kLeftoversWords[static_cast<size_t>(sandbox.leftovers)]));
  }
  if (!sandbox.required) add("required", Json::boolean(false));
  return members.empty() ? Json::string("contain") : Json::object(members);
}

KeyList sandbox_words() {
  return kSandboxWords;
}

KeyList sandbox_keys() {
  return kSandboxKeys;
}

}  // namespace grapnel
