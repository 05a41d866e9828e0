#pragma once

#include "grapnel/record.h"

#include "record/mask.h"

namespace grapnel {

/// A record as it may be written: secrets masked, texts no longer than they have to be, and of the payload what is
/// wanted.
Record fit_for_storage(Record record, const Mask& mask, KeepPayloads payloads);

/// One line of JSON, without its end. `lost_before`: how many records before it could not be written.
std::string record_text(const Record& record, uint64_t lost_before = 0);

}  // namespace grapnel
