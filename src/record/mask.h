#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "match/matcher.h"

/// Masks secrets before anything is written: every secret becomes `***`.
///
///   keys and tokens, by their shape    ghp_…, sk-…, AKIA…, AIza…, xoxb-…, eyJ….….…
///   PEM blocks of private keys         the whole block
///   passwords in URLs                  https://user:***@host
///   values with a telling name         API_TOKEN=***, "password": "***", --secret ***, Authorization: Bearer ***
///   values of known options            curl -u user:***, sshpass -p ***, mysql -p***
///   the user's own patterns            each word in which one of the patterns is found
///
/// A *telling name* is a name that shows that its value is secret. The search is written by hand: it runs for every
/// event, and compiling regular expressions would cost more than the event itself. Thread: any.
namespace grapnel {

class Mask {
 public:
  /// Additional patterns are regular expressions. A pattern that is not a valid one is taken literally.
  explicit Mask(const std::vector<std::string>& patterns = {});

  std::string apply(std::string_view text) const;
  /// Masks every string in the value. A string whose key is a telling name is masked as a whole.
  Json apply(const Json& value) const;

 private:
  std::string apply_patterns(std::string_view text) const;

  std::vector<Matcher> patterns_;
};

}  // namespace grapnel
