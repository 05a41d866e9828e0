#include <array>
#include <string>
#include <string_view>

#include "agent/tools/html_text.h"
#include "agent/tools/text_file.h"
#include "agent/tools/tool_answer.h"
#include "agent/tools/tools.h"
#include "base/error.h"
#include "base/text.h"
#include "net/address.h"
#include "net/http_client.h"

namespace grapnel::agent {

namespace {

/// The limit of a download. What the model gets is cut further, to the output limit of tools.
constexpr size_t kMaxPage = size_t{5} << 20;
constexpr int kMaxRedirects = 5;
/// The longest comes first: `host_at` looks at as many characters as that one has.
constexpr auto kSchemes = std::to_array<std::string_view>({"https://", "http://"});

constexpr const char* kFetchSchema = R"({
  "type": "object",
  "properties": {
    "url": {"type": "string", "description": "Address of the page, http or https; if missing, the first address in prompt is used"},
    "prompt": {"type": "string", "description": "What you want to know from it, for the person watching"}
  }
})";

/// The position of the host in a URL; 0 when the URL is neither http nor https.
size_t host_at(std::string_view url) {
  const std::string start = text::to_lower(url.substr(0, kSchemes[0].size()));
  for (const std::string_view scheme : kSchemes) {
    if (start.starts_with(scheme)) return scheme.size();
  }
  return 0;
}

/// `host:port`, in lower case.
std::string authority_of(std::string_view url) {
  const size_t at = host_at(url);
  return text::to_lower(url.substr(at, url.find_first_of("/?#", at) - at));
}

/// The first URL in a sentence, without the punctuation that follows it. Some agents' fetch tools have only a prompt.
std::string first_url_in(std::string_view prose) {
  for (size_t at = prose.find("http"); at != std::string_view::npos; at = prose.find("http", at + 1)) {
    if (host_at(prose.substr(at)) == 0) continue;
    std::string_view url = prose.substr(at, prose.find_first_of(" \t\r\n\"'<>`", at) - at);
    while (!url.empty() && std::string_view(".,;:!?)]}").contains(url.back())) url.remove_suffix(1);
    return std::string(url);
  }
  return "";
}

/// The absolute URL for a `Location` header, which may be relative to the page that sent it.
std::string target_of(std::string_view location, std::string_view page) {
  if (host_at(location) != 0) return std::string(location);
  const size_t host = host_at(page);
  // `//host/path` keeps the scheme of the page.
  if (location.starts_with("//")) return std::string(page.substr(0, host - 2)) + std::string(location);
  const size_t path = std::min(page.find_first_of("/?#", host), page.size());
  if (location.starts_with('/')) return std::string(page.substr(0, path)) + std::string(location);
  const std::string_view before_query = page.substr(0, page.find_first_of("?#"));
  const size_t slash = before_query.rfind('/');
  // A relative target replaces the last component of the page's path. The slashes of `https://` do not count.
  const bool has_path = slash != std::string_view::npos && slash >= path;
  return std::string(before_query.substr(0, has_path ? slash : path)) + '/' + std::string(location);
}

/// A redirect without a target is an ordinary response.
bool is_redirect(const net::HttpResponse& response) {
  return response.status >= 300 && response.status < 400 && !response.header("location").empty();
}

/// The request for one hop. Each hop is checked against private addresses by itself.
net::HttpRequest request_for(const std::string& url, const ToolContext& context) {
  net::HttpRequest request{
      .url = url,
      .headers = {{"Accept", "text/html, text/*, application/json, */*;q=0.5"}, {"User-Agent", "grapnel-agent"}},
      .body = "",
      .timeouts = {.total = context.timeout},
      .max_response_bytes = kMaxPage};
  if (!context.allow_private_hosts) request.allow_address = net::is_public_address;
  return request;
}

/// Translates a transfer error for the model, which should not try a forbidden address again.
ToolResult failure_of(const net::HttpError& error) {
  if (error.kind == net::HttpFailure::RefusedAddress) {
    return failure(ToolFailure::Failed,
                   "this address belongs to a private network or to this machine and may not be fetched");
  }
  const ToolFailure kind = error.kind == net::HttpFailure::Timeout     ? ToolFailure::TimedOut
                           : error.kind == net::HttpFailure::Cancelled ? ToolFailure::Interrupted
                                                                       : ToolFailure::Failed;
  return failure(kind, error.message);
}

/// Some servers declare a text type for binary files, so the body is checked, too.
bool is_text(std::string_view type, std::string_view body) {
  const bool is_named =
      type.starts_with("text/") || type.contains("json") || type.contains("xml") || type.contains("javascript");
  return (is_named || type.empty()) && !is_binary(body);
}

/// The page as a tool result. An HTTP error is a failure, but the model still gets the text of the error page.
ToolResult tell(const net::HttpResponse& response, const std::string& url, const ToolContext& context) {
  const std::string type = text::to_lower(response.header("content-type"));
  if (!is_text(type, response.body)) {
    return failure(ToolFailure::Failed, url + " is not text" + (type.empty() ? "" : " but " + type));
  }
  const bool is_html = type.contains("html");
  ToolResult result =
      answer(is_html ? html_to_text(response.body) : response.body, context,
             Json::object({{"url", Json::string(url)}, {"status", Json::number(int64_t{response.status})}}));
  if (!response.is_success()) {
    result.failure = ToolFailure::Failed;
    result.text = "HTTP status " + std::to_string(response.status) + '\n' + result.text;
  } else if (result.text.empty()) {
    result.text = "(the page is empty)";
  }
  return result;
}

/// Follows redirects on the same host only: a permission for one host must not lead to another.
ToolResult fetch_page(const Json& input, const ToolContext& context) {
  std::string url = text_argument(input, "url");
  if (url.empty()) url = first_url_in(text_argument(input, "prompt"));
  if (url.empty()) return failure(ToolFailure::InvalidInput, "no address is given: /url is missing");
  if (host_at(url) == 0) return failure(ToolFailure::InvalidInput, "only http and https addresses can be fetched");
  net::HttpClient client;
  for (int hops = 0; hops <= kMaxRedirects; ++hops) {
    const auto response = client.send(request_for(url, context), {}, context.cancel);
    if (!response) return failure_of(response.error());
    if (!is_redirect(*response)) return tell(*response, url, context);
    const std::string target = target_of(response->header("location"), url);
    if (authority_of(target) != authority_of(url)) {
      return failure(ToolFailure::Failed, url + " redirects to another host: fetch " + target + " if you want that");
    }
    url = target;
  }
  return failure(ToolFailure::Failed, url + " redirects too often");
}

}  // namespace

Tool make_fetch_tool() {
  return make_tool(ToolKind::Fetch, "Fetches a web page and returns its text.", kFetchSchema, fetch_page);
}

}  // namespace grapnel::agent
