#pragma once

#include "grapnel/record.h"

#include "mask/mask.h"

namespace grapnel {

/// The record as it may be written: secrets are masked, long texts are cut, and of the payload only the part is kept
/// that the user wants (`KeepPayloads`).
Record fit_for_storage(Record record, const Mask& mask, KeepPayloads payloads);

/// The record as one line of JSON, without a newline. `lost_before` is the number of earlier records that could not be
/// written.
std::string record_text(const Record& record, uint64_t lost_before = 0);

}  // namespace grapnel
