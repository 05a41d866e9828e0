#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "json/rpc.h"
#include "mcp/message.h"
#include "mcp/transport.h"
#include "model/http_url.h"
#include "net/http_client.h"
#include "net/sse.h"

namespace grapnel::mcp {

namespace {

using std::chrono::milliseconds;

/// For messages without an answer, and for saying goodbye.
constexpr milliseconds kShortAnswer{10'000};
constexpr milliseconds kGoodbye{2'000};
/// The wait before a stream is asked for again, if the server names none; it doubles while nothing arrives.
constexpr milliseconds kRetry{500};
constexpr milliseconds kMaxRetry{30'000};
/// How often a broken stream is taken up again without anything new in it.
constexpr int kMaxResumes = 5;
/// Messages without an answer that are on their way at the same time. Each has a thread, and a server decides how many
/// there are: most of them answer it.
constexpr int kMaxNotes = 50;
constexpr std::string_view kEventStream = "text/event-stream";
constexpr std::string_view kSessionEnded = "the server has ended the session";
constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

bool is_visible_ascii(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

/// What a status means, for people and for the model.
std::string status_text(const net::HttpResponse& response) {
  const std::string status = "the server answered with HTTP status " + std::to_string(response.status);
  if (response.status == 401 || response.status == 403) return status + ": its configuration needs a header for access";
  if (response.status >= 300 && response.status < 400) return status + ": configure the address it has moved to";
  return status;
}

/// One stream of events, which may come in several pieces.
struct Stream {
  std::string last_id;
  milliseconds retry = kRetry;
  size_t events = 0;        ///< messages so far
  size_t bytes_since = 0;   ///< bytes since the last event
  bool is_done = false;     ///< it has had the answer that it was for
  bool is_refused = false;  ///< the server does not want to send it
  std::string error = {};   ///< why a piece of it ended early
};

/// A message on its way, in a thread of its own.
struct Exchange {
  std::optional<int64_t> id;  ///< of a request
  std::stop_source stop;
  std::atomic<bool> is_over = false;
  std::jthread thread;
};

class HttpServer final : public Transport {
 public:
  HttpServer(const McpServer& server, const Limits& limits, Sink sink)
      : url_(server.url), limits_(limits), sink_(std::move(sink)) {
    for (const auto& [name, value] : server.headers) own_headers_.push_back({name, value});
  }
  ~HttpServer() override { close(); }

  void send(const Json& message, std::vector<Header> headers) override {
    const bool is_request = rpc::kind_of(message) == rpc::MessageKind::Request;
    start(
        is_request ? message["id"].as_integer() : std::nullopt,
        [this, message, headers = std::move(headers), is_request](Exchange& exchange) {
          is_request ? post_request(exchange, message, headers) : post_note(exchange, message, headers);
        },
        !is_request);
  }

  void forget(int64_t id) override {
    const std::lock_guard lock(mutex_);
    for (Exchange& exchange : exchanges_) {
      if (exchange.id == id) exchange.stop.request_stop();
    }
  }

  void set_headers(std::vector<Header> headers) override {
    const std::lock_guard lock(mutex_);
    version_headers_ = std::move(headers);
  }

  /// Opens the stream of messages that nobody asked for. Many servers have none.
  void listen() override {
    start(std::nullopt, [this](Exchange& exchange) { follow_stream(exchange); });
  }

  void close() override {
    std::list<Exchange> exchanges;
    {
      const std::lock_guard lock(mutex_);
      if (is_closing_) return;
      is_closing_ = true;
      exchanges.splice(exchanges.end(), exchanges_);
    }
    for (Exchange& exchange : exchanges) exchange.stop.request_stop();
    exchanges.clear();
    say_goodbye();
  }

 private:
  void start(std::optional<int64_t> id, std::function<void(Exchange&)> work, bool is_note = false) {
    const std::lock_guard lock(mutex_);
    if (is_closing_ || (is_note && notes_ >= kMaxNotes)) return;
    exchanges_.remove_if([](const Exchange& old) { return old.is_over.load(); });
    Exchange& exchange = exchanges_.emplace_back();
    exchange.id = id;
    if (is_note) ++notes_;
    exchange.thread = std::jthread([&exchange, work = std::move(work)] {
      work(exchange);
      exchange.is_over = true;
    });
  }

  /// The headers of every message, and those of this one.
  net::HttpRequest prepare(std::string method, const std::vector<Header>& more) {
    net::HttpRequest request{
        .method = std::move(method), .url = url_, .headers = {}, .body = "", .timeouts = {.idle = milliseconds(0)}};
    const std::lock_guard lock(mutex_);
    for (const auto& [name, value] : own_headers_) request.headers.push_back({name, value});
    for (const auto& [name, value] : version_headers_) request.headers.push_back({name, value});
    for (const auto& [name, value] : more) request.headers.push_back({name, value});
    if (!session_.empty()) request.headers.push_back({std::string(kSessionHeader), session_});
    return request;
  }

  net::HttpRequest prepare_post(const Json& message, const std::vector<Header>& more) {
    net::HttpRequest request = prepare("POST", more);
    request.headers.push_back({"Content-Type", "application/json"});
    request.headers.push_back({"Accept", "application/json, text/event-stream"});
    request.body = message.dump();
    request.max_response_bytes = limits_.max_message * 4;
    return request;
  }

  /// Messages without an answer arrive before the requests that were sent after them.
  void post_note(Exchange& exchange, const Json& message, const std::vector<Header>& headers) {
    net::HttpRequest request = prepare_post(message, headers);
    request.timeouts.total = kShortAnswer;
    const auto response = client_.send(request, {}, exchange.stop.get_token());
    if (response && response->status == 404) end_session({});
    const std::lock_guard lock(mutex_);
    --notes_;
    notes_sent_.notify_all();
  }

  void wait_for_notes(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    notes_sent_.wait(lock, stop, [this] { return notes_ == 0; });
  }

  void post_request(Exchange& exchange, const Json& message, const std::vector<Header>& headers) {
    const std::stop_token stop = exchange.stop.get_token();
    wait_for_notes(stop);
    Stream stream;
    net::HttpRequest request = prepare_post(message, headers);
    receive(request, stream, exchange);
    const auto may_go_on = [&] { return !stream.is_done && !stream.is_refused && !stream.last_id.empty(); };
    for (int tries = 0; may_go_on() && tries < kMaxResumes; ++tries) {
      const size_t before = stream.events;
      if (!wait(stream.retry, stop)) break;
      net::HttpRequest resume = prepare_resume(stream);
      receive(resume, stream, exchange);
      if (stream.events > before) tries = 0;
    }
    if (stream.is_done || stop.stop_requested()) return;
    sink_.lost(*exchange.id, stream.error.empty() ? "the connection ended before the answer" : stream.error);
  }

  net::HttpRequest prepare_resume(const Stream& stream) {
    net::HttpRequest request = prepare("GET", {{"Accept", std::string(kEventStream)}});
    if (!stream.last_id.empty()) request.headers.push_back({"Last-Event-ID", stream.last_id});
    request.max_response_bytes = limits_.max_message * 4;
    return request;
  }

  /// Sends a request and passes on what comes back.
  void receive(net::HttpRequest& request, Stream& stream, Exchange& exchange) {
    const bool is_get = request.method == "GET";
    bool is_stream = false;
    net::SseParser parser(limits_.max_message);
    std::string body;
    request.on_head = [&](const net::HttpResponse& head) {
      is_stream = text::to_lower(head.header("content-type")).starts_with(kEventStream);
      // Only a stream may go on for ever: each event of it has a limit of its own.
      if (is_stream && is_get) request.max_response_bytes = SIZE_MAX;
      keep_session(head.header(kSessionHeader));
    };
    const auto take = [&](std::string_view bytes) -> Result<void> {
      if (is_stream) {
        // Comments keep a connection alive, and cost nothing but time, so a stream may not consist of them.
        stream.bytes_since += bytes.size();
        if (stream.bytes_since > limits_.max_message * 4)
          return fail(Errc::LimitExceeded, "the server sends no events");
        return parser.feed(bytes, [&](const net::SseEvent& event) { return take_event(event, stream, exchange); });
      }
      if (is_get) {
        stream.is_refused = true;
        return fail(Errc::BadInput, "the server's answer is no stream of events");
      }
      body += bytes;
      return {};
    };
    const auto response = client_.send(request, take, exchange.stop.get_token());
    stream.retry = std::min(parser.retry().value_or(stream.retry), kMaxRetry);
    stream.error = response ? "" : response.error().message;
    if (!response || (response->is_success() && is_stream)) return;
    stream.is_refused = true;
    if (!response->is_success()) return take_refusal(*response, stream, exchange);
    if (const auto message = read_message(body)) {
      take_message(*message, stream, exchange);
    } else {
      stream.error = "the server's answer is not JSON";
    }
  }

  Result<void> take_event(const net::SseEvent& event, Stream& stream, Exchange& exchange) {
    stream.bytes_since = 0;
    if (!event.id.empty()) stream.last_id = event.id;
    if (event.data.empty()) return {};
    const auto message = read_message(event.data);
    if (!message) return fail(Errc::BadInput, "the server sent an event that is not JSON");
    ++stream.events;
    take_message(*message, stream, exchange);
    // The rest of a stream is of no interest once it has had the answer.
    return stream.is_done ? fail(Errc::Cancelled, "answered") : Result<void>();
  }

  void take_message(const Json& message, Stream& stream, const Exchange& exchange) {
    if (message.is_array()) {
      for (const Json& one : message.elements()) take_message(one, stream, exchange);
      return;
    }
    const bool is_answer = rpc::kind_of(message) == rpc::MessageKind::Answer;
    if (is_answer && exchange.id && message["id"].as_integer() == exchange.id) stream.is_done = true;
    sink_.message(message);
  }

  /// A refusal may come with a message that explains it.
  void take_refusal(const net::HttpResponse& response, Stream& stream, Exchange& exchange) {
    stream.error = status_text(response);
    // Many servers have no stream of their own messages, and some of them say so with 404 instead of 405.
    if (response.status == 404 && exchange.id && end_session(exchange.id)) return;
    const auto message = read_message(response.body);
    if (!message || !(*message)["error"].is_object()) return;
    // Servers that were started again often say so with 400, in an error that belongs to no request.
    const bool is_unread = response.status == 400 && !rpc::has_id(*message);
    if (is_unread && end_session(exchange.id)) return;
    if (!exchange.id) return;
    take_message(message->with("id", Json::number(*exchange.id)), stream, exchange);
  }

  /// Takes the stream up again whenever it ends, from where it ended.
  void follow_stream(Exchange& exchange) {
    const std::stop_token stop = exchange.stop.get_token();
    Stream stream;
    milliseconds pause = kRetry;
    while (!stop.stop_requested()) {
      const size_t before = stream.events;
      net::HttpRequest request = prepare_resume(stream);
      receive(request, stream, exchange);
      if (stream.is_refused) return;
      pause = stream.events > before ? stream.retry : std::min(pause * 2, kMaxRetry);
      if (!wait(std::max(pause, stream.retry), stop)) return;
    }
  }

  void keep_session(std::string_view session) {
    const std::lock_guard lock(mutex_);
    if (session_.empty() && is_visible_ascii(session)) session_ = session;
  }

  /// Whether there was a session, which the server has ended, as its answer to this request says. A new one needs a new
  /// connection.
  bool end_session(std::optional<int64_t> id) {
    {
      const std::lock_guard lock(mutex_);
      if (session_.empty()) return false;
      session_.clear();
    }
    if (id) sink_.untaken(*id);
    sink_.closed(std::string(kSessionEnded));
    return true;
  }

  /// Tells the server that the session is not needed any more. It need not listen.
  void say_goodbye() {
    {
      const std::lock_guard lock(mutex_);
      if (session_.empty()) return;
    }
    net::HttpRequest request = prepare("DELETE", {});
    request.timeouts = {.connect = kGoodbye, .idle = kGoodbye, .total = kGoodbye};
    static_cast<void>(client_.send(request));
  }

  /// False if there is no use in waiting any longer.
  bool wait(milliseconds pause, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    pause_.wait_for(lock, stop, pause, [] { return false; });
    return !stop.stop_requested();
  }

  const std::string url_;
  const Limits limits_;
  const Sink sink_;
  std::vector<Header> own_headers_;
  net::HttpClient client_;
  std::mutex mutex_;
  std::condition_variable_any notes_sent_;
  std::condition_variable_any pause_;
  std::vector<Header> version_headers_;
  std::string session_;
  int notes_ = 0;  ///< messages without an answer that are on their way
  bool is_closing_ = false;
  std::list<Exchange> exchanges_;
};

}  // namespace

std::string address_of(const McpServer& server) {
  if (server.command.empty()) return shown_url(server.url);
  return server.command + (server.args.empty() ? "" : " " + text::join(server.args, " "));
}

Result<std::unique_ptr<Transport>> open_http_server(const McpServer& server, const Limits& limits, Sink sink) {
  const std::string start = text::to_lower(server.url.substr(0, 8));
  if (!start.starts_with("http://") && !start.starts_with("https://")) {
    return fail(Errc::BadConfig, "the address '" + server.url + "' is neither http nor https");
  }
  return std::make_unique<HttpServer>(server, limits, std::move(sink));
}

}  // namespace grapnel::mcp
