#pragma once

#include "history/timeline.h"

/// For those who count records themselves while they read them.
namespace grapnel {

/// An overview of a span without any events. If `by_hour`, no hour is divided.
Overview empty_overview(const TimeSpan& span, size_t steps, bool by_hour);
void add_events(Overview& overview, int64_t time, int64_t verdict, int64_t count);

}  // namespace grapnel
