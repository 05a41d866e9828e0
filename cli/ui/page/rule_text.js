// Changes the text of a rule without reading all of YAML: what is not understood is left alone.

export const kFirstRule = `version: 1
hooks:
  - name: no-force-push
    on: PreToolUse
    when: { tool: shell, command: git push, flag: [--force, -f] }
    deny: Force pushes need a human.
`;

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/** The rule with one more exception: `not: { command: [...] }`. Null if the text has no condition to narrow. */
export const without = (yaml, subject) => {
  const key = /\bpath:/.test(yaml) && !/\bcommand:/.test(yaml) ? "path" : "command";
  const value = quoted(subject.split("\n")[0].trim());
  const list = new RegExp(`(not:\\s*\\{\\s*${key}:\\s*\\[)([^\\]]*)(\\])`);
  if (list.test(yaml)) return yaml.replace(list, (_, open, items, end) => `${open}${items}, ${value}${end}`);
  if (/\bnot:/.test(yaml)) return null;
  const flow = /^(\s*when:\s*\{)([^\n]*?)(\s*\})\s*$/m;
  if (flow.test(yaml)) return yaml.replace(flow, (_, open, inside, end) => `${open}${inside}, not: { ${key}: [${value}] }${end}`);
  const block = /^(\s*)when:\s*\n(\s+)/m;
  if (block.test(yaml)) return yaml.replace(block, (_, outer, inner) => `${outer}when:\n${inner}not: { ${key}: [${value}] }\n${inner}`);
  return null;
};
