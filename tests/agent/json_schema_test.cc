#include "agent/json_schema.h"

#include "agent/tool_bench.h"

namespace grapnel::agent {

namespace {

struct Case {
  const char* note;
  const char* schema;
  const char* value;
  const char* want;  ///< "" when it fits
};

TEST(JsonSchema, SaysWhatIsWrongAndWhere) {
  const Case cases[] = {
      {"no schema, no demands", R"({})", R"([1, null])", ""},
      {"a type", R"({"type": "string"})", R"("x")", ""},
      {"another type", R"({"type": "string"})", R"(7)", "the input must be string, not integer"},
      {"several types", R"({"type": ["string", "integer"]})", R"(7)", ""},
      {"none of several", R"({"type": ["string", "integer"]})", R"([])",
       "the input must be string or integer, not array"},
      {"a whole number is a number", R"({"type": "number"})", R"(7)", ""},
      {"a number need not be whole", R"({"type": "integer"})", R"(7.5)", "the input must be integer, not number"},
      {"7.0 is whole", R"({"type": "integer"})", R"(7.0)", ""},
      {"a string is no number", R"({"type": "integer"})", R"("7")", "the input must be integer, not string"},
      {"null is a type of its own", R"({"type": "object"})", R"(null)", "the input must be object, not null"},
      {"boolean", R"({"type": "boolean"})", R"("true")", "the input must be boolean, not string"},
      {"a member", R"({"properties": {"a": {"type": "string"}}})", R"({"a": 1})", "/a must be string, not integer"},
      {"a member that may be left out", R"({"properties": {"a": {"type": "string"}}})", R"({})", ""},
      {"a member that is missing", R"({"required": ["a"]})", R"({"b": 1})", "/a is missing"},
      {"null is there", R"({"required": ["a"]})", R"({"a": null})", ""},
      {"others are welcome", R"({"properties": {"a": {}}})", R"({"b": 1})", ""},
      {"or not", R"({"properties": {"a": {}}, "additionalProperties": false})", R"({"a": 1, "b": 1})",
       "/b is not a known property"},
      {"elements", R"({"items": {"type": "string"}})", R"(["a", "b"])", ""},
      {"the third element", R"({"items": {"type": "string"}})", R"(["a", "b", 3])", "/2 must be string, not integer"},
      {"deep inside", R"({"properties": {"l": {"items": {"required": ["x"]}}}})", R"({"l": [{"x": 1}, {}]})",
       "/l/1/x is missing"},
      {"names are escaped", R"({"properties": {"a/b~": {"type": "string"}}})", R"({"a/b~": 1})",
       "/a~1b~0 must be string, not integer"},
      {"one of", R"({"enum": ["a", 1]})", R"(1)", ""},
      {"none of", R"({"enum": ["a", 1]})", R"("b")", R"(the input must be one of "a", 1)"},
      {"least", R"({"minimum": 1})", R"(1)", ""},
      {"less than that", R"({"minimum": 1})", R"(0)", "the input must be at least 1"},
      {"most", R"({"maximum": 10})", R"(10.5)", "the input must be at most 10"},
      {"not empty", R"({"minLength": 1})", R"("")", "the input must not be empty"},
      {"characters, not bytes", R"({"minLength": 2})", R"("é")", "the input must have at least 2 characters"},
      {"long enough", R"({"minLength": 2})", R"("éé")", ""},
      {"too few elements", R"({"minItems": 2})", R"([1])", "the input must have at least 2 elements"},
      {"limits are for their own types", R"({"minimum": 1, "minLength": 1, "minItems": 1})", R"({})", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(violation(parse(c.value), parse(c.schema)).value_or(""), c.want);
  }
}

}  // namespace

}  // namespace grapnel::agent
