import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { findToolchain } from '@robota-sdk/agent-plugin-wasm';
import { createInteractiveSession, type InteractiveSession } from '@robota-sdk/agent-sdk/compat';
import { silentInterface } from '@robota-sdk/agent-sdk/front-end';
import { anthropicReply, robotaBin, sharedCode, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const execute = promisify(execFile);
const fixtures = fileURLToPath(new URL('fixtures/wasm', import.meta.url));
const example = fileURLToPath(new URL('../examples/wasm-plugin', import.meta.url));
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const done = anthropicReply({ text: 'done' });

/** A new plugin as the scaffold makes it, with attacks among its tools; built once, as it takes some seconds. */
let project: string;
/** A home in which it was made ready. */
let ready: string;
const stage = stagePerTest();

beforeAll(async () => {
  const folder = await temporaryDirectory('robota-wasm');
  ready = await temporaryDirectory('robota-home');
  await robotaIn(folder, ['plugin', 'new', 'counter', '--wasm']);
  project = join(folder, 'counter');
  await symlink(modules, join(project, 'node_modules'));
  await execute(process.execPath, ['--test', 'test/plugin.test.mjs'], { cwd: project });
  const source = join(project, 'src/plugin.ts');
  const text = await readFile(source, 'utf8');
  const attacked = text
    .replace('tools: {', 'tools: {\n    ...attacks,\n    ...todoTools,')
    .replace(
      'selfTest: () => {',
      "selfTest: () => {\n    if (host.config().broken) throw new Error('the moon is wrong');",
    );
  await writeFile(
    source,
    `import { attacks } from './attacks.ts';\nimport { todoTools } from './todo-tools.ts';\n${attacked}`,
  );
  await copyFile(join(fixtures, 'attacks.ts.txt'), join(project, 'src/attacks.ts'));
  await copyFile(join(example, 'src/todo-tools.ts'), join(project, 'src/todo-tools.ts'));
  await execute(process.execPath, ['build.mjs'], { cwd: project });
  await robotaIn(project, ['plugin', 'install', 'dist/counter.wasm', '--yes']);
});

beforeEach(async () => {
  await mkdir(join(stage.home, '.robota/extensions'), { recursive: true });
  await cp(join(ready, '.robota/cache'), join(stage.home, '.robota/cache'), { recursive: true });
});

function robotaIn(cwd: string, args: readonly string[]) {
  return execute(process.execPath, [robotaBin, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: ready, ...sharedCode() },
  });
}

/** Puts the plugin into a folder of extensions, with a manifest. */
async function put(folder: string, manifest?: object): Promise<string> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(project, 'dist/counter.wasm'), join(folder, 'counter.wasm'));
  if (manifest) await writeFile(join(folder, 'counter.json'), JSON.stringify(manifest));
  return join(folder, 'counter.wasm');
}

const own = () => join(stage.home, '.robota/extensions');

/** Calls tools of the plugin one after the other and tells their results. */
async function calls(...all: readonly Call[]) {
  return callsWith(['--permission-mode', 'bypassPermissions'], all);
}

type Call = readonly [name: string, input?: object];

async function callsWith(options: readonly string[], all: readonly Call[]) {
  const replies = all.map(([name, input = {}]) => anthropicReply({ toolCalls: [{ name, input }] }));
  stage.server.reply(...replies, done);
  const from = stage.server.requests.length;
  const run = await stage.robota(['-p', 'go', ...options]);
  const results = all.map((_, at) => {
    const [result] = stage.results(from + at + 1);
    return { text: result?.text ?? '', isError: result?.isError ?? false };
  });
  return { run, results, texts: results.map(({ text }) => text) };
}

describe('a plugin of the scaffold', () => {
  it('adds its tools and commands from the folder of the user, asked about like any other', async () => {
    proves('P-125', 'P-126');
    await put(own(), { config: { greeting: 'Servus' } });
    const { run, results } = await callsWith(
      ['--allow', 'CountWords', '--allow', 'Fail', '--allow', 'Engine'],
      [
        ['CountWords', { text: 'one two\nthree' }],
        ['Fail'],
        ['Engine'],
        ['CountWords', { words: 7 }],
        ['Calls'],
      ],
    );
    expect(run.stderr).toContain('robota: denied Calls: ');
    expect(run.stderr).not.toContain('counter');
    expect(results).toEqual([
      { text: '3 words, 2 lines, 13 characters', isError: false },
      { text: 'as it should', isError: true },
      { text: 'has clocks and chance', isError: false },
      { text: expect.stringContaining('text: required but missing'), isError: true },
      { text: expect.stringContaining('no rule allows it'), isError: true },
    ]);
    const sent = JSON.stringify(stage.server.requests[0]?.body);
    expect(sent).toContain('Counts the words, lines and characters of a text.');
    expect(sent).toContain('Use CountWords for counting');
    const greeted = await stage.robota(['-p', '/greet Ada']);
    expect(greeted.stdout).toBe('Servus, Ada!\n');
  });

  it('is left out when its self-test fails, with its words, or its manifest is wrong', async () => {
    proves('P-130', 'P-132');
    await put(own(), { config: { broken: true } });
    await put(join(own(), 'wrong'), { grants: { file: ['docs'] } });
    await rename(join(own(), 'wrong/counter.wasm'), join(own(), 'wrong/wrong.wasm'));
    await rename(join(own(), 'wrong/counter.json'), join(own(), 'wrong/wrong.json'));
    stage.server.reply(done);
    const { stderr, stdout } = await stage.robota(['-p', 'hi']);
    expect(stderr).toContain('counter.wasm is not used: its self-test failed: the moon is wrong.');
    expect(stderr).toContain(
      'wrong.json cannot be used: Unknown field "grants.file". Did you mean "grants.files"?',
    );
    expect(stdout).toBe('done\n');
    expect(JSON.stringify(stage.server.requests[0]?.body)).not.toContain('CountWords');
  });

  it('is made with a kit of its own, and builds with npm packages alone', async () => {
    proves('P-127', 'P-128');
    const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
      readonly devDependencies: Record<string, string>;
    };
    expect(Object.keys(manifest.devDependencies)).toEqual(['@bytecodealliance/componentize-js', 'esbuild']);
    const ours = JSON.parse(await readFile(join(modules, '../package.json'), 'utf8')) as typeof manifest;
    // Test exactly what users install.
    expect(ours.devDependencies).toMatchObject(manifest.devDependencies);
    expect(await readFile(join(project, 'src/plugin.ts'), 'utf8')).toContain("from './robota.ts'");
    expect((await stat(join(project, 'dist/counter.wasm'))).size).toBeGreaterThan(1_000_000);
    await expect(robotaIn(join(project, '..'), ['plugin', 'new', 'counter', '--wasm'])).rejects.toThrow(
      /already exists; nothing was written/,
    );
  });

  it('of a repository waits for trust, by content', async () => {
    proves('P-125');
    await put(join(stage.cwd, '.robota/extensions'));
    stage.server.reply(done, done);
    const before = await stage.robota(['-p', 'hi']);
    expect(before.stderr).toContain('.robota/extensions/counter.wasm');
    expect(JSON.stringify(stage.server.requests[0]?.body)).not.toContain('CountWords');
    await stage.robota(['-p', 'hi', '--trust-project']);
    expect(JSON.stringify(stage.server.requests[1]?.body)).toContain('CountWords');
  });

  it('comes with a plugin, whose install shows what it asks for', async () => {
    proves('P-125');
    const bundle = join(stage.cwd, 'bundle');
    await mkdir(join(bundle, '.claude-plugin'), { recursive: true });
    await writeFile(join(bundle, '.claude-plugin/plugin.json'), '{"name": "bundle", "version": "1.0.0"}');
    await put(join(bundle, 'extensions'), { grants: { files: ['docs'] } });
    const asked = await stage.robota(['plugin', 'install', './bundle']);
    expect(asked.stderr).toContain('WebAssembly extensions/counter.wasm: reads docs');
    await stage.robota(['plugin', 'install', './bundle', '--yes']);
    await stage.file('docs/a.txt', 'granted');
    const { texts } = await calls(['ReadFile', { path: 'docs/a.txt' }]);
    expect(texts).toEqual(['granted']);
  });

  it('is installed, listed and removed by the commands of plugins', async () => {
    proves('P-129');
    const file = join(project, 'dist/counter.wasm');
    const asked = await stage.robota(['plugin', 'install', file]);
    expect(asked.code).not.toBe(0);
    expect(asked.stderr).toContain('tool CountWords: Counts the words');
    expect(asked.stderr).toContain('It uses no files, no network and no variables.');
    expect(existsSync(join(own(), 'counter.wasm'))).toBe(false);
    expect(await stage.robota(['plugin', 'install', file, '--yes'])).toMatchObject({ code: 0 });
    const listed = await stage.robota(['plugin', 'list']);
    expect(listed.stdout).toContain('counter  WebAssembly, ready  ~/.robota/extensions/counter.wasm');
    expect(listed.stdout).toContain('CountWords, /greet');
    await stage.robota(['plugin', 'uninstall', 'counter']);
    expect(await readdir(own())).toEqual([]);
  });
});

describe('an attack', () => {
  it('of any kind is an error result with the name of the plugin, and the next call works', async () => {
    proves('P-131', 'P-132');
    await put(own(), { limits: { memory: 64, time: 60 } });
    const attacks = [['Trap'], ['Huge'], ['Flood'], ['Bomb'], ['Calls'], ['Calls']] as const;
    const { run, results } = await calls(...attacks);
    const [trap, huge, flood, bomb, ...counted] = results;
    expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
    const failed = (text: RegExp) => ({ isError: true, text: expect.stringMatching(text) });
    expect(trap).toEqual(failed(/^The plugin "counter" failed in its tool "Trap": /));
    expect(huge).toEqual(failed(/^The plugin "counter" .* more text than allowed/));
    expect(flood).toEqual({ text: 'flooded', isError: false });
    expect(bomb).toEqual(failed(/out of memory|unreachable|used up/));
    expect(counted.map(({ text }) => text)).toEqual(['1 calls', '2 calls']);
  });

  it('at a loop: killing the program leaves no worker behind', async () => {
    proves('P-131');
    await put(own(), { limits: { time: 60 } });
    stage.server.reply(anthropicReply({ toolCalls: [{ name: 'Loop', input: {} }] }), done);
    const child = spawn(process.execPath, [robotaBin, '-p', 'go', '--permission-mode', 'bypassPermissions'], {
      cwd: stage.cwd,
      env: {
        PATH: process.env.PATH,
        HOME: stage.home,
        ...sharedCode(),
        ANTHROPIC_API_KEY: 'k',
        ANTHROPIC_BASE_URL: stage.server.url,
      },
      stdio: 'ignore',
    });
    const pid = await until(async () => workerOf(child.pid ?? 0));
    child.kill('SIGKILL');
    await until(async () => (existsSync(`/proc/${pid}`) ? undefined : true));
  });

  it('on files, network and variables is refused without a grant, and a grant opens only what it names', async () => {
    proves('P-132');
    await stage.file('docs/a.txt', 'granted');
    await stage.file('docs/private/b.txt', 'denied');
    await stage.settings({ permissions: { deny: ['Read(docs/private/**)'] } });
    await symlink('/etc/passwd', join(stage.cwd, 'docs/link'));
    const wanted = [
      ['ReadFile', { path: 'docs/a.txt' }],
      ['ReadFile', { path: '/etc/passwd' }],
      ['ReadFile', { path: 'docs/link' }],
      ['ReadFile', { path: 'docs/private/b.txt' }],
      ['WriteFile', { path: 'out/b.txt' }],
      ['WriteFile', { path: 'out/.git/hooks/pre-commit' }],
      ['Fetch', { url: `${stage.server.url}/x` }],
      ['Variables'],
    ] as const;
    const grants = { files: ['docs', { path: 'out', access: 'write' }], env: ['GRANTED'] };
    await put(own(), { grants: { ...grants, files: ['.'] } });
    const none = await calls(...wanted);
    expect(none.run.stderr).toContain('Review them with: robota plugin approve counter');
    expect(none.results.slice(0, 7).every(({ isError }) => isError)).toBe(true);
    expect(none.texts[0]).toContain('not granted');
    expect(none.texts.at(-1)).toBe('{"granted":null,"secret":null}');

    await put(own(), { grants });
    const shown = await stage.robota(['plugin', 'approve', 'counter', '--yes']);
    expect(shown.stdout).toContain('reads docs, reads and writes out, sees the variable GRANTED');
    const { texts } = await calls(...wanted);
    expect(texts.slice(0, 3)).toEqual([
      'granted',
      'reading /etc/passwd is not granted',
      'reading docs/link is not granted',
    ]);
    expect(texts[3]).toContain('Read(docs/private/**)');
    expect(texts[4]).toBe('written');
    expect(texts[5]).toContain('is protected');
    expect(texts[6]).toMatch(/^connecting to 127\.0\.0\.1:\d+ is not granted$/);
    // The tool of the example.
    await stage.file('docs/b.md', 'One.\n<!-- TODO: two -->\n');
    const todos = await calls(['ListTodos', { folder: 'docs' }], ['ListTodos', { folder: 'src' }]);
    expect(todos.texts).toEqual([
      'docs/b.md:2: TODO: two -->',
      expect.stringContaining('src is not granted'),
    ]);
    // Another manifest is another question.
    await put(own(), { grants: { files: ['docs'] } });
    expect((await calls(['ReadFile', { path: 'docs/a.txt' }])).texts[0]).toContain('not granted');
  });
});

describe('a component by hand', () => {
  let text: string;
  let component: Uint8Array;

  beforeAll(async () => {
    text = await readFile(join(fixtures, 'hostile.wat'), 'utf8');
    component = await parse(text);
  });

  it('that is none, is damaged, outdated or a trick is named and costs itself alone', async () => {
    proves('P-125', 'P-131');
    const trick = text.replaceAll('"execute"', `"e'+(()=>{process.exit(7)})()+'"`);
    const bad: readonly (readonly [name: string, bytes: Uint8Array, message: string])[] = [
      ['script', Buffer.from('#!/bin/sh\necho'), 'it is no WebAssembly'],
      ['empty', Buffer.alloc(0), 'it is no WebAssembly'],
      ['core', Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), 'it is a core module'],
      ['cut', Buffer.from(component).subarray(0, -40), 'it cannot be made ready'],
      [
        'other',
        renamed('robota:plugin/plugin@1.0.0', 'another:plugin/stuff@1.0.0'),
        'it exports no robota:plugin',
      ],
      ['old', renamed('plugin/plugin@1.0.0', 'plugin/plugin@0.3.7'), 'it was made for robota:plugin 0.3.7'],
      ['trick', await parse(trick), `a name in it is "e'+(()=>{process.exit(7)})()+'", which is none`],
    ];
    await put(own());
    for (const [name, bytes] of bad) await writeFile(join(own(), `${name}.wasm`), bytes);
    const { run, texts } = await calls(['CountWords', { text: 'a' }]);
    for (const [name, , message] of bad)
      expect(run.stderr).toContain(`The extension ~/.robota/extensions/${name}.wasm is not used: ${message}`);
    expect(texts[0]).toContain('1 words');
    const listed = await stage.robota(['plugin', 'list']);
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.stdout).toContain('core  broken  ~/.robota/extensions/core.wasm');
  });

  it('is made ready when it is first used, kept by content and private, and made again when that is damaged', async () => {
    proves('P-125');
    await writeFile(join(own(), 'hostile.wasm'), component);
    const hash = createHash('sha256').update(component).digest('hex');
    const folder = join(stage.home, '.robota/cache/wasm', `${hash}-1`);
    const first = await calls(['Answering']);
    expect(first.run.stderr).toContain('was prepared to run; this is done once');
    expect((await stat(folder)).mode & 0o077).toBe(0);
    await writeFile(join(folder, 'plugin.js'), 'process.exit(7)');
    const second = await calls(['Answering']);
    expect([...first.texts, ...second.texts]).toEqual(['hostile', 'hostile']);
    expect(second.run.stderr).toBe('');
    expect((await stat(join(folder, 'plugin.js'))).size).toBeGreaterThan(1000);
  });

  function renamed(from: string, to: string): Buffer {
    return Buffer.from(Buffer.from(component).toString('latin1').replaceAll(from, to), 'latin1');
  }
});

describe('the toolchain', () => {
  it('is found beside the program, or in a folder of its own', async () => {
    expect(findToolchain(stage.home, { beside: `file://${stage.home}/x.js` })).toBeUndefined();
    const { toolchainPackage } = await import('@robota-sdk/agent-plugin-wasm');
    const folder = join(stage.home, 'node_modules', toolchainPackage.name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"main": "index.js"}');
    await writeFile(join(folder, 'index.js'), '');
    expect(findToolchain(stage.home, { beside: `file://${stage.home}/x.js` })).toBe(
      `file://${folder}/index.js`,
    );
  });
});

describe('an interactive session', () => {
  let session: InteractiveSession | undefined;
  afterEach(() => session?.shutdown());

  const tools = () => (session?.getSession().surroundings.tools ?? []).map(({ name }) => name);

  it('loads, replaces and unloads plugins when their files change, and with /reload', async () => {
    proves('P-129');
    const notices: string[] = [];
    const terminal = { ...silentInterface, notify: () => {} };
    const host = { home: stage.home, env: {} };
    session = await createInteractiveSession({
      cwd: stage.cwd,
      host,
      model: 'offline',
      store: 'none',
      terminal,
    });
    session.on('notice', ({ text }) => notices.push(text));
    expect(tools()).not.toContain('CountWords');
    const folder = join(own(), 'counter');
    await put(folder);
    await until(async () => tools().includes('CountWords') || undefined);
    await until(async () => notices.some((text) => text.startsWith('Loaded "counter"')) || undefined);
    expect(session.findCommand('greet')).toBeDefined();
    expect((await session.executeCommand('greet', 'Ada'))?.message).toBe('Hello, Ada!');
    await writeFile(join(folder, 'counter.json'), '{"config": {"greeting": "Salut"}}');
    await until(
      async () => (await session?.executeCommand('greet', 'Ada'))?.message === 'Salut, Ada!' || undefined,
    );
    await rm(folder, { recursive: true });
    await until(async () => !tools().includes('CountWords') || undefined);
    expect(session.findCommand('greet')).toBeUndefined();
    await put(own());
    await until(async () => tools().includes('CountWords') || undefined);
    const report = await session.executeCommand('reload-plugins');
    expect(report?.message).toContain('Reloaded');
    expect(tools()).toContain('CountWords');
  });
});

describe('a native library', () => {
  const places = readdirSync(join(modules, '@lydell')).map((name) => join('@lydell', name, 'pty.node'));
  const addon = places.find((place) => existsSync(join(modules, place)));

  it.skipIf(addon === undefined)('is for extensions in JavaScript, which run with all rights', async () => {
    proves('P-133');
    await put(own());
    const library = JSON.stringify(join(modules, addon ?? ''));
    await writeFile(
      join(own(), 'native.mjs'),
      `import { createRequire } from 'node:module';
      const library = createRequire(import.meta.url)(${library});
      export default ({ jsonSchema, textOutput }) => ({
        name: 'native',
        setup: (host) => host.tool({
          name: 'Native', description: 'Calls C.', input: jsonSchema({ type: 'object' }), access: () => [],
          execute: async () => textOutput(Object.keys(library).join(' ')),
        }),
      });`,
    );
    const { texts } = await calls(['Native'], ['CountWords', { text: 'a' }]);
    const known = Object.keys(createRequire(import.meta.url)(join(modules, addon ?? '')) as object).join(' ');
    expect(texts[0]).toBe(known);
    expect(texts[1]).toContain('1 words');
  });
});

/** Waits until something is there. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const start = Date.now(); Date.now() - start < 30_000; ) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it never came');
}

/** The worker among the children of a process. */
async function workerOf(pid: number): Promise<number | undefined> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  for (const child of children) {
    const line = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (line.includes('plugin-worker')) return Number(child);
  }
  return undefined;
}
