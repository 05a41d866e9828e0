#include "fleet/tls.h"

#include <memory>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "base/error.h"

namespace grapnel::fleet {

namespace {

constexpr long kTenYears = 10L * 365 * 24 * 3600;

using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using PrivateKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

/// The text that a function writes into a BIO.
template <typename Write>
std::string pem_of(Write write) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> out(BIO_new(BIO_s_mem()), BIO_free);
  if (!out || write(out.get()) != 1) return "";
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out.get(), &bytes);
  return {bytes, static_cast<size_t>(size)};
}

bool add_extension(X509* certificate, X509* issuer, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
      X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str()), X509_EXTENSION_free);
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool set_random_serial(X509* certificate) {
  const std::unique_ptr<BIGNUM, decltype(&BN_free)> number(BN_new(), BN_free);
  return number && BN_rand(number.get(), 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
         BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

/// A certificate without extensions and signature.
Certificate draft(EVP_PKEY* key, const char* name, X509* issuer) {
  Certificate out(X509_new(), X509_free);
  if (!out) return out;
  X509_NAME* subject = X509_get_subject_name(out.get());
  const auto* const text = reinterpret_cast<const unsigned char*>(name);
  const bool is_filled =
      X509_set_version(out.get(), 2) == 1 && set_random_serial(out.get()) &&
      X509_gmtime_adj(X509_getm_notBefore(out.get()), -3600) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(out.get()), kTenYears) != nullptr && X509_set_pubkey(out.get(), key) == 1 &&
      X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, text, -1, -1, 0) == 1 &&
      X509_set_issuer_name(out.get(), issuer == nullptr ? subject : X509_get_subject_name(issuer)) == 1;
  if (!is_filled) out.reset();
  return out;
}

Certificate make_authority(EVP_PKEY* key) {
  Certificate out = draft(key, "grapnel fleet", nullptr);
  const bool is_made = out &&
                       add_extension(out.get(), out.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
                       add_extension(out.get(), out.get(), NID_key_usage, "critical,keyCertSign") &&
                       add_extension(out.get(), out.get(), NID_subject_key_identifier, "hash") &&
                       X509_sign(out.get(), key, EVP_sha256()) > 0;
  if (!is_made) out.reset();
  return out;
}

bool is_address(const std::string& host) {
  return host.find_first_not_of("0123456789.") == std::string::npos || host.contains(':');
}

Certificate make_certificate(EVP_PKEY* key, X509* authority, EVP_PKEY* authority_key,
                             const std::vector<std::string>& hosts) {
  std::string names;
  for (const std::string& host : hosts) {
    names += (names.empty() ? "" : ",") + std::string(is_address(host) ? "IP:" : "DNS:") + host;
  }
  Certificate out = draft(key, "grapnel fleet server", authority);
  const bool is_made = out && add_extension(out.get(), authority, NID_basic_constraints, "critical,CA:FALSE") &&
                       add_extension(out.get(), authority, NID_ext_key_usage, "serverAuth,clientAuth") &&
                       add_extension(out.get(), authority, NID_authority_key_identifier, "keyid") &&
                       add_extension(out.get(), authority, NID_subject_alt_name, names) &&
                       X509_sign(out.get(), authority_key, EVP_sha256()) > 0;
  if (!is_made) out.reset();
  return out;
}

}  // namespace

Result<TlsFiles> make_tls(const std::vector<std::string>& hosts) {
  const PrivateKey authority_key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const PrivateKey key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const Certificate authority = authority_key ? make_authority(authority_key.get()) : Certificate(nullptr, X509_free);
  const Certificate certificate = authority && key
                                      ? make_certificate(key.get(), authority.get(), authority_key.get(), hosts)
                                      : Certificate(nullptr, X509_free);
  if (!certificate) return fail(Errc::System, "OpenSSL cannot make a certificate for these hosts");
  return TlsFiles{
      .authority = pem_of([&](BIO* out) { return PEM_write_bio_X509(out, authority.get()); }),
      .certificate = pem_of([&](BIO* out) { return PEM_write_bio_X509(out, certificate.get()); }),
      .key = pem_of(
          [&](BIO* out) { return PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr); }),
  };
}

}  // namespace grapnel::fleet
