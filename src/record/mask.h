#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "match/matcher.h"

/// What must not be written down is taken out before it is: every secret becomes `***`.
///
///   keys and tokens by their shape    ghp_…, sk-…, AKIA…, AIza…, xoxb-…, eyJ….….…
///   PEM blocks of private keys        as a whole
///   passwords in URLs                 https://user:***@host
///   values of telling names           API_TOKEN=***, "password": "***", --secret ***, Authorization: Bearer ***
///   what the user says is secret      each word in which one of the user's patterns is found
///
/// By hand, since it is done at every event and compiling patterns would cost more than the event. Thread: any.
namespace grapnel {

class Mask {
 public:
  /// With further patterns, regular expressions each; one that is none stands for itself.
  explicit Mask(const std::vector<std::string>& patterns = {});

  std::string apply(std::string_view text) const;
  /// To every string in it; what stands under a telling name is secret as a whole.
  Json apply(const Json& value) const;

 private:
  std::string apply_patterns(std::string_view text) const;

  std::vector<Matcher> patterns_;
};

}  // namespace grapnel
