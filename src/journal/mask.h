#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

/// What must not be written down is taken out before it is: every secret becomes `***`.
///
///   keys and tokens by their shape    ghp_…, sk-…, AKIA…, AIza…, xoxb-…, eyJ….….…
///   PEM blocks of private keys        as a whole
///   passwords in URLs                 https://user:***@host
///   values of telling names           API_TOKEN=***, "password": "***", --secret ***, Authorization: Bearer ***
///
/// By hand, since it is done at every event and compiling patterns would cost more than the event. Thread: any.
namespace grapnel {

std::string mask_secrets(std::string_view text);

/// Every string in it; what stands under a telling name as a whole.
Json mask_secrets(const Json& value);

}  // namespace grapnel
