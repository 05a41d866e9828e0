// A host like OpenCode: loads the plug-in named on the command line, plays the moments on standard input and prints
// what became of each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [plugin, directory] = process.argv.slice(2);
const told = [];
const client = {
  tui: { showToast: async ({ body }) => void told.push({ toast: body.message }) },
  session: {
    abort: async ({ path }) => void told.push({ abort: path.id }),
    promptAsync: async ({ path, body }) => void told.push({ prompt: path.id, text: body.parts[0].text }),
  },
};
const module = await import(pathToFileURL(plugin).href);
const hooks = await module.Grapnel({ client, directory, worktree: directory });
for (const step of JSON.parse(readFileSync(0, "utf8"))) {
  told.length = 0;
  const same = step.output?.args;
  let thrown;
  try {
    if (step.event) await hooks.event({ event: step.event });
    else await hooks[step.hook](step.input, step.output);
  } catch (error) {
    thrown = error.message;
  }
  const inPlace = same === undefined || same === step.output.args;
  console.log(JSON.stringify({ output: step.output, thrown, told, inPlace }));
}
