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
  it('lists, and finds a folder that is deeper', async () => {
    const root = createProject();
    const listed = await ask(root, 'list the files in src');
    expect(listed.text).toBe('2 files in `src`:\n\n- src/boil.mjs\n- src/boiler.mjs');
    expect((await ask(root, 'list lib')).text).toMatch(
      /no `lib` at the root; I found it deeper, as `packages\/pot\/lib`/,
    );
    expect((await ask(root, 'list the files')).text).not.toContain('secret');
  });

  it('counts exactly where a listing is too long for one result, in a repository and outside of one', async () => {
    const root = createProject();
    for (let index = 0; index < 900; index++) {
      const name = `${'long-name-of-a-module-'.repeat(2)}${index}`;
      const path = join(root, index < 600 ? 'app/first' : 'zoo/last', `${name}.${index % 2 ? 'ts' : 'py'}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'x\n'.repeat(index === 899 ? 50 : 1));
    }
    execFileSync('git', ['add', '-A'], { cwd: root });
    const counts = async () => {
      const files = (await ask(root, 'how many files are there?')).text;
      const listed = (await ask(root, 'list the typescript files')).text;
      const inZoo = (await ask(root, 'list the files in zoo')).text;
      expect(files).toMatch(/^907 files, by folder:\n/);
      expect(listed).toMatch(/^450 files in this folder, by folder:\n\n- app\/(first\/)?: 300 files\n/);
      expect(inZoo).toBe('300 files in `zoo`, by folder:\n\n- zoo/last/: 300 files');
      return files;
    };
    expect(await counts()).toContain('- app/first/: 600\n');
    expect((await ask(root, 'which is the longest file?')).text).toMatch(
      /^966 lines in 907 text files\.\n\nThe 10 longest of those in git:\n- zoo\/last\/\S+899\.ts: 50\n/,
    );
    rmSync(join(root, '.git'), { recursive: true });
    expect(await counts()).toContain('- app/: 600\n');
  });

  it('searches and answers with file and line', async () => {
    const root = createProject();
    expect((await ask(root, 'where is boil defined?')).text).toContain(
      '- src/boil.mjs:1  export function boil(cups) {',
    );
    expect((await ask(root, 'find "boil(2)"')).text).toContain('- src/boiler.mjs:2');
    expect((await ask(root, 'find KETTLE')).text).toMatch(/other capitals[\s\S]*README\.md:1/);
    expect((await ask(root, 'find zebra')).text).toBe('Nothing matches `zebra`.');
  });

  it('reads, outlines and explains', async () => {
    const root = createProject();
    expect((await ask(root, 'read boil.mjs')).text).toContain('`src/boil.mjs` (3 lines)');
    expect((await ask(root, 'show lines 1-2 of README.md')).text).toContain('# Kettle');
    expect((await ask(root, 'explain src/boil.mjs')).text).toContain(
      'exported function `boil` (line 1, about 3 lines)',
    );
    const overview = await ask(root, 'what is this project?');
    expect(overview.text).toMatch(/> Boils water, politely\.[\s\S]*kettle 1\.2\.3/);
    expect((await ask(root, 'read nothing.txt')).text).toMatch(/NotFound/);
    expect((await ask(root, 'count the lines in src')).text).toMatch(/^5 lines in 2 text files/);
  });

  it('replaces across files and keeps their line ends', async () => {
    const root = createProject();
    const { text } = await ask(root, 'replace boil with cook in src');
    expect(text).toContain('Replaced `boil` with `cook`: 7 places in 2 files.');
    expect(read(root, 'src/boiler.mjs')).toBe(project['src/boiler.mjs']?.replaceAll('boil', 'cook'));
    expect(read(root, 'test.mjs')).toBe(project['test.mjs']);
  });

  it('renames whole words only', async () => {
    const root = createProject();
    const { text } = await ask(root, 'rename boil to heat in src');
    expect(text).toContain('Renamed `boil` to `heat`');
    expect(read(root, 'src/boiler.mjs')).toBe(
      "import { heat } from './heat.mjs';\r\nexport const boilTwice = () => heat(heat(2));\r\n",
    );
    expect(read(root, 'src/boil.mjs')).toBe('export function heat(cups) {\n  return "boiled " + cups;\n}\n');
  });

  it('renames, creates and appends to files, and spares existing ones', async () => {
    const root = createProject();
    expect((await ask(root, 'rename README.md to "READ ME.md"')).text).toMatch(/^Renamed/);
    expect(read(root, 'READ ME.md')).toBe(project['README.md']);
    expect((await ask(root, 'create notes/a.txt with the text "one"')).text).toMatch(/^Wrote/);
    await ask(root, 'append "two" to notes/a.txt');
    expect(read(root, 'notes/a.txt')).toBe('one\ntwo\n');
    expect((await ask(root, 'create notes/a.txt with x')).text).toMatch(/exists already/);
    await ask(root, 'overwrite notes/a.txt with "three"');
    expect(read(root, 'notes/a.txt')).toBe('three\n');
    expect((await ask(root, 'what changed?')).text).toMatch(/On branch main; 2 changed:[\s\S]*READ ME\.md/);
  });

  it('runs the tests and reports what failed', async () => {
    const root = createProject();
    expect((await ask(root, 'run the tests')).text).toMatch(/^`npm test` succeeded \(exit 0\)/);
    await ask(root, 'replace boiled with burnt in src');
    const { text } = await ask(root, 'run the tests');
    expect(text).toMatch(/^`npm test` failed \(exit 1\)[\s\S]*Error: expected boiled 1/);
  });

  it('plans several steps with todos', async () => {
    const root = createProject();
    const { tools, text, state } = await ask(root, 'First list src, then find pot; finally count the lines');
    expect(tools).toEqual(['TodoWrite', 'Glob', 'TodoWrite', 'Grep', 'TodoWrite', 'Grep', 'TodoWrite']);
    expect(state.get(todos).items.map((item) => item.status)).toEqual([
      'completed',
      'completed',
      'completed',
    ]);
    expect(text).toMatch(/Step 3 of 3, count the lines: done/);
  });

  it('says what would permit what was denied, and changes nothing', async () => {
    const root = createProject();
    const edit = await ask(root, 'replace boil with cook in src', { denied: ['Edit'] });
    expect(edit.text).toMatch(/^Nothing was changed[\s\S]*--permission-mode acceptEdits/);
    expect(read(root, 'src/boil.mjs')).toBe(project['src/boil.mjs']);
    const run = await ask(root, 'run npm test', { denied: ['Bash'] });
    expect(run.text).toMatch(/Bash was not permitted.*--allow 'Bash\(npm test\)'/);
  });
});
