#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include <curl/curl.h>

#include "base/clock.h"
#include "net/http_client.h"

/// One request on one pair of curl handles.
///
/// Each pair is an easy handle with its own multi handle. The multi handle keeps connections open between requests, and
/// `curl_multi_wakeup` is the only curl function that can end a wait from another thread.
namespace grapnel::net {

struct CurlEasyDelete {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct CurlMultiDelete {
  void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};
struct CurlListDelete {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

/// Members are destroyed in reverse order: the easy handle must go first, since its connections belong to the multi
/// handle.
struct HttpHandles {
  std::unique_ptr<CURLM, CurlMultiDelete> multi;
  std::unique_ptr<CURL, CurlEasyDelete> easy;
};

/// Idle pairs, ready for the next request. The pool never shrinks: it has as many pairs as transfers ran at the same
/// time. Thread: any.
class HttpHandlePool {
 public:
  /// Returns an idle pair or a new one; the handles are null when memory is short.
  HttpHandles take();
  void give_back(HttpHandles handles);

 private:
  std::mutex mutex_;
  std::vector<HttpHandles> idle_;
};

/// One request, from its options to its response. Use an object once. Thread: one; only the stop token may come from
/// another.
class HttpTransfer {
 public:
  /// Borrows all arguments.
  HttpTransfer(HttpHandles& handles, const HttpRequest& request, const HttpSink& on_data);
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  std::expected<HttpResponse, HttpError> run(const std::stop_token& stop);

 private:
  /// curl's callbacks. `self` is the transfer; a return value that curl does not expect ends the transfer.
  static size_t take_header(char* bytes, size_t size, size_t count, void* self);
  static size_t take_body(char* bytes, size_t size, size_t count, void* self);
  static int take_progress(void* self, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent);
  static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);

  /// These return false when memory is short or the request cannot be sent; `describe` then has the reason.
  bool set_headers();
  bool set_resolve();
  void set_options();
  void set_method();
  CURLcode perform(const std::stop_token& stop);
  bool is_cancelled(const std::stop_token& stop);
  bool is_out_of_time(Deadline now);
  std::chrono::milliseconds time_left(Deadline now) const;
  bool count(size_t bytes);
  void read_header(std::string_view line);
  bool read_body(std::string_view bytes);
  /// Calls `on_head`, once.
  void tell_head();
  /// Ends the transfer for a reason of our own. Only the first reason is kept.
  void give_up(HttpFailure kind, std::string message);
  /// The error for the caller: our own reason for ending, if there is one, otherwise curl's.
  HttpError describe(CURLcode code) const;

  CURL* easy_;
  CURLM* multi_;
  const HttpRequest& request_;
  const HttpSink& on_data_;
  std::unique_ptr<curl_slist, CurlListDelete> headers_;
  std::unique_ptr<curl_slist, CurlListDelete> resolve_;
  HttpResponse response_;
  std::optional<HttpError> given_up_;
  /// `on_head` was called.
  bool is_head_told_ = false;
  /// `allow_address` refused at least one address.
  bool has_refused_address_ = false;
  /// Bytes of headers and body, for the size limit.
  size_t received_ = 0;
  /// Bytes in both directions when progress was last reported.
  curl_off_t moved_ = 0;
  Deadline started_;
  /// When the last byte moved; the idle timeout counts from here.
  Deadline last_byte_;
  char curl_message_[CURL_ERROR_SIZE] = {};
};

}  // namespace grapnel::net
