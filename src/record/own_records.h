#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grapnel/record.h"

#include "base/environment.h"

/// The records of the person whose environment it is: where they are, and what is masked in them. The command and the
/// library for C write the same ones, so that `grapnel why` explains the events of both.
namespace grapnel {

/// The directory in which lost records are counted when the state directory cannot be written; "" when there is no safe
/// one.
std::string lost_records_dir(const Environment& env);

/// The regular expression of GRAPNEL_MASK: words in which it is found are masked in records, besides the secrets that
/// are recognised anyway.
std::vector<std::string> secret_patterns(const Environment& env);

/// The sink for records in the state directory. GRAPNEL_PAYLOADS decides how much of a payload is recorded.
std::unique_ptr<RecordSink> open_records(const Environment& env);

}  // namespace grapnel
