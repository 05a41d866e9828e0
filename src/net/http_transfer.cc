#include "net/http_transfer.h"

#include <algorithm>
#include <utility>

#include <sys/socket.h>

#include "base/text.h"

namespace grapnel::net {

namespace {

using std::chrono::milliseconds;

/// The longest single wait in `perform`. Network events and stop requests end it earlier.
constexpr milliseconds kLongestWait{1000};

/// Initialises curl once per process.
bool is_curl_ready() {
  static const CURLcode kCode = curl_global_init(CURL_GLOBAL_DEFAULT);
  return kCode == CURLE_OK;
}

/// Whether a text could smuggle in another header line.
bool has_control(std::string_view s) {
  return std::ranges::any_of(s, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

using CurlList = std::unique_ptr<curl_slist, CurlListDelete>;

/// Appends lines to a curl list. curl returns the head of the list, or null when memory is short; the old list then
/// stays valid.
bool append_all(CurlList& list, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    curl_slist* const longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) return false;
    static_cast<void>(list.release());
    list.reset(longer);
  }
  return true;
}

/// Groups curl's codes by what the caller can do about them.
HttpFailure kind_of(CURLcode code) {
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return HttpFailure::BadRequest;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:  // curl's own timeout covers connecting only
    case CURLE_OUT_OF_MEMORY:
      return HttpFailure::NotConnected;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
      return HttpFailure::Tls;
    default:
      return HttpFailure::Broken;
  }
}

/// `30 s`, or `1500 ms` when it is not a whole number of seconds.
std::string describe_duration(milliseconds t) {
  if (t % std::chrono::seconds(1) == milliseconds(0)) return std::to_string(t / std::chrono::seconds(1)) + " s";
  return std::to_string(t.count()) + " ms";
}

}  // namespace

/// The last pair that came back is taken first, because its connections are most likely still open.
HttpHandles HttpHandlePool::take() {
  if (!is_curl_ready()) return {};
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      HttpHandles handles = std::move(idle_.back());
      idle_.pop_back();
      return handles;
    }
  }
  return {std::unique_ptr<CURLM, CurlMultiDelete>(curl_multi_init()),
          std::unique_ptr<CURL, CurlEasyDelete>(curl_easy_init())};
}

void HttpHandlePool::give_back(HttpHandles handles) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(handles));
}

HttpTransfer::HttpTransfer(HttpHandles& handles, const HttpRequest& request, const HttpSink& on_data)
    : easy_(handles.easy.get()), multi_(handles.multi.get()), request_(request), on_data_(on_data) {}

void HttpTransfer::give_up(HttpFailure kind, std::string message) {
  if (!given_up_) given_up_ = HttpError{kind, std::move(message), false, std::nullopt};
}

bool HttpTransfer::set_headers() {
  std::vector<std::string> lines = {"Expect:"};  // curl would wait a second for servers that do not answer it
  for (const HttpHeader& header : request_.headers) {
    if (header.name.empty() || has_control(header.name) || has_control(header.value)) {
      give_up(HttpFailure::BadRequest, "the header '" + header.name + "' has no name or contains a line break");
      return false;
    }
    // curl removes a header that has no value unless it is written with a semicolon.
    lines.push_back(header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
  }
  if (!append_all(headers_, lines)) return false;
  curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, headers_.get());
  return true;
}

bool HttpTransfer::set_resolve() {
  if (!append_all(resolve_, request_.resolve)) return false;
  curl_easy_setopt(easy_, CURLOPT_RESOLVE, resolve_.get());
  return true;
}

/// A POST without a body still sets its fields, so that the request says that its length is 0.
void HttpTransfer::set_method() {
  if (!request_.body.empty() || request_.method == "POST") {
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, request_.body.data());
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
  }
  if (request_.method == "HEAD") curl_easy_setopt(easy_, CURLOPT_NOBODY, 1L);
  curl_easy_setopt(easy_, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

void HttpTransfer::set_options() {
  // The handle may come from another request, so nothing of that one may be left. Connections survive the reset.
  curl_easy_reset(easy_);
  curl_easy_setopt(easy_, CURLOPT_URL, request_.url.c_str());
  curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
  // Signals would affect the whole host program.
  curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy_, CURLOPT_QUICK_EXIT, 1L);  // otherwise giving up would wait for a name lookup that hangs
  curl_easy_setopt(easy_, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYHOST, 2L);
  // Set even if empty, because curl would otherwise read the proxy from the process environment.
  curl_easy_setopt(easy_, CURLOPT_PROXY, request_.proxy.c_str());
  curl_easy_setopt(easy_, CURLOPT_NOPROXY, request_.no_proxy.c_str());
  if (!request_.ca_file.empty()) curl_easy_setopt(easy_, CURLOPT_CAINFO, request_.ca_file.c_str());
  const milliseconds connect = request_.timeouts.connect;
  if (connect > milliseconds(0)) curl_easy_setopt(easy_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect.count()));
  curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, curl_message_);
  curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &take_header);
  curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &take_body);
  curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy_, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(easy_, CURLOPT_XFERINFOFUNCTION, &take_progress);
  curl_easy_setopt(easy_, CURLOPT_XFERINFODATA, this);
  curl_easy_setopt(easy_, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  curl_easy_setopt(easy_, CURLOPT_OPENSOCKETDATA, this);
  // An open connection would skip `open_socket`, and with it the address check.
  if (request_.allow_address) {
    curl_easy_setopt(easy_, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(easy_, CURLOPT_FORBID_REUSE, 1L);
  }
}

size_t HttpTransfer::take_header(char* bytes, size_t size, size_t count, void* self) {
  auto& transfer = *static_cast<HttpTransfer*>(self);
  if (!transfer.count(size * count)) return 0;
  transfer.read_header({bytes, size * count});
  return size * count;
}

size_t HttpTransfer::take_body(char* bytes, size_t size, size_t count, void* self) {
  auto& transfer = *static_cast<HttpTransfer*>(self);
  const bool goes_on = transfer.count(size * count) && transfer.read_body({bytes, size * count});
  return goes_on ? size * count : CURL_WRITEFUNC_ERROR;
}

/// Sending a large body counts as activity, too. curl reports totals, so only a change of the sum means that bytes
/// moved.
int HttpTransfer::take_progress(void* self, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent) {
  auto& transfer = *static_cast<HttpTransfer*>(self);
  if (std::exchange(transfer.moved_, received + sent) != received + sent) transfer.last_byte_ = SteadyClock::now();
  return 0;
}

/// curl calls this for every address it is about to connect to, which makes it the place for the address check.
curl_socket_t HttpTransfer::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  auto& transfer = *static_cast<HttpTransfer*>(self);
  if (transfer.request_.allow_address && !transfer.request_.allow_address(address->addr)) {
    transfer.has_refused_address_ = true;
    return CURL_SOCKET_BAD;  // curl then tries the host's next address
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// Counts received bytes against the limit. Returns false when the response is too large.
bool HttpTransfer::count(size_t bytes) {
  last_byte_ = SteadyClock::now();
  received_ += bytes;
  if (received_ <= request_.max_response_bytes) return true;
  give_up(HttpFailure::TooLarge, "the answer is larger than " + std::to_string(request_.max_response_bytes) + " bytes");
  return false;
}

/// curl calls this once per line, including the status line and the blank line at the end.
void HttpTransfer::read_header(std::string_view line) {
  if (line.starts_with("HTTP/")) {  // a new header block: the one before was an interim (1xx) answer
    response_.headers.clear();
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  response_.headers.push_back(
      {std::string(text::trim(line.substr(0, colon))), std::string(text::trim(line.substr(colon + 1)))});
}

/// Status and headers are complete when the first byte of the body arrives, or the response ends without one.
void HttpTransfer::tell_head() {
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  if (request_.on_head && response_.is_success() && !std::exchange(is_head_told_, true)) request_.on_head(response_);
}

/// Only a successful body goes to the sink. The body of an error is kept, because it explains the error.
bool HttpTransfer::read_body(std::string_view bytes) {
  tell_head();
  if (!on_data_ || !response_.is_success()) {
    response_.body += bytes;
    return true;
  }
  auto taken = on_data_(bytes);
  if (taken) return true;
  give_up(HttpFailure::Reader, taken.error().message);
  // `give_up` keeps an earlier reason, to which the sink's error does not belong.
  if (given_up_->kind == HttpFailure::Reader) given_up_->cause = std::move(taken.error());
  return false;
}

/// The time until the next timeout, at most `kLongestWait`; zero or less when one has passed.
milliseconds HttpTransfer::time_left(Deadline now) const {
  milliseconds left = kLongestWait;
  const auto limit = [&](milliseconds timeout, Deadline since) {
    if (timeout > milliseconds(0)) left = std::min(left, std::chrono::ceil<milliseconds>(since + timeout - now));
  };
  limit(request_.timeouts.idle, last_byte_);
  limit(request_.timeouts.total, started_);
  return left;
}

bool HttpTransfer::is_cancelled(const std::stop_token& stop) {
  if (stop.stop_requested()) give_up(HttpFailure::Cancelled, "cancelled");
  return given_up_.has_value();
}

/// Gives the transfer up when a timeout has passed. If both have, the message names the total one.
bool HttpTransfer::is_out_of_time(Deadline now) {
  if (time_left(now) > milliseconds(0)) return false;
  const HttpTimeouts& t = request_.timeouts;
  const bool is_total = t.total > milliseconds(0) && now >= started_ + t.total;
  give_up(HttpFailure::Timeout, is_total ? "no complete answer within " + describe_duration(t.total)
                                         : "no data for " + describe_duration(t.idle));
  return true;
}

/// Drives the transfer until it ends, times out or is stopped. A stop request from another thread wakes the poll.
CURLcode HttpTransfer::perform(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] { curl_multi_wakeup(multi_); });
  for (int running = 1; !is_cancelled(stop);) {
    // The time is taken before `curl_multi_perform`, so that bytes that arrived while this thread was not running (a
    // suspended machine, for example) are read before the timeout is checked.
    const Deadline looked = SteadyClock::now();
    if (curl_multi_perform(multi_, &running) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
    if (running == 0 || is_out_of_time(looked)) break;
    const milliseconds wait = std::max(time_left(SteadyClock::now()), milliseconds(0));
    if (curl_multi_poll(multi_, nullptr, 0, static_cast<int>(wait.count()), nullptr) != CURLM_OK) {
      return CURLE_OUT_OF_MEMORY;
    }
  }
  int left = 0;
  const CURLMsg* const message = curl_multi_info_read(multi_, &left);
  return message != nullptr ? message->data.result : CURLE_ABORTED_BY_CALLBACK;
}

/// If an address was refused and no other could be reached, curl only reports that it could not connect. The message
/// then names the real reason.
HttpError HttpTransfer::describe(CURLcode code) const {
  if (!given_up_ && code == CURLE_COULDNT_CONNECT && has_refused_address_) {
    return {HttpFailure::RefusedAddress, "connecting to this host's address is not allowed", false, std::nullopt};
  }
  // The time until the request was sent is zero when there never was a connection.
  curl_off_t until_request = 0;
  curl_easy_getinfo(easy_, CURLINFO_PRETRANSFER_TIME_T, &until_request);
  // curl reports an answer that is not HTTP with the same code as an unsupported URL.
  const bool is_garbage = code == CURLE_UNSUPPORTED_PROTOCOL && until_request > 0;
  const HttpFailure kind = is_garbage ? HttpFailure::Broken : kind_of(code);
  HttpError error = given_up_.value_or(HttpError{kind, "", false, std::nullopt});
  if (error.message.empty()) error.message = curl_message_[0] != '\0' ? curl_message_ : curl_easy_strerror(code);
  error.has_received = received_ > 0 || is_garbage;
  return error;
}

std::expected<HttpResponse, HttpError> HttpTransfer::run(const std::stop_token& stop) {
  set_options();
  set_method();
  started_ = last_byte_ = SteadyClock::now();
  if (!set_headers() || !set_resolve()) return std::unexpected(describe(CURLE_OUT_OF_MEMORY));
  if (curl_multi_add_handle(multi_, easy_) != CURLM_OK) return std::unexpected(describe(CURLE_OUT_OF_MEMORY));
  const CURLcode code = perform(stop);
  if (!given_up_ && code == CURLE_OK) tell_head();
  curl_multi_remove_handle(multi_, easy_);
  if (given_up_ || code != CURLE_OK) return std::unexpected(describe(code));
  return std::move(response_);
}

}  // namespace grapnel::net
