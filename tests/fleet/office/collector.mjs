// A collector of OpenTelemetry on loopback: it reads requests with the definitions that OpenTelemetry publishes, and
// fails when it is told to.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const packages = join(process.env.GRAPNEL_OFFICE_PACKAGES, "x");
const { opentelemetry } = createRequire(packages)("@opentelemetry/otlp-transformer/build/src/generated/root.js");
const v1 = opentelemetry.proto.collector;

const kinds = {
  "/v1/logs": v1.logs.v1.ExportLogsServiceRequest,
  "/v1/traces": v1.trace.v1.ExportTraceServiceRequest,
};

/** Ids are hexadecimal in the JSON of OTLP, and bytes in the definitions. */
const isId = (key) => key === "traceId" || key === "spanId" || key === "parentSpanId";
const convertIds = (value, convert) => {
  if (Array.isArray(value)) return value.map((one) => convertIds(one, convert));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, isId(key) ? convert(one) : convertIds(one, convert)]),
  );
};

/** What a request says, after it went through the binary form. Every member must have survived, so none is misspelt or of
 * another type than OpenTelemetry's. */
export const decode = (path, text) => {
  const kind = kinds[path];
  assert.ok(kind, `no such path: ${path}`);
  const said = JSON.parse(text);
  const message = kind.fromObject(convertIds(said, (id) => Buffer.from(id, "hex").toString("base64")));
  assert.equal(kind.verify(message), null);
  const read = kind.toObject(kind.decode(kind.encode(message).finish()), { longs: String, enums: Number, bytes: String });
  const back = convertIds(read, (id) => Buffer.from(id, "base64").toString("hex"));
  assert.deepEqual(JSON.parse(JSON.stringify(back)), said);
  return back;
};

/** `{key: value}` of a list of attributes. */
export const valuesOf = (attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]));

/**
 * Starts one, until the test `t` is over. `misbehave(request)` is asked first: it returns nothing, or what to answer instead: {status, headers, body},
 * "hang up" or "stall".
 */
export const startCollector = async (t, misbehave = () => undefined) => {
  const got = { spans: [], logs: [], requests: 0, headers: [] };
  const stalled = [];
  const collector = { got, misbehave };
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    got.requests += 1;
    const wrong = collector.misbehave({ path: request.url, text, number: got.requests });
    if (wrong === "hang up") return request.socket.destroy();
    if (wrong === "stall") return stalled.push(response);
    if (wrong && wrong.status >= 300) {
      response.writeHead(wrong.status, wrong.headers ?? {});
      return response.end(wrong.body ?? "");
    }
    assert.equal(request.headers["content-type"], "application/json");
    got.headers.push(request.headers);
    const message = decode(request.url, text);
    for (const { resource, scopeLogs } of message.resourceLogs ?? []) {
      for (const { logRecords } of scopeLogs) {
        for (const one of logRecords) got.logs.push({ resource: valuesOf(resource.attributes), ...one, values: valuesOf(one.attributes) });
      }
    }
    for (const { resource, scopeSpans } of message.resourceSpans ?? []) {
      for (const { spans } of scopeSpans) {
        for (const one of spans) got.spans.push({ resource: valuesOf(resource.attributes), ...one, values: valuesOf(one.attributes) });
      }
    }
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(wrong?.body ?? "{}");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  collector.url = `http://127.0.0.1:${server.address().port}`;
  t.after(() => {
    for (const response of stalled) response.destroy();
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return collector;
};
