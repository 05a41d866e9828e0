#include "cli/ui/gate.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include <sys/random.h>

#include "base/error.h"
#include "base/text.h"

namespace grapnel::cli {

namespace {

constexpr size_t kTicketDigits = 48;
constexpr size_t kTokenDigits = 64;
constexpr std::chrono::minutes kTicketLife{5};
constexpr size_t kMaxTickets = 16;
constexpr size_t kMaxTokens = 64;
constexpr size_t kTriesPerCode = 5;
constexpr size_t kTriesInAll = 20;
constexpr uint64_t kCodes = 1'000'000;

uint64_t random_number() {
  uint64_t number = 0;
  GRAPNEL_CHECK(::getrandom(&number, sizeof number, 0) == sizeof number);
  return number;
}

}  // namespace

std::string random_hex(size_t digits) {
  std::string out;
  while (out.size() < digits) {
    std::array<char, 17> piece{};
    std::snprintf(piece.data(), piece.size(), "%016llx", static_cast<unsigned long long>(random_number()));
    out += piece.data();
  }
  return out.substr(0, digits);
}

bool equal_secrets(std::string_view a, std::string_view b) {
  // The length is no secret.
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  }
  return difference == 0;
}

Gate::Gate(GateOptions options)
    : options_(std::move(options)), host_("127.0.0.1:" + std::to_string(options_.port)), origin_("http://" + host_) {
  make_code();
}

std::string Gate::new_address() {
  const std::scoped_lock lock(mutex_);
  if (tickets_.size() >= kMaxTickets) tickets_.erase(tickets_.begin());
  tickets_.push_back({random_hex(kTicketDigits), std::chrono::steady_clock::now() + kTicketLife});
  return origin_ + "/#ticket=" + tickets_.back().text;
}

std::optional<HttpRefusal> Gate::check(const HttpRequest& request, bool needs_token) const {
  // A site whose name leads to 127.0.0.1 sends its own name here.
  if (request.count_headers("host") != 1 || request.header("host") != host_) {
    return HttpRefusal{421, "the header Host must be " + host_};
  }
  const bool is_post = request.method == "POST";
  if (!is_post && request.method != "GET") return HttpRefusal{405, "only GET and POST are understood"};
  if (!is_post && !request.body.empty()) return HttpRefusal{400, "GET has no body"};
  const bool is_api = request.path.starts_with("/api/");
  if (is_post && !is_api) return HttpRefusal{405, "only the API takes POST"};
  if (!is_api) return std::nullopt;
  // Browsers send a POST of another site before they ask whether they may. They send Origin with it, and
  // Sec-Fetch-Site, which pages cannot set.
  const size_t origins = request.count_headers("origin");
  const size_t sites = request.count_headers("sec-fetch-site");
  if (origins > 1 || (is_post && origins == 0) || (origins == 1 && request.header("origin") != origin_)) {
    return HttpRefusal{403, "the header Origin must be " + origin_};
  }
  if (sites > 1 || (is_post && sites == 0) || (sites == 1 && request.header("sec-fetch-site") != "same-origin")) {
    return HttpRefusal{403, "the header Sec-Fetch-Site must be same-origin"};
  }
  const std::string type = request.header("content-type");
  if (is_post && (request.count_headers("content-type") != 1 ||
                  text::to_lower(text::trim(type.substr(0, type.find(';')))) != "application/json")) {
    return HttpRefusal{415, "the body must be application/json"};
  }
  if (!needs_token) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  if (find_token(request)) return std::nullopt;
  return HttpRefusal{401, "this page has no session",
                     "Open the address that `grapnel ui` prints; Enter in its terminal prints another one."};
}

std::optional<std::string> Gate::exchange(const std::string& ticket) {
  const std::scoped_lock lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(tickets_, [&](const Ticket& known) { return known.until < now; });
  const auto found =
      std::ranges::find_if(tickets_, [&](const Ticket& known) { return equal_secrets(known.text, ticket); });
  if (found == tickets_.end()) return std::nullopt;
  tickets_.erase(found);
  if (tokens_.size() >= kMaxTokens) tokens_.erase(tokens_.begin());
  tokens_.push_back({random_hex(kTokenDigits)});
  return tokens_.back().text;
}

bool Gate::has_sessions() const {
  const std::scoped_lock lock(mutex_);
  return !tokens_.empty();
}

std::optional<size_t> Gate::find_token(const HttpRequest& request) const {
  if (request.count_headers("x-grapnel-token") != 1) return std::nullopt;
  const std::string given = request.header("x-grapnel-token");
  for (size_t i = 0; i < tokens_.size(); ++i) {
    if (equal_secrets(tokens_[i].text, given)) return i;
  }
  return std::nullopt;
}

bool Gate::is_unlocked(const HttpRequest& request) const {
  const std::scoped_lock lock(mutex_);
  const auto token = find_token(request);
  return options_.no_writing.empty() && token && tokens_[*token].is_unlocked;
}

std::optional<HttpRefusal> Gate::check_writing(const HttpRequest& request) const {
  if (!options_.no_writing.empty()) return HttpRefusal{403, "locked: " + options_.no_writing};
  if (is_unlocked(request)) return std::nullopt;
  return HttpRefusal{403, "locked: this page only reads", "Enter the code that the terminal of `grapnel ui` shows."};
}

std::optional<HttpRefusal> Gate::unlock(const HttpRequest& request, std::string_view code) {
  if (!options_.no_writing.empty()) return HttpRefusal{403, "locked: " + options_.no_writing};
  const std::scoped_lock lock(mutex_);
  if (wrong_codes_ >= kTriesInAll) {
    return HttpRefusal{403, "locked: too many wrong codes", "End `grapnel ui` and start it again."};
  }
  const auto token = find_token(request);
  if (!token) return HttpRefusal{401, "this page has no session"};
  if (equal_secrets(code, code_)) {
    tokens_[*token].is_unlocked = true;
    // A code that somebody saw over a shoulder is of no use any more.
    make_code();
    options_.tell("The page may write now: approve, trust and save.");
    return std::nullopt;
  }
  ++wrong_codes_;
  options_.tell("The page sent a wrong code.");
  if (wrong_codes_ >= kTriesInAll) {
    options_.tell("There were too many wrong codes, so the page only reads until grapnel ui is started again.");
  } else if (wrong_codes_ % kTriesPerCode == 0) {
    make_code();
    tell_code();
  }
  return HttpRefusal{403, "locked: the code is wrong"};
}

void Gate::show_code() const {
  const std::scoped_lock lock(mutex_);
  tell_code();
}

void Gate::make_code() {
  code_ = std::to_string(kCodes + random_number() % kCodes).substr(1);
}

void Gate::tell_code() const {
  options_.tell("To let the page approve, trust and save, enter this code there: " + code_);
}

}  // namespace grapnel::cli
