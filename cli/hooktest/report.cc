#include "cli/hooktest/report.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "base/text.h"
#include "cli/hook_text.h"
#include "cli/yaml_text.h"

namespace grapnel::cli {

namespace {

/// One failure in a case. All four formats are made from these.
struct Complaint {
  SourcePos at;
  std::string what;
  std::string expected;  ///< "" when nothing specific was expected
  std::string actual;
  std::string note = {};
};

/// A value as the report shows it. Null gets words of its own.
std::string shown(const std::string& name, const Json& value) {
  if (value.is_null()) return name.starts_with(fate_expectation("")) ? "no hook of that name" : "nothing";
  return yaml_text(value);
}

/// Everything that went wrong in a case: an error that stopped it, wrong values, and steps without expectations.
std::vector<Complaint> complaints_of(const CaseResult& result) {
  std::vector<Complaint> out;
  if (!result.error.empty()) out.push_back({result.error_at, result.error, "", ""});
  for (const Mismatch& mismatch : result.mismatches) {
    const Expectation& wanted = *mismatch.expectation;
    out.push_back({wanted.at, (mismatch.step.empty() ? "" : mismatch.step + ": ") + wanted.name,
                   shown(wanted.name, wanted.want), shown(wanted.name, mismatch.got), mismatch.note});
  }
  for (const Unexpecting& unexpecting : result.unexpecting) {
    out.push_back({unexpecting.step->at, "this step expects nothing; run with --update to write what happens", "", ""});
  }
  return out;
}

std::string complaint_text(const Complaint& complaint) {
  std::string out = place_text(complaint.at) + ": " + printable(complaint.what) + "\n";
  if (complaint.expected.empty()) return out;
  out += "  expected: " + printable(complaint.expected) + "\n  actual:   " + printable(complaint.actual) + "\n";
  return complaint.note.empty() ? out : out + "  note:     " + printable(complaint.note) + "\n";
}

/// The text with `indent` in front of every line.
std::string indented(const std::string& text, std::string_view indent) {
  std::string out;
  for (const std::string_view line : text::split(text::trim(text), '\n')) {
    out += std::string(indent) + std::string(line) + "\n";
  }
  return out;
}

std::string complaints_text(const CaseResult& result) {
  std::string out;
  for (const Complaint& complaint : complaints_of(result)) out += complaint_text(complaint);
  return out;
}

/// How many cases did not pass.
size_t count_failed(const CaseResults& results) {
  return static_cast<size_t>(std::ranges::count_if(results, [](const CaseResult& r) { return !r.passed(); }));
}

/// The last line of the text report.
std::string total_text(const CaseResults& results) {
  const size_t failed = count_failed(results);
  if (results.empty()) return "No case was run.\n";
  if (failed == 0) return count_text(results.size(), "case") + " passed.\n";
  return std::to_string(failed) + " of " + count_text(results.size(), "case") + " failed.\n";
}

/// A time as JUnit wants it: seconds with three decimals.
std::string seconds(std::chrono::microseconds took) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(3) << std::chrono::duration<double>(took).count();
  return out.str();
}

/// Text for XML. Control characters are not allowed in XML 1.0, even as entities, so they become question marks. A line
/// break is written as an entity, because parsers would turn it into a blank in an attribute.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : text::escape_markup(text::to_valid_utf8(text))) {
    if (c == '\n') {
      out += "&#10;";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    }
  }
  return out;
}

/// One case. JUnit distinguishes an `error`, when the test could not run, from a `failure`, when something unexpected
/// happened.
std::string junit_case(const CaseResult& result) {
  std::string out = "    <testcase name=\"" + xml(result.test->name) + "\" classname=\"" +
                    xml(short_path(result.fixture->path)) + "\" time=\"" + seconds(result.took) + "\"";
  if (result.passed()) return out + "/>\n";
  const auto complaints = complaints_of(result);
  const bool is_error = !result.error.empty();
  const std::string element = is_error ? "error" : "failure";
  return out + ">\n      <" + element + " message=\"" + xml(complaints.front().what) + "\">" +
         xml(complaints_text(result)) + "</" + element + ">\n    </testcase>\n";
}

/// Calls `each` with the results of each file. Results of one file are next to each other.
template <typename Each>
void for_each_file(const CaseResults& results, Each each) {
  for (auto first = results.begin(); first != results.end();) {
    const auto last = std::find_if(first, results.end(), [&](const auto& r) { return r.fixture != first->fixture; });
    each(CaseResults(first, last));
    first = last;
  }
}

}  // namespace

// Every case is listed, also those that passed, so that people see what was run.
std::string text_report(const CaseResults& results, const Console& console) {
  std::string out;
  for_each_file(results, [&](const CaseResults& file) {
    out += console.styled(Style::Bold, printable(short_path(file.front().fixture->path))) + "\n";
    for (const CaseResult& result : file) {
      out += "  " + (result.passed() ? console.styled(Style::Green, "ok  ") : console.styled(Style::Red, "FAIL")) +
             " " + printable(result.test->name) + "\n" +
             (result.passed() ? "" : indented(complaints_text(result), "       "));
    }
  });
  return out + total_text(results);
}

// Details of a failure are comments, which TAP ignores and people read.
std::string tap_report(const CaseResults& results) {
  std::string out = "TAP version 13\n1.." + std::to_string(results.size()) + "\n";
  for (size_t i = 0; i < results.size(); ++i) {
    const CaseResult& result = results[i];
    std::string name = printable(short_path(result.fixture->path) + ": " + result.test->name);
    std::ranges::replace(name, '#', '-');  // TAP would read the text after it as a directive
    out += std::string(result.passed() ? "ok " : "not ok ") + std::to_string(i + 1) + " - " + name + "\n";
    if (!result.passed()) out += indented(complaints_text(result), "# ");
  }
  return out;
}

std::string junit_report(const CaseResults& results) {
  std::string suites;
  for_each_file(results, [&](const CaseResults& file) {
    std::chrono::microseconds took{0};
    std::string cases;
    // A case with an error is not counted as a failure: JUnit wants the two numbers separately.
    const auto errors = std::ranges::count_if(file, [](const CaseResult& r) { return !r.error.empty(); });
    for (const CaseResult& result : file) {
      took += result.took;
      cases += junit_case(result);
    }
    suites += "  <testsuite name=\"" + xml(short_path(file.front().fixture->path)) + "\" tests=\"" +
              std::to_string(file.size()) + "\" failures=\"" +
              std::to_string(static_cast<std::ptrdiff_t>(count_failed(file)) - errors) + "\" errors=\"" +
              std::to_string(errors) + "\" time=\"" + seconds(took) + "\">\n" + cases + "  </testsuite>\n";
  });
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites + "</testsuites>\n";
}

Json json_report(const CaseResults& results) {
  std::vector<Json> cases;
  for (const CaseResult& result : results) {
    std::vector<Json> failures;
    for (const Complaint& complaint : complaints_of(result)) {
      const auto text = [](const std::string& value) { return value.empty() ? Json() : Json::string(value); };
      failures.push_back(Json::object({{"at", to_json(complaint.at)},
                                       {"what", Json::string(complaint.what)},
                                       {"expected", text(complaint.expected)},
                                       {"actual", text(complaint.actual)}}));
    }
    cases.push_back(Json::object({{"file", Json::string(result.fixture->path)},
                                  {"name", Json::string(result.test->name)},
                                  {"ok", Json::boolean(result.passed())},
                                  {"us", Json::number(int64_t{result.took.count()})},
                                  {"failures", failures.empty() ? Json() : Json::array(failures)}}));
  }
  return Json::object({{"ok", Json::boolean(count_failed(results) == 0)}, {"cases", Json::array(cases)}});
}

}  // namespace grapnel::cli
