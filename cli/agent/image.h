#pragma once

#include <string>

#include "grapnel_agent/model.h"

/// Images for `--image`.
namespace grapnel::cli {

/// Loads an image for a prompt. The format is recognised by the content, not by the file's name. Fails: errors of
/// reading; BadInput if it is not PNG, JPEG, GIF or WebP.
Result<llm::ImagePart> load_image(const std::string& path);

}  // namespace grapnel::cli
