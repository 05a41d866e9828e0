// The language server as an editor talks to it: requests and notifications over its standard input and output.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const settings = {
  validate: true,
  hover: true,
  completion: true,
  schemaStore: { enable: false },
  customTags: [],
};

export class Server {
  #process;
  #waiting = new Map();
  #watchers = [];
  #buffer = Buffer.alloc(0);
  #next = 1;

  constructor(program) {
    this.#process = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process.stdout.on('data', (bytes) => this.#read(bytes));
  }

  async start(directory) {
    await this.request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(directory).href,
      workspaceFolders: [{ uri: pathToFileURL(directory).href, name: 'project' }],
      capabilities: {
        textDocument: {
          completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
          hover: { contentFormat: ['markdown'] },
          publishDiagnostics: {},
        },
        workspace: { configuration: true, didChangeConfiguration: {} },
      },
    });
    this.notify('initialized', {});
    this.notify('workspace/didChangeConfiguration', { settings: { yaml: settings } });
  }

  /// Shows a file to the server; resolves with what it has to say about it.
  async open(path, text) {
    const uri = pathToFileURL(path).href;
    const said = new Promise((resolve) => {
      this.#watchers.push({ uri, resolve });
    });
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    return said;
  }

  at(method, path, position) {
    return this.request(method, { textDocument: { uri: pathToFileURL(path).href }, position });
  }

  request(method, params) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method, params) {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  async stop() {
    await this.request('shutdown', null);
    this.notify('exit', null);
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify(message));
    this.#process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#process.stdin.write(body);
  }

  #read(bytes) {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#buffer.subarray(0, end).toString())[1]);
      if (this.#buffer.length < end + 4 + length) return;
      const message = JSON.parse(this.#buffer.subarray(end + 4, end + 4 + length).toString());
      this.#buffer = this.#buffer.subarray(end + 4 + length);
      this.#take(message);
    }
  }

  #take(message) {
    if (message.method === 'textDocument/publishDiagnostics') {
      const found = this.#watchers.findIndex((watcher) => watcher.uri === message.params.uri);
      if (found >= 0) this.#watchers.splice(found, 1)[0].resolve(message.params.diagnostics);
    } else if (message.method === 'workspace/configuration') {
      const answers = message.params.items.map((item) => (item.section === 'yaml' ? settings : {}));
      this.#send({ jsonrpc: '2.0', id: message.id, result: answers });
    } else if (message.method && message.id !== undefined) {
      this.#send({ jsonrpc: '2.0', id: message.id, result: null });
    } else if (this.#waiting.has(message.id)) {
      const { resolve, reject } = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    }
  }
}
