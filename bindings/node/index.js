'use strict';
// The engine for Node: events go in, decisions come out. docs/node.md explains it; index.d.ts has the types.
const native = require('./native.js');

const kDone = 0;
const kCall = 1;

/** What went wrong: `code` is the kind of failure, the message is for people. */
class GrapnelError extends Error {
  constructor(text) {
    const at = text.indexOf(': ');
    super(at < 0 ? text : text.slice(at + 2));
    this.name = 'GrapnelError';
    this.code = at < 0 ? 'internal' : text.slice(0, at);
  }
}

// Calls the compiled part and turns its errors into ours.
function call(name, ...args) {
  try {
    return native[name](...args);
  } catch (error) {
    throw new GrapnelError(error.message);
  }
}

/** What hooks decided about an event: the members of the JSON form, and a few questions that hosts ask. */
class Decision {
  constructor(json) {
    Object.assign(this, json);
  }
  get denied() {
    return this.verdict === 'deny';
  }
  /** All texts for the model, separated by blank lines. */
  get contextText() {
    return this.context.map((item) => item.text).join('\n\n');
  }
  /** The tool input after the hooks' changes. */
  inputFor(input) {
    if (this.rewrite?.input !== undefined) return this.rewrite.input;
    return this.rewrite?.input_patch ? { ...input, ...this.rewrite.input_patch } : input;
  }
}

// ---- Messages from the threads of engines: see addon.cc.

let lastId = 0;
const fired = new Map(); // id -> {resolve, reject}
const hooks = new Map(); // id -> the function and what it needs
const asked = new Map(); // number of a call -> AbortController

function hold(change) {
  const before = fired.size;
  change();
  if ((before === 0) !== (fired.size === 0)) native.hold(fired.size > 0);
}

function receive(kind, id, text, more) {
  if (kind === kDone) return finish(id, text, more);
  if (kind === kCall) return void ask(id, text, more);
  return asked.get(id)?.abort(new Error('nobody waits for this answer any more'));
}

function finish(id, decision, error) {
  const waiting = fired.get(id);
  hold(() => fired.delete(id));
  if (error !== null) return waiting.reject(new GrapnelError(error));
  return waiting.resolve(new Decision(JSON.parse(decision)));
}

// Asks a callback. Whatever it does, the question is answered once.
async function ask(id, text, [number, ticket]) {
  const controller = new AbortController();
  asked.set(number, controller);
  const note = native.watch(ticket);
  try {
    const hook = hooks.get(id);
    if (!hook) throw new Error('the callback was removed');
    const answer = await hook(JSON.parse(text), controller.signal);
    native.answer(ticket, answer === undefined ? null : JSON.stringify(answer) ?? null, note);
  } catch (error) {
    native.fail(ticket, error instanceof Error ? error.message : String(error), note);
  } finally {
    asked.delete(number);
  }
}

native.start(receive);

// ---- Options: JavaScript's spelling of names.

const snake = (name) => name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase());
function snakeMembers(object, nested = []) {
  const out = {};
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    out[snake(name)] = nested.includes(name) ? snakeMembers(value) : value;
  }
  return out;
}

const kDefaultTimeoutMs = 60_000;

/** The hook engine. Create it with `Engine.open`. */
class Engine {
  #handle;
  #isClosed = false;
  #callbacks = new Map(); // name -> id
  #counter = 0;

  constructor(handle) {
    this.#handle = handle;
  }

  /** Creates an engine and reads the hook files. Mistakes in files do not make it fail: see `problems`. */
  static async open(options = {}) {
    return Engine.openSync(options);
  }
  static openSync(options = {}) {
    return new Engine(call('open', JSON.stringify(snakeMembers(options, ['places', 'limits']))));
  }
  /** The version of Grapnel. */
  static get version() {
    return native.version;
  }

  /** Runs the hooks of an event. With a signal it can be given up; the promise is then rejected with its reason. */
  fire(event, options = {}) {
    const { dialect, name, signal } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = ++lastId;
      const firing = call('fire', this.#handle, dialect, nameOf(event, name), payloadOf(event), id);
      const giveUp = () => native.cancel(firing);
      signal?.addEventListener('abort', giveUp, { once: true });
      const settle = (how) => (value) => {
        signal?.removeEventListener('abort', giveUp);
        return signal?.aborted ? reject(signal.reason) : how(value);
      };
      hold(() => fired.set(id, { resolve: settle(resolve), reject: settle(reject) }));
    });
  }

  /** The same, but blocks the process. Not for engines with callbacks: these need the thread that would be blocked. */
  fireSync(event, options = {}) {
    if (this.#callbacks.size > 0) {
      throw new GrapnelError('refused: this engine has callbacks, and fireSync cannot call them; use fire');
    }
    const json = call('fireSync', this.#handle, options.dialect, nameOf(event, options.name), payloadOf(event));
    return new Decision(JSON.parse(json));
  }

  /**
   * Makes a function a hook: `on('PreToolUse', fn)` or `on(['PreToolUse', 'Stop'], fn, {name, tools, timeoutMs})`. It
   * gets the event and an AbortSignal, and returns an answer, a promise of one, or nothing. Returns a function that
   * removes it.
   */
  on(events, callback, options = {}) {
    if (typeof callback !== 'function') throw new TypeError('on needs a function');
    const { name = `${callback.name || 'callback'}-${++this.#counter}`, timeoutMs = kDefaultTimeoutMs, ...rest } = options;
    const id = ++lastId;
    const hook = { name, events: [events].flat(), timeout_ms: timeoutMs, ...snakeMembers(rest) };
    call('register', this.#handle, JSON.stringify(hook), id);
    hooks.set(id, callback);
    this.#callbacks.set(name, id);
    return () => this.off(name);
  }
  /** Removes a callback by its name. False if there is none. */
  off(name) {
    const id = this.#callbacks.get(name);
    if (id === undefined) return false;
    this.#callbacks.delete(name);
    hooks.delete(id);
    return native.unregister(this.#handle, name);
  }

  /** Which hooks would run for this event, which would not, and why. Runs nothing. */
  explain(event, options = {}) {
    return JSON.parse(call('explain', this.#handle, options.dialect, nameOf(event, options.name), payloadOf(event)));
  }
  /** All configured hooks. */
  hooks() {
    return JSON.parse(call('hooks', this.#handle));
  }
  /** The mistakes in hook files. */
  problems() {
    return JSON.parse(call('problems', this.#handle));
  }
  /** Reads all hook files again. */
  reload() {
    call('reload', this.#handle);
  }
  /** Switches all hooks on or off, or those with a name. */
  setEnabled(enabled, name) {
    call('enable', this.#handle, name, enabled);
  }
  get enabled() {
    return !this.#isClosed && native.isEnabled(this.#handle);
  }
  /** Starts or stops the records that `grapnel why` reads: true, false, or a directory for them. */
  journal(on) {
    call('journal', this.#handle, on !== false, typeof on === 'string' ? on : null);
  }

  /** Ends the engine. Events that are being decided are cancelled. */
  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // A callback that is asked meanwhile is still there: an event that is cancelled must not look as if a hook had failed.
    await native.close(this.#handle);
    for (const id of this.#callbacks.values()) hooks.delete(id);
    this.#callbacks.clear();
  }
  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.close();
  }
}

// The name of the event: given, or in the payload as `event`. Payloads of agents name it in their own way.
function nameOf(event, name) {
  return name ?? (typeof event === 'object' && event !== null ? event.event : undefined);
}
function payloadOf(event) {
  return typeof event === 'string' ? event : JSON.stringify(event);
}

/** What a tool can do to the machine: `readonly`, `write`, `execute` or `mcp`. */
function toolAccess(tool, dialect) {
  return native.toolAccess(dialect, tool);
}

module.exports = { Engine, Decision, GrapnelError, toolAccess };
