#include "base/error.h"
#include "fleet/sql.h"

namespace grapnel::fleet {

Result<std::unique_ptr<Sql>> open_postgres(const std::string&) {
  return fail(Errc::NotFound, "this program was built without PostgreSQL; build it with libpq-dev installed");
}

}  // namespace grapnel::fleet
