#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "match/matcher.h"

/// Masks secrets before anything is written: every secret becomes `***`.
///
///   keys and tokens, by their shape    ghp_…, sk-…, AKIA…, AIza…, xoxb-…, eyJ….….…, and long random words
///   PEM blocks of private keys         the whole block
///   passwords in URLs                  https://user:***@host
///   values with a telling name         API_TOKEN=***, "password": "***", --secret ***, Authorization: Bearer ***
///   values of known options            curl -u user:***, sshpass -p ***, mysql -p***
///   words that a sentence gives away   the password is ***
///   the user's own patterns            each word in which one of the patterns is found
///
/// A *telling name* is a name that shows that its value is secret. secrets.h says how they are found. Thread: any.
namespace grapnel {

class Mask {
 public:
  /// Additional patterns are regular expressions. A pattern that is not a valid one is taken literally.
  explicit Mask(const std::vector<std::string>& patterns = {});

  std::string apply(std::string_view text) const;
  /// For identifiers and paths: they may look random without being a secret.
  std::string apply_to_name(std::string_view text) const;
  /// Masks every string in the value. A string whose key is a telling name is masked as a whole.
  Json apply(const Json& value) const;

  /// The secrets of the text, as they stand there. Only the text around a secret may tell what it is: `7z -pPW` does,
  /// and the name of a file in a reason does not.
  std::vector<std::string> secrets_in(std::string_view text) const;
  /// A mask that also hides these secrets, wherever they stand.
  Mask knowing(const std::vector<std::string>& secrets) const;

 private:
  std::string apply_known(std::string text) const;
  std::string apply_patterns(std::string text) const;
  Json apply_to_elements(const Json& array) const;
  Json apply_to_members(const Json& object) const;
  Json apply_to_member(std::string_view key, const Json& value) const;

  std::vector<Matcher> patterns_;
  std::vector<std::string> known_;
};

}  // namespace grapnel
