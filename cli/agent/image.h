#pragma once

#include <string>

#include "grapnel_agent/model.h"

namespace grapnel::cli {

/// A picture for a prompt. Fails: as reading does; BadInput when it is no PNG, JPEG, GIF or WebP.
Result<llm::ImagePart> load_image(const std::string& path);

}  // namespace grapnel::cli
