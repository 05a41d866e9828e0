// A server of the official SDK that serves the version without a handshake: modern_server.mjs PACKAGES
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(join(process.argv[2], 'node_modules', path)).href);
const { McpServer } = await load('@modelcontextprotocol/server/dist/index.mjs');
const { serveStdio } = await load('@modelcontextprotocol/server/dist/stdio.mjs');
const { z } = await load('zod/index.js');

serveStdio(() => {
  const server = new McpServer({ name: 'modern', version: '1' });
  server.registerTool('add', { description: 'Adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
    async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
  return server;
});
