#include "mask/mask.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

struct Case {
  const char* note;
  std::string in;
  std::string want;
};

// Put together here, so that nobody's scanner takes them for real ones.
std::string with(std::string_view prefix, size_t count) {
  return std::string(prefix) + std::string(count, 'x');
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"nothing secret", "exit 2: no such file", "exit 2: no such file"},
      {"no text", "", ""},
      {"GitHub", "use " + with("ghp_", 36) + " now", "use *** now"},
      {"GitHub, fine-grained", with("github_pat_", 60), "***"},
      {"GitLab", with("glpat-", 20), "***"},
      {"model providers", "key " + with("sk-ant-", 40) + ".", "key ***."},
      {"Stripe", with("sk_live_", 24), "***"},
      {"Slack", with("xoxb-", 30), "***"},
      {"AWS key id", "id AKIA" + std::string(16, 'A') + "!", "id ***!"},
      {"Google", with("AIza", 35), "***"},
      {"JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJl", "***"},
      {"too short for a token", "sk-short ghp_x", "sk-short ghp_x"},
      {"inside a word is none", "task-" + std::string(30, 'x'), "task-" + std::string(30, 'x')},
      {"assignment", "API_TOKEN=abc123 make", "API_TOKEN=*** make"},
      {"assignment in quotes", "export DB_PASSWORD='a b c' x", "export DB_PASSWORD='***' x"},
      {"JSON", R"({"password": "a b", "user": "u"})", R"({"password": "***", "user": "u"})"},
      {"YAML", "client_secret: abc\nuser: me", "client_secret: ***\nuser: me"},
      {"option and value", "login --password hunter2 --user me", "login --password *** --user me"},
      {"option with =", "login --api-key=abc --user me", "login --api-key=*** --user me"},
      {"query of a URL", "https://h/x?access_token=abc&page=2", "https://h/x?access_token=***&page=2"},
      {"header", "Authorization: Bearer abc.def", "Authorization: Bearer ***"},
      {"header, basic", "authorization: Basic dTpw", "authorization: Basic ***"},
      {"bearer alone", "curl -H 'X: Bearer abcdefgh1234'", "curl -H 'X: Bearer ***'"},
      {"the word alone", "the token is missing", "the token is missing"},
      {"how many, not which", "max_tokens=4096", "max_tokens=4096"},
      {"where, not what", "token_file=/run/token", "token_file=/run/token"},
      {"password in a URL", "postgres://me:pass@db/x", "postgres://me:***@db/x"},
      {"user in a URL", "https://me@host/x", "https://me@host/x"},
      {"port in a URL", "https://host:80/a@b", "https://host:80/a@b"},
      {"password with an @", "ftp://u:p@ss@host/", "ftp://u:***@host/"},
      {"private key", "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb", "a\n***\nb"},
      {"private key, cut off", "-----BEGIN PRIVATE KEY-----\nMII", "***"},
      {"certificate", "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----",
       "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----"},
      {"two of them", "TOKEN=a SECRET=b", "TOKEN=*** SECRET=***"},
      {"curl's user", "curl -u me:hunter2 https://h/", "curl -u me:*** https://h/"},
      {"curl's user, in quotes", "curl --user 'me:hun ter' https://h/", "curl --user 'me:***' https://h/"},
      {"a user without a password", "curl -u me https://h/", "curl -u me https://h/"},
      {"sshpass", "sshpass -p hunter2 ssh h", "sshpass -p *** ssh h"},
      {"mysql", "mysql -u root -phunter2 db", "mysql -u root -p*** db"},
      {"docker login", "docker login -u me -p hunter2 r.example", "docker login -u me -p *** r.example"},
      {"docker's ports are none", "docker run -p 8080:80 image", "docker run -p 8080:80 image"},
      {"another command's option", "sshpass -f f ssh h; mkdir -p dir", "sshpass -f f ssh h; mkdir -p dir"},
      {"openssl", "openssl rsa -passin pass:hunter2", "openssl rsa -passin pass:***"},
      {"cookie", "curl -H 'Cookie: session=abc'", "curl -H 'Cookie: ***'"},
      {"a key that looks random", "SIGNING_KEY=a1b2c3d4e5f6a7b8 make", "SIGNING_KEY=*** make"},
      {"a key that does not", "sort --key=2 --cache-key=deps-v1", "sort --key=2 --cache-key=deps-v1"},
      {"the shell's directory", "PWD=/home/me make", "PWD=/home/me make"},
      {"curl's user, attached", "curl -ume:hunter2 https://h", "curl -ume:*** https://h"},
      {"names that end so", "MYSQL_PWD=x SSHPASS=y BECOME_PASS=z", "MYSQL_PWD=*** SSHPASS=*** BECOME_PASS=***"},
      {"set", "aws configure set aws_secret_access_key hunter2", "aws configure set aws_secret_access_key ***"},
      {"a name in brackets", "os.environ['API_SECRET']='hunter2'", "os.environ['API_SECRET']='***'"},
      {"smbclient", "smbclient //h/s -U me%hunter2", "smbclient //h/s -U me%***"},
      {"ssh-keygen", "ssh-keygen -N hunter2 -f k", "ssh-keygen -N *** -f k"},
      {"a token as the user of a URL", "git clone https://a1b2c3d4e5f6a7b8@h/x", "git clone https://***@h/x"},
      {"a blank behind a backslash", "curl -H Authorization:Bearer\\ abcdefgh1", "curl -H Authorization:Bearer\\ ***"},
      {"options that end in pass", "wp config create --dbpass=hunter2", "wp config create --dbpass=***"},
      {"an option that does not", "chmod --bypass=x", "chmod --bypass=x"},
      {"a compass", "compass=north author=me", "compass=north author=me"},
  };
  return all;
}

TEST(Mask, TakesSecretsOutOfText) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(Mask().apply(c.in), c.want);
    EXPECT_EQ(Mask().apply(c.want), c.want) << "and finds nothing more in what it made";
  }
}

TEST(Mask, TakesSecretsOutOfJson) {
  const struct {
    const char* note;
    const char* in;
    const char* want;
  } kCases[] = {
      {"by the text", R"(["TOKEN=a",1,null,true])", R"(["TOKEN=***",1,null,true])"},
      {"by the name", R"({"env":{"API_KEY":"abc","HOME":"/h"}})", R"({"env":{"API_KEY":"***","HOME":"/h"}})"},
      {"numbers under a telling name stay", R"({"token_budget":5,"password":7})", R"({"token_budget":5,"password":7})"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(Mask().apply(*Json::parse(c.in)).dump(), c.want);
  }
}

TEST(Mask, TakesOutWhatTheUserSays) {
  const struct {
    const char* note;
    std::vector<std::string> patterns;
    const char* in;
    const char* want;
  } kCases[] = {
      {"a word it is found in", {"acme-[0-9]+"}, "use (acme-77) now", "use *** now"},
      {"in quotes", {"acme"}, "x='acme 1' y", "x='*** 1' y"},
      {"one of several", {"aa", "bb"}, "aa b bb\nc", "*** b ***\nc"},
      {"nothing found", {"acme"}, "a  b\n", "a  b\n"},
      {"empty ones mask nothing", {"", " "}, "a b", "a b"},
      {"no regular expression: itself", {"(acme"}, "the (acme one", "the *** one"},
      {"besides what is known", {"acme"}, "TOKEN=x acme", "TOKEN=*** ***"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(Mask(c.patterns).apply(c.in), c.want);
  }
}

}  // namespace
}  // namespace grapnel
