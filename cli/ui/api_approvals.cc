#include "base/error.h"
#include "cli/ui/api.h"

namespace grapnel::cli {

Answer list_approvals(Ui&, const HttpRequest&) {
  return Json::object({{"waiting", Json::array()}, {"settings", Json::object({{"enabled", Json::boolean(false)}})}});
}

Answer answer_approval(Ui&, const HttpRequest&) {
  return fail(Errc::Cancelled, "this question is over");
}

}  // namespace grapnel::cli
