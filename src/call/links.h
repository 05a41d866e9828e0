#pragma once

#include <map>
#include <string>
#include <vector>

#include "call/file_roles.h"

/// Other names that a text gives to files: `ln -s /etc/motd m; echo x > m` writes the file behind the link.
namespace grapnel::call {

/// The links that the commands of a text have made so far. Thread: one.
class Links {
 public:
  /// Notes what a command makes: what `ln` makes, and what a container sees under another name (`-v /etc:/e`,
  /// `--mount src=/,dst=/h`).
  void note(const SimpleCommand& command);
  /// Adds the files behind the links to those that are in the list from `made` on. A link itself was only made.
  void follow(size_t made, std::vector<PathUse>& out) const;
  /// What the link leads to; null if there is none of that name.
  const Word* find(const std::string& name) const;

 private:
  std::map<std::string, Word> to_;
};

}  // namespace grapnel::call
