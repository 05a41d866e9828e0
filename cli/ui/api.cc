#include "cli/ui/api.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.h"

namespace grapnel::cli {

namespace {

enum class Access : uint8_t { Ticket, Read, Write };

/// One request that is understood. A path that ends with a slash has more behind it.
struct Route {
  std::string_view method;
  std::string_view path;
  Access access;
  Answer (*answer)(Ui& ui, const HttpRequest& request);
};
constexpr auto kRoutes = std::to_array<Route>({
    {"POST", "/api/session", Access::Ticket, start_session},
    {"GET", "/api/about", Access::Read, about},
    {"POST", "/api/unlock", Access::Read, unlock},
    {"GET", "/api/timeline", Access::Read, show_timeline},
    {"GET", "/api/events", Access::Read, list_events},
    {"GET", "/api/event/", Access::Read, show_event},
    {"GET", "/api/today/", Access::Read, show_today},
    {"GET", "/api/approvals", Access::Read, list_approvals},
    {"POST", "/api/approvals/", Access::Write, answer_approval},
    {"GET", "/api/stats", Access::Read, show_stats},
    {"GET", "/api/hooks", Access::Read, list_hooks},
    {"GET", "/api/trust", Access::Read, list_trust},
    {"POST", "/api/trust", Access::Write, trust_hook},
    {"POST", "/api/rules/check", Access::Read, check_rules_text},
    {"POST", "/api/rules/replay", Access::Read, replay_rules},
    {"POST", "/api/rules/tests", Access::Read, try_rules_on_tests},
    {"POST", "/api/rules/save", Access::Write, save_rules},
    {"POST", "/api/rules/from", Access::Read, rule_from_event},
    {"GET", "/api/fleet", Access::Read, show_fleet},
    {"GET", "/api/doctor", Access::Read, run_doctor},
});

bool fits(const Route& route, const HttpRequest& request) {
  if (route.method != request.method) return false;
  if (!route.path.ends_with('/')) return request.path == route.path;
  return request.path.starts_with(route.path) && request.path.size() > route.path.size();
}

int status_of(Errc code) {
  switch (code) {
    case Errc::BadInput:
    case Errc::BadConfig:
    case Errc::InvalidPattern:
      return 400;
    case Errc::LimitExceeded:
      return 413;
    case Errc::NotFound:
      return 404;
    case Errc::Refused:
      return 403;
    case Errc::Cancelled:
      return 409;
    default:
      return 500;
  }
}

HttpResponse answer_api(Ui& ui, const HttpRequest& request) {
  // The two answers that are no JSON.
  const bool is_get = request.method == "GET";
  if (is_get && request.path == "/api/live") return follow_events(ui, request);
  if (is_get && request.path == "/api/export") return export_events(ui, request);
  const auto* const route = std::ranges::find_if(kRoutes, [&](const Route& row) { return fits(row, request); });
  if (route == kRoutes.end()) return refuse({404, "there is no such request"});
  if (route->access == Access::Write) {
    if (const auto refusal = ui.gate.check_writing(request)) return refuse(*refusal);
  }
  const Answer answer = route->answer(ui, request);
  if (!answer) return refuse(refusal_of(answer.error()));
  return {.body = answer->dump() + "\n"};
}

/// Nothing may be loaded from elsewhere, run as code, or put into a frame.
void add_safety_headers(HttpResponse& response, bool is_api) {
  response.headers.insert(
      response.headers.end(),
      {{"Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src "
        "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'"},
       {"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Opener-Policy", "same-origin"},
       {"Cross-Origin-Resource-Policy", "same-origin"},
       {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"}});
  if (is_api || response.status != 200) response.headers.emplace_back("Cache-Control", "no-store");
}

}  // namespace

HttpResponse answer_request(Ui& ui, const HttpRequest& request) {
  const bool is_api = request.path.starts_with("/api/");
  const bool needs_token = is_api && request.path != "/api/session";
  const auto refusal = ui.gate.check(request, needs_token);
  HttpResponse response = refusal ? refuse(*refusal) : is_api ? answer_api(ui, request) : answer_file(request);
  add_safety_headers(response, is_api);
  return response;
}

HttpRefusal refusal_of(const Error& error) {
  return {status_of(error.code), error.message};
}

Result<Json> body_of(const HttpRequest& request) {
  auto body = Json::parse(request.body, {.max_depth = 32});
  if (body && body->is_object()) return body;
  return fail(Errc::BadInput, body ? "the body must be an object" : "the body is not JSON: " + body.error().message);
}

std::string rest_of(const HttpRequest& request, std::string_view prefix) {
  return request.path.substr(std::min(prefix.size(), request.path.size()));
}

std::optional<int64_t> number_in(const HttpRequest& request, std::string_view name) {
  const std::string text = request.parameter(name);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return is_number ? std::optional(number) : std::nullopt;
}

}  // namespace grapnel::cli
