#include "net/url.h"

#include <gtest/gtest.h>

namespace grapnel::net {
namespace {

struct GoodUrl {
  const char* text;
  bool is_secure;
  const char* login;
  const char* host;
  uint16_t port;
  const char* target;
  const char* authority;
};

TEST(Url, Parts) {
  const GoodUrl cases[] = {
      {"http://a", false, "", "a", 80, "/", "a"},
      {"HTTPS://A.Example/B?c=D#e", true, "", "a.example", 443, "/B?c=D", "a.example"},
      {"http://a:8080/x", false, "", "a", 8080, "/x", "a:8080"},
      {"https://a:443/x", true, "", "a", 443, "/x", "a"},
      {"http://a:80?q", false, "", "a", 80, "/?q", "a"},
      {"http://a:/", false, "", "a", 80, "/", "a"},
      {"http://[::1]:81/x", false, "", "::1", 81, "/x", "[::1]:81"},
      {"http://[::1]", false, "", "::1", 80, "/", "[::1]"},
      {"http://me:p%40ss@a/", false, "me:p@ss", "a", 80, "/", "a"},
      {"http://me@you@a/", false, "me@you", "a", 80, "/", "a"},
      {"http://a#/not/a/path", false, "", "a", 80, "/", "a"},
      {"http://127.1/", false, "", "127.0.0.1", 80, "/", "127.0.0.1"},
      {"http://0x7f.1:5/", false, "", "127.0.0.1", 5, "/", "127.0.0.1:5"},
      {"http://2130706433/", false, "", "127.0.0.1", 80, "/", "127.0.0.1"},
      {"http://a?b@c", false, "", "a", 80, "/?b@c", "a"},
  };
  for (const GoodUrl& c : cases) {
    SCOPED_TRACE(c.text);
    const auto url = parse_url(c.text);
    ASSERT_TRUE(url.has_value()) << url.error();
    EXPECT_EQ(url->is_secure, c.is_secure);
    EXPECT_EQ(url->login, c.login);
    EXPECT_EQ(url->host, c.host);
    EXPECT_EQ(url->port, c.port);
    EXPECT_EQ(url->target, c.target);
    EXPECT_EQ(url->authority(), c.authority);
  }
}

TEST(Url, Mistakes) {
  for (const char* text :
       {"", "a", "file:///etc/hostname", "ftp://a/", "http:///x", "http://", "http://:80/", "http://a:0/",
        "http://a:65536/", "http://a:1x/", "http://a b/", "http://a/b c", "http://a/\r\nX: 1", "http://a/\xc3\xa4",
        "http://[::1", "http://[a]/", "http://[::1]x/", "http://a\\b/", "http://me:secret@/"}) {
    SCOPED_TRACE(text);
    const auto url = parse_url(text);
    ASSERT_FALSE(url.has_value());
    EXPECT_EQ(url.error().find("secret"), std::string::npos);
  }
  EXPECT_TRUE(parse_url("proxy:3128", "http").has_value());
}

struct NoProxyCase {
  const char* host;
  const char* list;
  bool want;
};

TEST(Url, NoProxy) {
  const NoProxyCase cases[] = {
      {"a.example", "", false},
      {"a.example", "*", true},
      {"a.example", "b.example,a.example", true},
      {"A.example", " a.EXAMPLE ", true},
      {"x.a.example", "a.example", true},
      {"x.a.example", ".a.example", true},
      {"a.example", ".a.example", true},
      {"ba.example", "a.example", false},
      {"10.1.2.3", "10.0.0.0/8", true},
      {"11.1.2.3", "10.0.0.0/8", false},
      {"10.1.2.3", "10.1.2.3", true},
      {"10.1.2.3", "2.3", false},
      {"192.168.5.1", "192.168.4.0/23", true},
      {"192.168.6.1", "192.168.4.0/23", false},
      {"::1", "[::1]", true},
      {"fd00::5", "fd00::/8", true},
      {"10.1.2.3", "10.0.0.0/99", false},
  };
  for (const NoProxyCase& c : cases) {
    EXPECT_EQ(is_in_no_proxy(c.host, c.list), c.want) << c.host << " in " << c.list;
  }
}

}  // namespace
}  // namespace grapnel::net
