#include "discover/formats/http_entry.h"

#include <algorithm>

#include "model/http_url.h"

namespace grapnel {

namespace {

constexpr int64_t kMostRetries = 10;
constexpr int64_t kLargestReply = int64_t{64} << 20;
/// The characters of a token in HTTP (RFC 9110), which header names are made of.
constexpr std::string_view kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~";

/// Reads the value of one key. All functions return false after they reported a problem.
class HttpEntryReader {
 public:
  HttpEntryReader(std::string_view key, const Json& value, Problems& problems)
      : key_(key), value_(value), problems_(problems) {}

  bool read_url(HttpHandler& post) const {
    const auto text = value_.as_string();
    if (!text) return complain("must be a string");
    const auto url = HttpUrl::parse(*text);
    post.url = *text;
    return url ? true : complain(url.error().message);
  }

  /// Names and values are checked strictly: a line break in a value would let it add headers of its own.
  bool read_headers(HttpHandler& post) const {
    if (!value_.is_object()) return complain("must be an object of strings");
    for (const JsonMember& member : counting_members(value_, problems_)) {
      const auto text = member.value.as_string();
      const bool is_name = !member.key.empty() && member.key.find_first_not_of(kNameCharacters) == std::string::npos;
      constexpr std::string_view kBreaks("\r\n\0", 3);
      if (!is_name || !text || text->find_first_of(kBreaks) != std::string::npos) {
        return complain("must map header names to values of one line each");
      }
      post.headers.emplace_back(member.key, *text);
    }
    return true;
  }

  /// The names of the variables that headers may use.
  bool read_variables(HttpHandler& post) const {
    for (const Json& element : value_.elements()) {
      if (const auto text = element.as_string()) post.allowed_env.push_back(*text);
    }
    const bool is_list = value_.is_array() && post.allowed_env.size() == value_.size();
    return is_list ? true : complain("must be a list of names");
  }

  /// A whole number from `least` to `most`, or nothing with the problem reported.
  std::optional<int64_t> read_number(int64_t least, int64_t most) const {
    const auto number = value_.as_integer();
    if (number && *number >= least && *number <= most) return number;
    complain("must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
  }

 private:
  /// The key starts the sentence, so messages elsewhere begin with "must".
  bool complain(const std::string& what) const {
    problems_.error(value_, "'" + std::string(key_) + "' " + what);
    return false;
  }

  std::string_view key_;
  const Json& value_;
  Problems& problems_;
};

/// The names of the variables in a text: `$NAME` or `${NAME}`.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    std::string_view rest = text.substr(at + 1);
    if (rest.starts_with('{')) rest.remove_prefix(1);
    const size_t end = rest.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    // `$5` and a lone `$` are plain text.
    const bool is_name = end != 0 && !rest.empty() && !(rest.front() >= '0' && rest.front() <= '9');
    if (is_name) names.emplace_back(rest.substr(0, end));
  }
  return names;
}

}  // namespace

bool read_post_key(HookKeyRow row, const Json& value, HttpHandler& post, Problems& problems) {
  const HttpEntryReader reader(row.key, value, problems);
  switch (row.meaning) {
    case HookKey::Url:
      return reader.read_url(post);
    case HookKey::Headers:
      return reader.read_headers(post);
    case HookKey::AllowedEnv:
      return reader.read_variables(post);
    case HookKey::Retries: {
      const auto count = reader.read_number(0, kMostRetries);
      post.retries = static_cast<uint32_t>(count.value_or(0));
      return count.has_value();
    }
    case HookKey::MaxReply: {
      const auto bytes = reader.read_number(1, kLargestReply);
      post.max_reply = static_cast<size_t>(bytes.value_or(0));
      return bytes.has_value();
    }
    default:
      return true;
  }
}

bool check_post(const Json& entry, const Dialect& dialect, const HttpHandler& post, Problems& problems) {
  const std::string key(dialect.key_of(HookKey::Url));
  if (!entry[key]) {
    problems.error(entry, "a hook of type 'http' needs a '" + key + "'");
    return false;
  }
  // Only a warning: the hook still posts, but without the value of this variable.
  for (const auto& [header, text] : post.headers) {
    for (const std::string& name : names_in(text)) {
      if (std::ranges::find(post.allowed_env, name) != post.allowed_env.end()) continue;
      problems.warning(entry[dialect.key_of(HookKey::Headers)],
                       "the header '" + header + "' uses $" + name + ", but this hook may not use it",
                       "add it to '" + std::string(dialect.key_of(HookKey::AllowedEnv)) + "'");
    }
  }
  return true;
}

}  // namespace grapnel
