/** The tools and commands of a new extension. */
export function pluginSource(name: string): string {
  return `import { definePlugin, host } from './robota.ts';

export const { plugin, selfCheck } = definePlugin({
  name: '${name}',
  tools: {
    CountWords: {
      description: 'Counts the words, lines and characters of a text.',
      brief: 'Use CountWords for counting; do not guess.',
      input: {
        type: 'object',
        properties: { text: { type: 'string', description: 'What is counted.' } },
        required: ['text'],
      },
      run: ({ text }: { text: string }) => {
        const words = text.split(/\\s+/).filter((word) => word !== '').length;
        return \`\${words} words, \${text.split('\\n').length} lines, \${text.length} characters\`;
      },
    },
  },
  commands: {
    greet: {
      description: 'Greets a user',
      argumentHint: '[name]',
      run: (args) => ({ notice: \`\${host.config().greeting ?? 'Hello'}, \${args || 'you'}!\` }),
    },
  },
  selfTest: () => {
    if ('a b'.split(' ').length !== 2) throw new Error('words cannot be counted here');
  },
});
`;
}

/** The glue between an author's tools and the interface. */
export function pluginKit(version: string): string {
  return `// Makes tools and commands fit the interface of wit/plugin.wit. What is thrown in one becomes its error.
import * as imported from 'robota:plugin/host@${version}';

export interface ToolDefinition {
  /** For the model: what it does and when to use it. */
  description: string;
  /** JSON Schema of the input. */
  input: object;
  label?: string;
  /** One line for the system prompt. */
  brief?: string;
  /** Returns the text for the model; anything else becomes JSON. */
  run(input: any, callId: string): unknown;
}

export interface CommandDefinition {
  description: string;
  argumentHint?: string;
  /** A text, or { prompt } to ask the model. */
  run(args: string): string | { notice: string } | { prompt: string };
}

export interface PluginDefinition {
  name: string;
  tools?: Record<string, ToolDefinition>;
  commands?: Record<string, CommandDefinition>;
  /** Throws if the plugin cannot work; then it is left out. */
  selfTest?(): void;
}

/** What Robota offers to a plugin; files, network and variables as far as they were granted. */
export const host = {
  config: (): Record<string, any> => JSON.parse(imported.config()),
  log: (text: string) => imported.log(text),
  environment: (name: string) => imported.environment(name),
  readText: (path: string) => told(() => new TextDecoder().decode(imported.readFile(path))),
  writeText: (path: string, text: string) =>
    told(() => imported.writeFile(path, new TextEncoder().encode(text))),
  listFiles: (path: string) => told(() => imported.listFiles(path)),
  fetchText: (url: string, headers: Record<string, string> = {}) =>
    told(() => {
      const request = { method: 'GET', url, headers: Object.entries(headers), body: undefined };
      const { status, body } = imported.fetch(request);
      return { status, text: new TextDecoder().decode(body) };
    }),
};

export function definePlugin({ name, tools = {}, commands = {}, selfTest = () => {} }: PluginDefinition) {
  const plugin = {
    name: () => name,
    tools: () =>
      Object.entries(tools).map(([name, { description, input, label, brief }]) => ({
        name,
        description,
        input: JSON.stringify(input),
        label,
        brief,
      })),
    commands: () =>
      Object.entries(commands).map(([name, { description, argumentHint }]) => ({
        name,
        description,
        argumentHint,
      })),
    executeTool: (name: string, callId: string, input: string) =>
      answered(() => {
        const result = find(tools, name).run(JSON.parse(input), callId);
        return typeof result === 'string' ? result : JSON.stringify(result ?? null);
      }),
    executeCommand: (name: string, args: string) =>
      answered(() => {
        const result = find(commands, name).run(args);
        if (typeof result === 'string') return { tag: 'notice', val: result };
        return 'prompt' in result
          ? { tag: 'prompt', val: result.prompt }
          : { tag: 'notice', val: result.notice };
      }),
  };
  return { plugin, selfCheck: { selfTest: () => answered(selfTest) } };
}

function find<T>(items: Record<string, T>, name: string): T {
  const item = Object.hasOwn(items, name) ? items[name] : undefined;
  if (item === undefined) throw new Error(\`there is no \${name}\`);
  return item;
}

/** A text that is thrown is an error of the interface; an Error would end the plugin. */
function answered<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof Error ? thrown.message : String(thrown);
  }
}

/** What the host refuses, as an Error with its words. */
function told<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw new Error(String((thrown as { payload?: unknown }).payload ?? thrown));
  }
}
`;
}

/** A test that needs no WebAssembly: the host is a stand-in. */
export const pluginTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const stub = \`
  export const config = () => '{"greeting":"Hi"}';
  export const log = () => {};
  export const environment = () => undefined;
  const refuse = () => { throw Object.assign(new Error(), { payload: 'not granted' }); };
  export { refuse as readFile, refuse as writeFile, refuse as listFiles, refuse as fetch };
\`;
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../src/plugin.ts', import.meta.url))],
  bundle: true,
  format: 'esm',
  write: false,
  plugins: [
    {
      name: 'stand-in',
      setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /^robota:/ }, ({ path }) => ({ path, namespace: 'stand-in' }));
        onLoad({ filter: /.*/, namespace: 'stand-in' }, () => ({ contents: stub }));
      },
    },
  ],
});
const source = Buffer.from(outputFiles[0].text).toString('base64');
const { plugin, selfCheck } = await import(\`data:text/javascript;base64,\${source}\`);

test('the self-test passes', () => selfCheck.selfTest());

test('words are counted', () => {
  const result = plugin.executeTool('CountWords', 'call', JSON.stringify({ text: 'one two\\nthree' }));
  assert.equal(result, '3 words, 2 lines, 13 characters');
});

test('the command greets as the configuration says', () => {
  assert.deepEqual(plugin.executeCommand('greet', 'Ada'), { tag: 'notice', val: 'Hi, Ada!' });
});
`;
