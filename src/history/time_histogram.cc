#include "history/time_histogram.h"

#include <algorithm>
#include <bit>

namespace grapnel {

namespace {

// The first 16 steps are 0 to 15 µs. From there on, each power of two has 16 steps.
constexpr int kStepBits = 4;
constexpr uint64_t kStepsPerPower = uint64_t{1} << kStepBits;
/// 2^40 µs are twelve days. Longer times are counted in the last step.
constexpr int kMaxPower = 40;
constexpr size_t kSteps = (kMaxPower - kStepBits + 1) * kStepsPerPower;

size_t step_of(std::chrono::microseconds took) {
  const auto us = static_cast<uint64_t>(std::max<int64_t>(took.count(), 0));
  if (us < kStepsPerPower) return us;
  const int power = static_cast<int>(std::bit_width(us)) - 1;
  if (power >= kMaxPower) return kSteps - 1;
  const uint64_t within = (us >> (power - kStepBits)) - kStepsPerPower;
  return static_cast<size_t>(power - kStepBits + 1) * kStepsPerPower + within;
}

/// The middle of a step.
std::chrono::microseconds middle_of(size_t step) {
  if (step < kStepsPerPower) return std::chrono::microseconds(step);
  const size_t shift = step / kStepsPerPower - 1;
  const uint64_t first = (kStepsPerPower + step % kStepsPerPower) << shift;
  return std::chrono::microseconds(first + ((uint64_t{1} << shift) - 1) / 2);
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
void append_number(std::string& out, uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(0x80 | (number & 0x7f));
  out += static_cast<char>(number);
}

/// Takes a number from the front. Returns false if there is none.
bool take_number(std::string_view& bytes, uint64_t& number) {
  number = 0;
  for (int shift = 0; !bytes.empty() && shift < 63; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace

void TimeHistogram::add_to_step(size_t step, int64_t count) {
  if (steps_.size() <= step) steps_.resize(step + 1);
  steps_[step] += count;
  count_ += count;
}

void TimeHistogram::add(std::chrono::microseconds took, int64_t count) {
  add_to_step(step_of(took), count);
}

void TimeHistogram::add(const TimeHistogram& other) {
  for (size_t step = 0; step < other.steps_.size(); ++step) {
    if (other.steps_[step] > 0) add_to_step(step, other.steps_[step]);
  }
}

std::chrono::microseconds TimeHistogram::percentile(size_t percent) const {
  if (count_ == 0) return std::chrono::microseconds(0);
  // The same place as in a sorted list of all times.
  int64_t before = (count_ - 1) * static_cast<int64_t>(percent) / 100;
  for (size_t step = 0; step < steps_.size(); ++step) {
    if (before < steps_[step]) return middle_of(step);
    before -= steps_[step];
  }
  return middle_of(steps_.size() - 1);
}

/// Pairs: how many steps further, and how many times in that step.
std::string TimeHistogram::to_bytes() const {
  std::string bytes;
  size_t last = 0;
  for (size_t step = 0; step < steps_.size(); ++step) {
    if (steps_[step] == 0) continue;
    append_number(bytes, step - last);
    append_number(bytes, static_cast<uint64_t>(steps_[step]));
    last = step;
  }
  return bytes;
}

void TimeHistogram::add_bytes(std::string_view bytes) {
  size_t step = 0;
  for (uint64_t further = 0, count = 0; take_number(bytes, further) && take_number(bytes, count);) {
    step += further;
    if (step >= kSteps) return;
    add_to_step(step, static_cast<int64_t>(count));
  }
}

}  // namespace grapnel
