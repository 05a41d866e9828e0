#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/environment.h"
#include "cli/console.h"
#include "fleet/central_store.h"

/// Where exported records go: to a collector of OpenTelemetry, or as lines of JSON into a file or a pipe.
namespace grapnel::cli {

class ExportSink {
 public:
  virtual ~ExportSink() = default;

  /// Delivers all of them, or fails; then some may have arrived. Fails: Unavailable when it may succeed later; another
  /// error when people have to do something first.
  virtual Result<void> deliver(std::span<const fleet::CentralRecord> records) = 0;
  /// What it is called, for the file that notes how far the export is.
  virtual std::string target() const = 0;
  /// Records that the other side will never take.
  virtual int64_t refused() const { return 0; }
};

/// Sends to `URL/v1/logs` and `URL/v1/traces`, with the variables OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT (milliseconds)
/// and _CERTIFICATE as programs of OpenTelemetry read them. Fails: BadInput.
Result<std::unique_ptr<ExportSink>> make_otlp_sink(const std::string& url, const Environment& env, Console& console);

/// Appends to the file, or writes to standard output if it is `-`. The file is opened for every page, so it may be
/// renamed when it is large.
std::unique_ptr<ExportSink> make_line_sink(const std::string& file, Console& console);

}  // namespace grapnel::cli
