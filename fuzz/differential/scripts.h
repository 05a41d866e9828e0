#pragma once

#include <random>
#include <string>
#include <vector>

/// New scripts from old ones. Most of what comes out is a script that bash accepts; whether it still does a guarded
/// deed is for the jail to find out.
namespace grapnel::differential {

class Scripts {
 public:
  Scripts(std::vector<std::string> seeds, unsigned random_seed) : seeds_(std::move(seeds)), random_(random_seed) {}

  /// A seed after one to four changes.
  std::string next();
  /// Scripts that are shorter than this one, each without one of its parts.
  static std::vector<std::string> shorter(const std::string& script);

 private:
  size_t below(size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(random_); }
  const std::string& any(const std::vector<std::string>& of) { return of[below(of.size())]; }

  std::string wrapped(const std::string& script);
  std::string respelled(const std::string& script);
  std::string joined(const std::string& script);
  std::string damaged(std::string script);

  std::vector<std::string> seeds_;
  std::mt19937 random_;
};

}  // namespace grapnel::differential
