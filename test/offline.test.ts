import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type AgentRun,
  HookRegistry,
  MessageQueue,
  type Model,
  runAgent,
  SessionState,
  silentInterface,
  toolCallsOf,
} from '@robota-sdk/agent-core';
import { createOfflineProvider } from '@robota-sdk/agent-provider-offline';
import { builtinTools, todos } from '@robota-sdk/agent-tools';
import { describe, expect, it, onTestFinished } from 'vitest';

const model: Model = {
  vendor: 'offline',
  id: 'offline',
  api: 'offline',
  name: 'Offline (rules, not AI)',
  contextWindow: 1_000_000,
  maxOutput: 32_000,
  images: false,
  thinking: 'none',
};

const project: Readonly<Record<string, string>> = {
  'README.md': '# Kettle\n\nBoils water, politely.\n\n## Use\n\nRun it.\n',
  'package.json': '{"name":"kettle","version":"1.2.3","scripts":{"test":"node test.mjs"}}\n',
  'test.mjs':
    "import { boil } from './src/boil.mjs';\nif (boil(1) !== 'boiled 1') throw new Error('expected boiled 1');\n",
  'src/boil.mjs': 'export function boil(cups) {\n  return "boiled " + cups;\n}\n',
  'src/boiler.mjs': "import { boil } from './boil.mjs';\r\nexport const boilTwice = () => boil(boil(2));\r\n",
  'packages/pot/lib/pot.mjs': 'export const pot = 1; // refactor: pot is small\n',
  '.gitignore': 'ignored/\n',
  'ignored/secret.mjs': 'boil\n',
};

function createProject(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-offline-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(project)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'start');
  return root;
}

interface Asking {
  readonly denied?: readonly string[];
}

/** One request through the real loop and the real tools. */
async function ask(root: string, text: string, { denied = [] }: Asking = {}) {
  const state = new SessionState();
  const tools: string[] = [];
  const run: AgentRun = {
    history: [],
    prompt: { content: [{ type: 'text', text }] },
    system: '',
    models: [{ model, provider: createOfflineProvider() }],
    thinking: 'off',
    tools: builtinTools(),
    toolEnvironment: {
      workspace: { cwd: root, additional: [], home: root },
      state,
      env: { PATH: process.env.PATH ?? '', HOME: root },
      outputDir: join(root, '.git', 'outputs'),
      ui: silentInterface,
    },
    hooks: new HookRegistry(),
    queue: new MessageQueue(),
    signal: new AbortController().signal,
    authorize: async ({ tool }) =>
      denied.includes(tool.name)
        ? { allowed: false, reason: 'It needs your confirmation: no rule allows it.' }
        : { allowed: true },
  };
  const outcome = await runAgent(run, (event) => {
    if (event.type === 'message-append') tools.push(...toolCallsOf(event.message).map((call) => call.name));
  });
  expect(outcome.status).toBe('completed');
  return { text: outcome.text, tools, state };
}

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8');

describe('the offline model with real tools', () => {
  it('lists, and leaves out what is ignored', async () => {
    const root = createProject();
    const listed = await ask(root, 'list the files in src');
    expect(listed.text).toBe('Files in `src`:\n\n```\nsrc/boil.mjs\nsrc/boiler.mjs\n```');
    expect((await ask(root, 'list the files')).text).not.toContain('secret');
    expect((await ask(root, 'list the markdown files')).text).toContain('README.md');
    expect((await ask(root, 'list nowhere')).text).toMatch(/^Glob failed: .*nowhere/);
  });

  it('searches and answers with file and line', async () => {
    const root = createProject();
    expect((await ask(root, 'where is boil defined?')).text).toContain(
      'src/boil.mjs\n1: export function boil(cups) {',
    );
    expect((await ask(root, 'find "boil(2)"')).text).toContain('src/boiler.mjs\n2: ');
    expect((await ask(root, 'find kettle')).text).toContain('README.md\n1: # Kettle');
    expect((await ask(root, 'find zebra')).text).toMatch(/^No matches for "zebra"/);
  });

  it('reads, and shows what the project says of itself', async () => {
    const root = createProject();
    expect((await ask(root, 'read boil.mjs')).text).toContain('`src/boil.mjs`:\n\n```mjs\n1\texport');
    expect((await ask(root, 'show me the readme')).text).toContain('# Kettle');
    expect((await ask(root, 'show lines 3-5 of README.md')).text).toMatch(/politely[\s\S]*Use/);
    expect((await ask(root, 'show src')).text).toContain('src/boiler.mjs');
    expect((await ask(root, 'what is this project?')).text).toMatch(
      /Boils water, politely\.[\s\S]*test\.mjs/,
    );
    expect((await ask(root, 'read nothing.txt')).text).toMatch(/NotFound/);
  });

  it('replaces across files and keeps their line ends', async () => {
    const root = createProject();
    const { text } = await ask(root, 'replace boil with cook in src');
    expect(text).toMatch(/^- Edited src\/boil\.mjs in 2 places .*\n- Edited src\/boiler\.mjs in 5 places/);
    expect(read(root, 'src/boiler.mjs')).toBe(project['src/boiler.mjs']?.replaceAll('boil', 'cook'));
    expect(read(root, 'test.mjs')).toBe(project['test.mjs']);
  });

  it('creates files, and spares existing ones', async () => {
    const root = createProject();
    await ask(root, 'create notes/a.txt with the text "one"');
    expect(read(root, 'notes/a.txt')).toBe('one\n');
    expect((await ask(root, 'write "two" to README.md')).text).toMatch(/^Write failed: /);
    expect(read(root, 'README.md')).toBe(project['README.md']);
    expect((await ask(root, 'what changed?')).text).toMatch(/## main\n\?\? notes\//);
  });

  it('runs the tests and reports what failed', async () => {
    const root = createProject();
    expect((await ask(root, 'run the tests')).text).toMatch(/^`npm test` succeeded/);
    await ask(root, 'replace boiled with burnt in src');
    const { text } = await ask(root, 'run the tests');
    expect(text).toMatch(/^`npm test` failed[\s\S]*Error: expected boiled 1/);
  });

  it('plans several steps with todos', async () => {
    const root = createProject();
    const { tools, text, state } = await ask(root, 'First list src, then find pot; finally read README.md');
    expect(tools).toEqual(['TodoWrite', 'Glob', 'TodoWrite', 'Grep', 'TodoWrite', 'Read', 'TodoWrite']);
    expect(state.get(todos).items.map((item) => item.status)).toEqual([
      'completed',
      'completed',
      'completed',
    ]);
    expect(text).toMatch(/Step 3, read README\.md: done/);
  });

  it('says what would permit what was denied, and changes nothing', async () => {
    const root = createProject();
    const edit = await ask(root, 'replace boil with cook in src', { denied: ['Edit'] });
    expect(edit.text).toMatch(/^- Not changed: 2 files[\s\S]*--permission-mode acceptEdits/);
    expect(read(root, 'src/boil.mjs')).toBe(project['src/boil.mjs']);
    const run = await ask(root, 'run npm test', { denied: ['Bash'] });
    expect(run.text).toMatch(/Bash was not permitted.*--allow 'Bash\(npm test\)'/);
  });
});
