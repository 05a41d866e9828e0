#include "object_scan.h"

/* Handles a byte before the object: white space and a byte-order mark are skipped, and `{` starts the object. */
static void scan_start(struct ObjectScan* scan, char c) {
  static const char kBom[] = "\xEF\xBB\xBF";
  const bool is_bom = scan->bom < sizeof kBom - 1 && c == kBom[scan->bom];
  if (is_bom) ++scan->bom;
  if (is_bom || c == ' ' || (c >= '\t' && c <= '\r')) return;
  scan->state = c == '{' ? kObjectInside : kObjectMissing;
  scan->depth = 1;
}

/* The next two functions see every byte of a payload, so their loops work on local variables.
 *
 * Skips the inside of a string, up to and including its closing quote, or up to a backslash; the byte after a backslash
 * is skipped by the next call, which may be in the next piece of input. */
static size_t skip_string(struct ObjectScan* scan, const char* bytes, size_t size, size_t at) {
  if (scan->is_escaped) {
    scan->is_escaped = false;
    return at + 1;
  }
  while (at < size && bytes[at] != '"' && bytes[at] != '\\') ++at;
  if (at == size) return at;
  scan->in_string = bytes[at] != '"';
  scan->is_escaped = scan->in_string;
  return at + 1;
}

/* Skips what is outside of strings and counts brackets, until a string begins or the object ends. Braces and square
 * brackets share one counter: whether they match is for the JSON parser to find out. */
static size_t skip_structure(struct ObjectScan* scan, const char* bytes, size_t size, size_t at) {
  size_t depth = scan->depth;
  bool is_over = false;
  while (at < size && !is_over) {
    const char c = bytes[at++];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    scan->in_string = c == '"';
    is_over = depth == 0 || scan->in_string;
  }
  scan->depth = depth;
  if (depth == 0) scan->state = kObjectDone;
  return at;
}

enum ObjectState scan_object(struct ObjectScan* scan, const char* bytes, size_t size) {
  size_t at = 0;
  while (at < size && (scan->state == kObjectBefore || scan->state == kObjectInside)) {
    if (scan->state == kObjectBefore) {
      scan_start(scan, bytes[at++]);
    } else if (scan->in_string) {
      at = skip_string(scan, bytes, size, at);
    } else {
      at = skip_structure(scan, bytes, size, at);
    }
  }
  scan->length += at;
  return scan->state;
}
