#include "mcp/client.h"

#include <algorithm>
#include <span>

#include "base/error.h"
#include "base/text.h"
#include "json/rpc.h"
#include "mcp/header_value.h"
#include "mcp/versions.h"

/// Three kinds of threads meet here: those that send requests and wait, those of the transport, which bring messages,
/// and one that answers requests of the server. They share the state under `mutex_`. The transport is called without
/// the lock, because it may call back.
namespace grapnel::mcp {

namespace {

using std::chrono::milliseconds;

/// A server that tells its progress gets more time, but not for ever.
constexpr int kMaxStretch = 10;
/// The longest wait for a server that does not understand the first question at all.
constexpr milliseconds kProbe{10'000};
constexpr std::string_view kElicit = "elicitation/create";
constexpr size_t kMaxWord = 200;        ///< bytes of a name that a server gives itself
constexpr size_t kMaxComplaint = 4000;  ///< bytes of a server's error; the model reads it

Failure closed(std::string message) {
  return {Failure::Kind::Closed, std::move(message)};
}

Json client_info(const Host& host) {
  return Json::object({{"name", Json::string("grapnel")}, {"version", Json::string(host.version)}});
}

/// What we can do for a server: ask its user.
Json own_capabilities(const Host& host) {
  if (!host.elicit) return Json::object();
  return Json::object({{"elicitation", Json::object({{"form", Json::object()}, {"url", Json::object()}})}});
}

/// `30 s`, or `300 ms` of a time that is shorter or does not fit.
std::string seconds_text(milliseconds time) {
  const bool is_whole = time.count() % 1000 == 0;
  return is_whole ? std::to_string(time.count() / 1000) + " s" : std::to_string(time.count()) + " ms";
}

bool knows(std::span<const std::string_view> versions, std::string_view version) {
  return std::ranges::find(versions, version) != versions.end();
}

/// Only the servers of the stateless version send these.
bool is_stateless_error(const Failure& failure) {
  return failure.code == kHeaderMismatch || failure.code == kMissingCapability || failure.code == kUnsupportedVersion;
}

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> out;
  for (const Json& text : list.elements()) out.push_back(text::cap(text.as_string().value_or(""), kMaxWord));
  return out;
}

}  // namespace

Client::Client(const McpServer& server, const Host& host, const Limits& limits)
    : server_(server), host_(host), limits_(limits), start_due_(SteadyClock::now() + server.startup_timeout) {}

/// The transport ends first, so that nothing calls back into an object that goes away.
Client::~Client() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    if (asking_) asking_->stop.request_stop();
  }
  changed_.notify_all();
  if (transport_) transport_->close();
  answerer_.request_stop();
  if (answerer_.joinable()) answerer_.join();
}

Answer<std::unique_ptr<Client>> Client::connect(const McpServer& server, const Host& host, const Limits& limits,
                                                const std::stop_token& stop) {
  std::unique_ptr<Client> client(new Client(server, host, limits));
  if (auto opened = client->open(); !opened) return std::unexpected(opened.error());
  if (auto done = client->shake_hands(stop); !done) {
    // What the server wrote before it ended says more than how it ended.
    Failure failure = done.error();
    if (failure.kind == Failure::Kind::Closed && !client->is_open()) failure.message = client->why_closed();
    if (failure.kind == Failure::Kind::TimedOut) {
      client->transport_->close();
      failure.message = "it was not ready within " + seconds_text(server.startup_timeout) + client->last_words();
    }
    return std::unexpected(std::move(failure));
  }
  return client;
}

Answer<void> Client::open() {
  Sink sink{[this](const Json& message) { on_message(message); }, [this](std::string why) { on_unreadable(why); },
            [this](int64_t id, std::string why) { on_lost(id, std::move(why)); },
            [this](int64_t id) {
              const std::lock_guard lock(mutex_);
              if (const auto found = pending_.find(id); found != pending_.end()) found->second.is_untaken = true;
            },
            [this](std::string why) { on_closed(std::move(why)); }};
  auto transport = server_.command.empty() ? open_http_server(server_, limits_, std::move(sink))
                                           : start_stdio_server(server_, host_.project, limits_, std::move(sink));
  if (!transport) return std::unexpected(closed(transport.error().message));
  {
    const std::lock_guard lock(mutex_);
    transport_ = std::move(*transport);
  }
  answerer_ = std::jthread([this](const std::stop_token& stop) { answer_questions(stop); });
  return {};
}

/// Asks whether the server is one of the stateless version; if not, there is a handshake.
Answer<void> Client::shake_hands(const std::stop_token& stop) {
  const auto is_stateless = probe(stop);
  if (!is_stateless) return std::unexpected(is_stateless.error());
  if (!*is_stateless) return initialize(stop);
  return {};
}

/// Whatever an older server answers, or if it answers nothing, it gets the handshake. One that ends itself because of
/// the question cannot be told from one that is broken, so it is started again without it.
Answer<bool> Client::probe(const std::stop_token& stop) {
  version_ = kStateless;
  const auto found =
      request("server/discover", {}, {.timeout = std::min(kProbe, server_.startup_timeout / 2), .stop = stop});
  if (found) {
    const std::vector<std::string> versions = texts_of((*found)["supportedVersions"]);
    if (std::ranges::find(versions, kStateless) == versions.end()) return false;
    begin_stateless(*found);
    return true;
  }
  if (found.error().kind == Failure::Kind::Cancelled) return std::unexpected(found.error());
  if (found.error().code == kUnsupportedVersion) {
    const std::vector<std::string> versions = texts_of(found.error().data["supported"]);
    if (std::ranges::any_of(versions, [](const std::string& version) { return knows(kWithHandshake, version); }))
      return false;
    return std::unexpected(Failure{
        Failure::Kind::BadAnswer,
        "it speaks only the versions " + text::join(versions, ", ") + " of the protocol, which grapnel does not know"});
  }
  if (is_stateless_error(found.error())) return std::unexpected(found.error());
  if (is_open() || server_.command.empty()) return false;
  transport_->close();
  answerer_.request_stop();
  answerer_.join();
  is_closed_ = must_end_ = false;
  why_closed_.clear();
  unasked_ = 0;
  if (auto opened = open(); !opened) return std::unexpected(opened.error());
  return false;
}

void Client::begin_stateless(const Json& found) {
  capabilities_ = found["capabilities"];
  info_ = found["_meta"][kServerKey];
  note_agreement();
  follow_changes();
}

/// A request that stays open for as long as the connection: its answers are the changes.
void Client::follow_changes() {
  if (capabilities_["tools"]["listChanged"].as_bool() != true) return;
  int64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    id = listening_ = ++last_id_;
  }
  const Json params =
      with_meta(Json::object({{"notifications", Json::object({{"toolsListChanged", Json::boolean(true)}})}}), id);
  constexpr std::string_view kListen = "subscriptions/listen";
  transport_->send(rpc::request(Json::number(id), kListen, params), headers_for(kListen, params));
}

/// The first question, a second start and the handshake have one time together.
milliseconds Client::left_to_start() const {
  return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(start_due_ - SteadyClock::now()));
}

Answer<void> Client::initialize(const std::stop_token& stop) {
  version_.clear();
  const Json params = Json::object({{"protocolVersion", Json::string(kWithHandshake.front())},
                                    {"capabilities", own_capabilities(host_)},
                                    {"clientInfo", client_info(host_)}});
  const auto result = request("initialize", params, {.timeout = left_to_start(), .stop = stop});
  if (!result) return std::unexpected(result.error());
  const std::string version = (*result)["protocolVersion"].as_string().value_or("");
  if (!knows(kWithHandshake, version)) {
    return std::unexpected(Failure{Failure::Kind::BadAnswer, "it speaks the version '" + text::cap(version, kMaxWord) +
                                                                 "' of the protocol, which grapnel does not know"});
  }
  version_ = version;
  capabilities_ = (*result)["capabilities"];
  info_ = (*result)["serverInfo"];
  note_agreement();
  transport_->set_headers({{"MCP-Protocol-Version", version_}});
  transport_->send(rpc::notification("notifications/initialized", {}), {});
  transport_->listen();
  return {};
}

void Client::note_agreement() {
  const std::lock_guard lock(mutex_);
  is_agreed_ = true;
}

bool Client::is_stateless() const {
  return version_ == kStateless;
}

std::string Client::program() const {
  const std::string name = text::cap(info_["name"].as_string().value_or(""), kMaxWord);
  const std::string version = text::cap(info_["version"].as_string().value_or(""), kMaxWord);
  return version.empty() ? name : name + " " + version;
}

bool Client::is_open() const {
  const std::lock_guard lock(mutex_);
  return is_open_locked();
}

std::string Client::last_words() const {
  const std::string words = transport_ ? transport_->last_words() : "";
  return words.empty() ? "" : "; it wrote: " + words;
}

std::string Client::why_closed() const {
  const std::string words = last_words();
  const std::lock_guard lock(mutex_);
  return why_closed_ + words;
}

bool Client::take_tools_changed() {
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(tools_changed_, false)) return false;
    if (listening_ != 0 || !is_open_locked()) return true;
  }
  if (is_stateless()) follow_changes();
  return true;
}

SteadyClock::duration Client::server_time() const {
  const auto now = SteadyClock::now();
  const auto pause = asking_ ? now - asking_since_ : SteadyClock::duration::zero();
  return now.time_since_epoch() - paused_ - pause;
}

/// In the stateless version every request says who asks, and what it can do.
Json Client::with_meta(const Json& params, int64_t id) const {
  Json meta = params["_meta"].is_object() ? params["_meta"] : Json::object();
  meta = meta.with("progressToken", Json::number(id));
  if (is_stateless()) {
    meta = meta.with(kVersionKey, Json::string(version_))
               .with(kClientKey, client_info(host_))
               .with(kCapabilitiesKey, own_capabilities(host_));
  }
  return (params.is_object() ? params : Json::object()).with("_meta", meta);
}

std::vector<Header> Client::headers_for(std::string_view method, const Json& params) const {
  if (!is_stateless()) return {};
  std::vector<Header> headers = {{"MCP-Protocol-Version", version_}, {"Mcp-Method", std::string(method)}};
  const Json name = params["name"] ? params["name"] : params["uri"];
  if (const auto text = name.as_string()) headers.push_back({"Mcp-Name", header_value(*text)});
  return headers;
}

Answer<Json> Client::request(std::string_view method, const Json& params, const CallOptions& options) {
  int64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_ || must_end_) return std::unexpected(closed(why_closed_));
    id = ++last_id_;
    pending_[id].last_sign = server_time();
  }
  const Json with = with_meta(params, id);
  std::vector<Header> headers = headers_for(method, with);
  headers.insert(headers.end(), options.headers.begin(), options.headers.end());
  transport_->send(rpc::request(Json::number(id), method, with), std::move(headers));
  auto answer = wait(id, options);
  const bool is_given_up =
      !answer && (answer.error().kind == Failure::Kind::TimedOut || answer.error().kind == Failure::Kind::Cancelled);
  // A handshake cannot be cancelled.
  if (is_given_up && method != "initialize") send_cancelled(id, answer.error().message);
  transport_->forget(id);
  return answer;
}

Answer<Json> Client::wait(int64_t id, const CallOptions& options) {
  std::unique_lock lock(mutex_);
  const auto started = server_time();
  const auto give_up = [&](Failure failure) -> Answer<Json> {
    pending_.erase(id);
    return std::unexpected(std::move(failure));
  };
  for (;;) {
    Pending& own = pending_[id];
    if (own.answer) {
      const Json message = own.answer;
      pending_.erase(id);
      return result_of(message);
    }
    if (is_closed_ && own.is_untaken) return give_up({Failure::Kind::Untaken, why_closed_});
    if (!own.lost.empty()) return give_up(closed(own.lost));
    if (is_closed_ || must_end_) return give_up(closed(why_closed_));
    if (options.stop.stop_requested()) return give_up({Failure::Kind::Cancelled, "cancelled"});
    if (own.progress) {
      const Progress progress = *std::exchange(own.progress, std::nullopt);
      lock.unlock();
      if (options.on_progress) options.on_progress(progress);
      lock.lock();
      continue;
    }
    const int stretch = options.on_progress ? kMaxStretch : 1;
    const auto due = std::min(own.last_sign + options.timeout, started + options.timeout * stretch);
    const auto now = server_time();
    if (now >= due && !asking_) {
      return give_up({Failure::Kind::TimedOut, "no answer within " + seconds_text(options.timeout)});
    }
    const auto nothing_yet = [&] {
      const Pending& mine = pending_[id];
      return mine.answer || !mine.lost.empty() || mine.progress || is_closed_ || must_end_;
    };
    if (asking_) {
      changed_.wait(lock, options.stop, [&] { return nothing_yet() || !asking_; });
    } else {
      changed_.wait_for(lock, options.stop, due - now, [&] { return nothing_yet() || asking_; });
    }
  }
}

/// A result without a type is complete: servers of earlier versions do not have it.
Answer<Json> Client::result_of(const Json& message) const {
  // Some servers write `"error": null` beside a result.
  if (const Json error = message["error"]; error.is_object()) {
    return std::unexpected(
        Failure{Failure::Kind::Refused,
                text::cap(error["message"].as_string().value_or("an error without a message"), kMaxComplaint),
                error["code"].as_integer().value_or(0), error["data"]});
  }
  const Json result = message["result"];
  const std::string type = result["resultType"].as_string().value_or("complete");
  if (!result.is_object() || (type != "complete" && type != "input_required")) {
    return std::unexpected(Failure{Failure::Kind::BadAnswer, "its answer has no result that grapnel understands"});
  }
  return result;
}

/// Questions belong to calls: nobody is asked by a server that has nothing to do, and what is still open when the last
/// call ends is of no interest any more.
Client::Call::Call(Client& client) : client_(client) {
  const std::lock_guard lock(client_.mutex_);
  if (client_.calls_++ == 0) client_.questions_ = 0;
}

Client::Call::~Call() {
  const std::lock_guard lock(client_.mutex_);
  if (--client_.calls_ > 0) return;
  for (const auto& asked : client_.asked_) asked->stop.request_stop();
  if (client_.asking_) client_.asking_->stop.request_stop();
}

Answer<Json> Client::request_with_input(std::string_view method, const Json& params, const CallOptions& options) {
  const Call call(*this);
  Json now = params;
  for (int round = 0; round <= limits_.max_rounds; ++round) {
    auto result = request(method, now, options);
    if (!result && result.error().code == kAddressNeeded && host_.elicit) {
      if (auto opened = open_addresses(result.error().data, options); !opened) return std::unexpected(opened.error());
      continue;
    }
    if (!result || !(*result)["resultType"].equals_string("input_required")) return result;
    const auto responses = ask_all((*result)["inputRequests"], options);
    if (!responses) return responses;
    now = params;
    if (responses->size() > 0) now = now.with("inputResponses", *responses);
    if (const Json state = (*result)["requestState"]) now = now.with("requestState", state);
  }
  return std::unexpected(Failure{Failure::Kind::BadAnswer, "it asks again and again"});
}

/// Asks the user one of the questions that came instead of an answer.
Answer<Json> Client::ask(const Json& params, const CallOptions& options) {
  {
    const std::lock_guard lock(mutex_);
    if (++questions_ > limits_.max_questions) {
      return std::unexpected(Failure{Failure::Kind::BadAnswer, "it asks too many questions"});
    }
  }
  Json said = host_.elicit(params, options.stop);
  if (options.stop.stop_requested()) return std::unexpected(Failure{Failure::Kind::Cancelled, "cancelled"});
  return said;
}

Answer<Json> Client::ask_all(const Json& wanted, const CallOptions& options) {
  std::vector<std::pair<std::string, Json>> responses;
  for (const JsonMember& one : wanted.members()) {
    if (!one.value["method"].equals_string(kElicit) || !host_.elicit) {
      return std::unexpected(Failure{Failure::Kind::BadAnswer, "it asks for something that grapnel does not offer"});
    }
    const auto said = ask(one.value["params"], options);
    if (!said) return said;
    responses.emplace_back(one.key, *said);
  }
  return Json::object(responses);
}

/// Versions with a handshake have no result that asks for input. Their servers refuse a call with the addresses that
/// the user has to open before it is sent again.
Answer<void> Client::open_addresses(const Json& wanted, const CallOptions& options) {
  const Json addresses = wanted["elicitations"];
  if (addresses.size() == 0) {
    return std::unexpected(Failure{Failure::Kind::BadAnswer, "it wants an address opened, and names none"});
  }
  for (const Json& one : addresses.elements()) {
    const auto said = ask(one.with("mode", Json::string("url")), options);
    if (!said) return std::unexpected(said.error());
    if (!(*said)["action"].equals_string("accept")) {
      return std::unexpected(Failure{Failure::Kind::Refused, "it needs an address to be opened, which was declined"});
    }
  }
  return {};
}

void Client::send_cancelled(int64_t id, std::string_view why) {
  // Over HTTP, the stateless version takes the end of the connection for it.
  if (is_stateless() && server_.command.empty()) return;
  transport_->send(rpc::notification("notifications/cancelled",
                                     Json::object({{"requestId", Json::number(id)}, {"reason", Json::string(why)}})),
                   {});
}

// What arrives, in threads of the transport.

void Client::on_message(const Json& message) {
  Json answer;
  Transport* transport = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_ || must_end_) return;
    transport = transport_.get();  // not there yet for what a server sends before anything was asked
    ++unasked_;
    switch (rpc::kind_of(message)) {
      case rpc::MessageKind::Answer:
        on_answer(message);
        break;
      case rpc::MessageKind::Request:
        answer = on_request(message);
        break;
      case rpc::MessageKind::Notification:
        on_notification(message);
        break;
      case rpc::MessageKind::Invalid:
        break;
    }
    if (unasked_ > limits_.max_unasked) {
      must_end_ = true;
      why_closed_ = "it sent " + std::to_string(limits_.max_unasked) + " messages that nobody asked for";
    }
    changed_.notify_all();
  }
  if (answer && transport != nullptr) transport->send(answer, {});
}

void Client::on_answer(const Json& message) {
  const auto id = message["id"].as_integer();
  auto found = id ? pending_.find(*id) : pending_.end();
  // A server that could not read a request does not know its id. With only one on its way, it is that.
  if (!rpc::has_id(message) && pending_.size() == 1) found = pending_.begin();
  // An answer that comes too late, or to nothing.
  if (found == pending_.end() || found->second.answer) return;
  found->second.answer = message;
  unasked_ = 0;
}

/// The answer; missing for a question, which a person answers later.
Json Client::on_request(const Json& message) {
  const Json id = message["id"];
  const std::string method = *message["method"].as_string();
  if (method == "ping") return rpc::result(id, Json::object());
  // Nobody is asked for a server with which there is no agreement yet.
  if (method != kElicit || !host_.elicit || !is_agreed_) {
    return rpc::error(id, rpc::kMethodNotFound, "this client does not answer '" + text::cap(method, kMaxWord) + "'");
  }
  if (calls_ == 0 || ++questions_ > limits_.max_questions) {
    return rpc::result(id, Json::object({{"action", Json::string("cancel")}}));
  }
  asked_.push_back(std::make_shared<Asked>(Asked{.message = message, .stop = {}}));
  return {};
}

void Client::on_notification(const Json& message) {
  const Json params = message["params"];
  const std::string method = *message["method"].as_string();
  if (method == "notifications/tools/list_changed") tools_changed_ = true;
  if (method == "notifications/progress") {
    const auto token = params["progressToken"].as_integer();
    const auto found = token ? pending_.find(*token) : pending_.end();
    if (found == pending_.end()) return;
    found->second.last_sign = server_time();
    found->second.progress = Progress{params["progress"].as_number().value_or(0), params["total"].as_number(),
                                      text::cap(params["message"].as_string().value_or(""), kMaxWord)};
  }
  if (method == "notifications/cancelled") {
    const auto is_it = [&](const std::shared_ptr<Asked>& asked) { return asked->message["id"] == params["requestId"]; };
    std::erase_if(asked_, is_it);
    if (asking_ && is_it(asking_)) {
      asking_->is_withdrawn = true;
      asking_->stop.request_stop();
    }
  }
}

/// With only one request on its way, it was the answer to that. Otherwise nobody can tell, and each waits for its own.
void Client::on_unreadable(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (pending_.size() == 1) pending_.begin()->second.lost = "its answer cannot be read: " + why;
  changed_.notify_all();
}

/// What has changed while nobody listened is not known, so it counts as changed.
void Client::on_lost(int64_t id, std::string why) {
  const std::lock_guard lock(mutex_);
  if (id == listening_) {
    listening_ = 0;
    tools_changed_ = true;
  }
  if (const auto found = pending_.find(id); found != pending_.end()) found->second.lost = std::move(why);
  changed_.notify_all();
}

void Client::on_closed(std::string why) {
  const std::lock_guard lock(mutex_);
  if (!must_end_ && !is_closed_) why_closed_ = std::move(why);
  is_closed_ = true;
  if (asking_) asking_->stop.request_stop();
  changed_.notify_all();
}

/// The thread that asks people what the server wants to know, one question at a time, and that ends a connection which
/// may not go on. A question that was given up in the meantime is only answered.
void Client::answer_questions(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, stop, [&] { return !asked_.empty() || must_end_ || is_closed_; });
    if (stop.stop_requested() || is_closed_) return;
    if (must_end_) {
      lock.unlock();
      return transport_->close();
    }
    asking_ = asked_.front();
    asked_.pop_front();
    asking_since_ = SteadyClock::now();
    const std::shared_ptr<Asked> asked = asking_;
    lock.unlock();
    const std::stop_token given_up = asked->stop.get_token();
    const Json said = given_up.stop_requested() ? Json::object({{"action", Json::string("cancel")}})
                                                : host_.elicit(asked->message["params"], given_up);
    lock.lock();
    const bool is_wanted = !asked->is_withdrawn && !is_closed_;
    paused_ += SteadyClock::now() - asking_since_;
    asking_.reset();
    changed_.notify_all();
    lock.unlock();
    if (is_wanted) transport_->send(rpc::result(asked->message["id"], said), {});
    lock.lock();
  }
}

}  // namespace grapnel::mcp
