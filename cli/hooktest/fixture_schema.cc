#include "cli/hooktest/fixture.h"
#include "dialect/dialect.h"

namespace grapnel::cli {

namespace {

/// The fixed part of the schema. The dialects and the expectations are added from their tables, so they cannot be
/// forgotten here. The keys have to be those that the reader in fixture.cc accepts.
constexpr const char* kFrame = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Tests of hooks",
  "type": "object",
  "required": ["version", "cases"],
  "additionalProperties": false,
  "properties": {
    "version": {"const": 1},
    "project": {"type": "string", "description": "the project under test, relative to this file"},
    "copy": {"type": "array", "items": {"type": "string"}, "description": "the parts of the project its hooks need"},
    "files": {"$ref": "#/$defs/files"},
    "env": {"$ref": "#/$defs/env"},
    "hooks": {"$ref": "#/$defs/hooks"},
    "answers": {"$ref": "#/$defs/answers"},
    "cases": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/case"}}
  },
  "$defs": {
    "case": {
      "type": "object",
      "required": ["name"],
      "additionalProperties": false,
      "properties": {
        "name": {"type": "string"},
        "files": {"$ref": "#/$defs/files"},
        "env": {"$ref": "#/$defs/env"},
        "hooks": {"$ref": "#/$defs/hooks"},
        "answers": {"$ref": "#/$defs/answers"},
        "event": {"$ref": "#/$defs/event"},
        "as": {"$ref": "#/$defs/dialect"},
        "input": {"$ref": "#/$defs/input"},
        "expect": {"$ref": "#/$defs/expect"},
        "steps": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/step"}}
      }
    },
    "step": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "name": {"type": "string"},
        "event": {"$ref": "#/$defs/event"},
        "as": {"$ref": "#/$defs/dialect"},
        "input": {"$ref": "#/$defs/input"},
        "expect": {"$ref": "#/$defs/expect"}
      }
    },
    "event": {"type": "string", "description": "the canonical name, or the dialect's own"},
    "input": {"type": ["object", "string"], "description": "the payload, or its JSON text"},
    "files": {
      "type": "object",
      "description": "by path in the scratch project, or in the scratch home with ~/",
      "additionalProperties": {"anyOf": [
        {"type": ["string", "null"]},
        {"type": "object",
         "additionalProperties": false,
         "properties": {
           "content": {"type": "string"},
           "symlink": {"type": "string"},
           "mode": {"type": ["string", "integer"], "description": "octal digits"}}}]}
    },
    "env": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "null"]}},
    "hooks": {
      "type": "array",
      "description": "instead of the project's own hook files",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "properties": {
          "dialect": {"$ref": "#/$defs/dialect"},
          "file": {"type": "string", "description": "relative to this file"},
          "settings": {"type": "object"}}}
    },
    "answers": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "model": {"type": "string", "description": "the model's answer to prompt and agent hooks"},
        "server": {
          "type": "object",
          "description": "the reply that http hooks get",
          "additionalProperties": false,
          "properties": {
            "status": {"type": "integer"},
            "content_type": {"type": "string"},
            "body": {"type": ["string", "object"]}}}}
    },
    "text": {
      "description": "a part of it, /a regular expression/, or a list of these; null: there is none",
      "anyOf": [{"type": ["string", "null"]}, {"type": "array", "items": {"type": "string"}}]
    },
    "expect": {"type": "object", "additionalProperties": false}
  }
})";

/// The schema for the value of one expectation.
Json schema_of(const ExpectationRow& row) {
  const auto type = [](const char* json) { return Json::parse(json).value_or(Json()); };
  switch (row.comparison) {
    case Comparison::Text:
      return type(R"({"$ref": "#/$defs/text"})");
    case Comparison::Flag:
      return type(R"({"type": "boolean"})");
    case Comparison::Fates:
      return type(R"({"type": "object", "additionalProperties": {"type": ["string", "null"],
                      "pattern": "^(ran|failed|skipped|detached)(\\(.*\\))?$"}})");
    case Comparison::Word:
      return type(row.name == "verdict" ? R"({"enum": ["pass", "allow", "ask", "deny"]})"
                                        : R"({"type": ["string", "null"]})");
    case Comparison::Value:
      break;
  }
  return Json::object({});
}

}  // namespace

// The frame has an empty "expect" and no "dialect"; both are filled in here.
Json fixture_schema() {
  Json schema = Json::parse(kFrame).value_or(Json());
  std::vector<Json> names;
  for (const Dialect* dialect : all_dialects()) names.push_back(Json::string(dialect->name));
  schema = schema.with_pointer("/$defs/dialect", Json::object({{"enum", Json::array(names)}}));
  for (const ExpectationRow& row : expectation_rows()) {
    schema = schema.with_pointer("/$defs/expect/properties/" + std::string(row.name),
                                 schema_of(row).with("description", Json::string(row.about)));
  }
  return schema;
}

}  // namespace grapnel::cli
