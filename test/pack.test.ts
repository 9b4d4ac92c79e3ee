import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { anthropicReply, startModelServer, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Packed, packPackages } from '../scripts/pack.mjs';
import { commandBlocks } from './docs-blocks.ts';
import { type LocalRegistry, startRegistry } from './local-registry.ts';
import { openTerminal } from './terminal.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
/** Every Node there is to try: the one that runs the tests, and that of the system. */
const nodes = [...new Set([process.execPath, '/usr/bin/node'])].filter((path) => existsSync(path));
const command = '@robota-sdk/agent-cli';
const fleet = '@robota-sdk/agent-fleet';
const tsc = join(root, 'node_modules/typescript/bin/tsc');

const bundledPackages = [
  '@agentclientprotocol/sdk',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/server',
  'eventsource',
  'eventsource-parser',
  'get-east-asian-width',
  'he',
  'jose',
  'jsonc-parser',
  'node-html-markdown',
  'node-html-parser',
  'pkce-challenge',
  'unbash',
  'yaml',
  'zod',
];

let packed: readonly Packed[];
/** Every package as its archive has it, by folders. */
let unpacked: string;
let registry: LocalRegistry;
/** The packages that the documentation installs, by whether it does so for all projects. */
const documented = (isGlobal: boolean) => {
  const lines = commandBlocks('install').flatMap(({ code }) => code.split('\n'));
  const names = lines.flatMap((line) => {
    const [, global, name] = /^npm install (-g )?(@robota-sdk\/\S+)/.exec(line) ?? [];
    return name !== undefined && (global !== undefined) === isGlobal ? [name] : [];
  });
  return [...new Set(names)].sort();
};

beforeAll(async () => {
  packed = packPackages(await temporaryDirectory('robota-packed'));
  unpacked = await temporaryDirectory('robota-unpacked');
  await Promise.all(packed.map(({ name }) => unpack(name, unpacked)));
  const archives = new Map(packed.map(({ name, file }) => [name, file]));
  registry = await startRegistry(archives, join(root, 'node_modules'));
});

afterAll(() => registry.close());

describe('the packed packages', () => {
  it('carry what they need and nothing else', async () => {
    for (const { name } of packed) {
      const files = await readdir(join(unpacked, name), { recursive: true });
      expect(
        files.filter((file) => /\.test\.|fixtures\/|tsbuildinfo|node_modules/.test(file)),
        name,
      ).toEqual([]);
      const expected = ['README.md', 'LICENSE', 'package.json', 'dist/THIRD-PARTY-NOTICES.txt'];
      expect(files, name).toEqual(expect.arrayContaining(expected));
    }
  });

  it('hold every file that their exports and commands name, under any condition', async () => {
    for (const { name } of packed) {
      const folder = join(unpacked, name);
      const { exports, bin } = await manifestIn(folder);
      // Only a checkout has the sources of the command.
      const paths = pathsIn([exports, bin]).filter((path) => name !== command || !path.startsWith('./src/'));
      expect(paths.length, name).toBeGreaterThan(0);
      expect(
        paths.filter((path) => !existsSync(join(folder, path))),
        name,
      ).toEqual([]);
    }
  });

  it('bring the notices of everything that is bundled into the command', async () => {
    const notices = await readFile(join(unpacked, command, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of bundledPackages) {
      const { version, license } = await manifestIn(join(root, 'node_modules', name));
      expect(notices).toContain(`${name} ${version}\nLicence: ${license}\n`);
    }
    expect(notices.match(/^Licence: /gm)?.length).toBe(bundledPackages.length);
    const tools = await readFile(
      join(unpacked, '@robota-sdk/agent-tools/dist/THIRD-PARTY-NOTICES.txt'),
      'utf8',
    );
    expect(tools).toContain('contains no code of other projects');
    expect(tools).toContain('node-html-markdown 2.0.0, MIT');
  });

  it('lead a debugger and an editor from what is built to its source', async () => {
    for (const { name } of packed.filter((each) => each.name !== command)) {
      const folder = join(unpacked, name);
      const files = await readdir(join(folder, 'dist'), { recursive: true });
      const built = files.filter((file) => /(?:\.js|\.d\.ts)$/.test(file));
      expect(built.length, name).toBeGreaterThan(0);
      const broken = await Promise.all(built.map((file) => mapProblem(join(folder, 'dist', file))));
      expect(broken.filter(Boolean), name).toEqual([]);
    }
  });
});

describe('the packed command', () => {
  let prefix: string;
  let bin: string;
  let cwd: string;

  beforeAll(async () => {
    prefix = await temporaryDirectory('robota-prefix');
    cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'hello.txt'), 'hello');
    expect(documented(true)).toEqual([command, fleet]);
    await npm(['install', '-g', command, '--prefix', prefix, '--registry', registry.url]);
    bin = join(prefix, 'bin/robota');
  });

  const run = (
    words: readonly string[],
    extra: { home?: string; input?: string; node?: string; path?: string } = {},
  ) => {
    const { home = cwd, input = '', node, path = process.env.PATH } = extra;
    const [file, args] = node === undefined ? [bin, words] : [node, [bin, ...words]];
    const env = { PATH: path, HOME: home, LANG: 'C.UTF-8' };
    const result = execute(file, [...args], { cwd, env });
    result.child.stdin?.end(input);
    return result;
  };

  it('installs as one package without dependencies and without scripts, in at most 4 MB', async () => {
    const modules = join(prefix, 'lib/node_modules');
    expect(await readdir(modules)).toEqual(['@robota-sdk']);
    expect(await readdir(join(modules, '@robota-sdk'))).toEqual(['agent-cli']);
    const folder = join(modules, command);
    const manifest = await manifestIn(folder);
    for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies', 'scripts'])
      expect(manifest, field).not.toHaveProperty(field);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name))),
    );
    const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(4_000_000);
    const manual = gunzipSync(await readFile(join(prefix, 'share/man/man1/robota.1.gz')));
    expect(manual.toString()).toBe((await run(['man'])).stdout);
  });

  it.each(nodes)('runs under %s', async (node) => {
    proves('C-77');
    const { version } = await manifestIn(join(unpacked, command));
    const offline = ['-p', 'read hello.txt', '--model', 'offline', '--no-session'];
    const [said, read] = await Promise.all([run(['--version'], { node }), run(offline, { node })]);
    expect(said.stdout).toBe(`${version}\n`);
    expect(read.stdout).toContain('hello');
  });

  it('paints its screen', async () => {
    const terminal = openTerminal(['--model', 'offline'], { cwd, home: cwd, program: bin });
    await terminal.shows(/\n[─-]{20,}\n/);
    terminal.kill('SIGKILL');
    await terminal.exit;
  });

  it('serves MCP and ACP, completes words, exports a session and finds itself in order', async () => {
    const initialize = (version: unknown) =>
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientCapabilities: {}, clientInfo: { name: 'test', version: '1' } } })}\n`;
    const [mcp, acp, completion, doctor, page] = await Promise.all([
      run(['mcp', 'serve'], { input: initialize('2025-06-18') }),
      run(['acp'], { input: initialize(1) }),
      run(['completion', 'bash']),
      run(['doctor', '--json']).catch((failed: { stdout: string }) => failed),
      run(['-p', 'read hello.txt', '--model', 'offline', '--output-format', 'json']).then(({ stdout }) =>
        run(['sessions', 'export', JSON.parse(stdout).session_id, '--output', '-']),
      ),
    ]);
    expect(JSON.parse(mcp.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'robota' } } });
    expect(JSON.parse(acp.stdout)).toMatchObject({ id: 1, result: { protocolVersion: 1 } });
    expect(completion.stdout).toContain('complete');
    const { findings } = JSON.parse(doctor.stdout) as { findings: { area: string; status: string }[] };
    // There is no key here, so a model is the one thing that is missing.
    expect(findings.filter(({ status }) => status === 'broken').map(({ area }) => area)).toEqual(['models']);
    expect(page.stdout).toContain('read hello.txt');
  });

  it('finds the fleet beside itself or in the home of Robota, and never in the project', async () => {
    await unpack(fleet, join(cwd, 'node_modules'));
    const missing = await run(['fleet', 'list']).catch((failed: { stderr: string }) => failed);
    expect(missing.stderr).toContain(`needs the package ${fleet}, which is not installed`);
    expect(missing.stderr).toContain(`npm install -g ${fleet}`);

    const home = await temporaryDirectory('robota-home');
    await unpack(fleet, join(home, '.robota/packages/node_modules'));
    expect((await run(['fleet', 'list'], { home })).stderr).not.toContain('not installed');
    await linkDependencies(join(home, '.robota/packages/node_modules'), fleet);
    const repo = await temporaryDirectory('robota-repo');
    const git = (...words: string[]) =>
      execute('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...words], { cwd: repo });
    await git('init', '-q');
    await git('commit', '-q', '--allow-empty', '-m', 'first');
    const fields = `repo: ${repo}\nmodel: offline\nsandbox: off`;
    await writeFile(join(cwd, 'task.md'), `---\n${fields}\n---\ncreate made.txt with the text "made"\n`);
    const done = await run(['run', 'task.md', '--json'], { home });
    const { branch } = JSON.parse(done.stdout) as { branch: string };
    expect((await git('show', `${branch}:made.txt`)).stdout).toBe('made\n');

    const beside = join(prefix, 'lib/node_modules', fleet);
    await unpack(fleet, join(prefix, 'lib/node_modules'));
    expect((await run(['fleet', 'list'])).stderr).not.toContain('not installed');
    const manifest = await manifestIn(beside);
    await writeFile(join(beside, 'package.json'), JSON.stringify({ ...manifest, version: '9.0.0' }));
    const other = await run(['fleet', 'list']).catch((failed: { stderr: string }) => failed);
    expect(other.stderr).toContain(`${fleet} 9.0.0 is not compatible with robota`);
  });

  it('searches with the ripgrep package beside itself where the system has none', async () => {
    const folder = join(prefix, 'lib/node_modules/@vscode/ripgrep');
    await mkdir(folder, { recursive: true });
    const program = join(folder, 'rg');
    await writeFile(program, `#!/bin/sh\necho "$@" >> '${join(folder, 'calls')}'\nexit 1\n`, { mode: 0o755 });
    await writeFile(join(folder, 'package.json'), '{"name": "@vscode/ripgrep", "main": "index.js"}');
    await writeFile(join(folder, 'index.js'), `exports.rgPath = ${JSON.stringify(program)};`);
    const words = ['-p', 'find hello', '--model', 'offline', '--no-session'];
    await run(words, { node: process.execPath, path: await temporaryDirectory() });
    expect(await readFile(join(folder, 'calls'), 'utf8')).toContain('hello');
  });

  it('is a library with types of its own', async () => {
    const project = await temporaryDirectory('robota-library');
    await unpack(command, join(project, 'node_modules'));
    await writeProject(project, {
      'consumer.ts': `import { InkTerminal, type PermissionMode, query, type QueryOptions, Session, startCli, type TToolResult } from '@robota-sdk/agent-cli';
        const mode: PermissionMode = 'plan';
        const options: QueryOptions = { permissionMode: mode, model: 'offline', onTextDelta: (delta: string) => void delta };
        const result: TToolResult = { content: [] };
        const code: number = await startCli(['--version']);
        // @ts-expect-error a mode that does not exist
        export const ask = () => query('hi', { permissionMode: 'yolo' });
        console.log(code, typeof query, typeof Session, typeof InkTerminal.writeLine, typeof options, typeof result);`,
    });
    expect(await typeErrors(project)).toBe('');
    const { stdout } = await execute(process.execPath, ['consumer.js'], { cwd: project });
    expect(stdout).toMatch(/^\S+\n0 function function function object object\n$/);
  });
});

describe('the packed SDK, installed by npm from a registry', () => {
  let project: string;

  beforeAll(async () => {
    project = await temporaryDirectory('robota-consumer');
    await writeFile(join(project, 'package.json'), '{"name": "consumer", "private": true, "type": "module"}');
    const wanted = documented(false);
    expect(wanted).toContain('@robota-sdk/agent-sdk');
    await npm(['install', '--prefix', project, '--registry', registry.url, ...wanted, '@types/node']);
    expect(registry.asked).toContain('@robota-sdk/agent-core');
    for (const name of wanted) expect(existsSync(join(project, 'node_modules', name)), name).toBe(true);
  });

  it.each(nodes)('answers a query under %s', async (node) => {
    const script = join(project, 'ask.mjs');
    await writeFile(
      script,
      `import { createSession, query, Session } from '@robota-sdk/agent-sdk';
      import '@robota-sdk/agent-sdk/compat';
      import '@robota-sdk/agent-sdk/front-end';
      import '@robota-sdk/agent-sdk/testing';
      const answer = await query('what is it?', { onTextDelta: (delta) => process.stdout.write(delta + '|') });
      console.log([answer, typeof createSession, typeof Session].join(' '));`,
    );
    const server = await startModelServer();
    server.reply(
      anthropicReply({
        toolCalls: [{ name: 'Grep', input: { pattern: '"name": "consumer"' } }],
      }),
      anthropicReply({ text: ['Forty', '-two.'] }),
    );
    const env = {
      PATH: process.env.PATH,
      HOME: project,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: server.url,
    };
    const { stdout } = await execute(node, [script], { cwd: project, env });
    expect(stdout).toBe('Forty|-two.|Forty-two. function function\n');
    expect(server.requests[1]?.text).toContain('package-lock.json\\n2: ');
    await server.close();
  });

  it.each([
    ['the oldest types of Node', '@types/node', { module: 'nodenext' }],
    [
      'the newest types of Node and a bundler',
      'node-types-newest',
      { module: 'esnext', moduleResolution: 'bundler' },
    ],
  ])('has types that a strict project accepts, with %s', async (_, nodeTypes, resolution) => {
    const installed = join(project, 'node_modules/@types/node');
    await rm(installed, { recursive: true });
    await symlink(join(root, 'node_modules', nodeTypes), installed);
    const entries = await publishedEntries(project);
    const imports = entries.map((entry, index) => `import * as e${index} from '${entry}';`);
    const text = `${imports.join('\n')}\nexport { ${entries.map((_entry, index) => `e${index}`).join(', ')} };\n`;
    const files = {
      'entries.ts': text,
      'consumer.ts': `import { AgentError, type Compaction, createSession, type Extension, loadConfig, loadContext, query, Robota, type Run } from '@robota-sdk/agent-sdk';
      import { type InteractiveSession, runHooks, Session } from '@robota-sdk/agent-sdk/compat';
      import { dispatchInput } from '@robota-sdk/agent-sdk/front-end';
      import { scriptedModel } from '@robota-sdk/agent-sdk/testing';
      const extension: Extension<InteractiveSession> = { name: 'mine', setup: (host) => host.hook('tool-before', () => ({ block: 'no' })) };
      const compactions: Compaction[] = [];
      const answer: string = await query('hi', { cwd: '.', permissionMode: 'plan', maxTurns: 3, extensions: [extension], onTextDelta: (delta: string) => void delta, onCompact: (compaction) => void compactions.push(compaction) });
      const session: Session = createSession({ config: await loadConfig('.'), context: await loadContext('.') });
      const percentage: number = session.getContextState().usedPercentage;
      await using robota = new Robota({ dailyBudget: 1 });
      const run: Run<string> = robota.createSession({ model: scriptedModel(['hi']) }).run('hi');
      const result = await run.result;
      // @ts-expect-error the status is asked for first
      void result.output;
      // @ts-expect-error a mode that does not exist
      void query('hi', { permissionMode: 'yolo' });
      export { answer, percentage, AgentError, runHooks, dispatchInput };`,
    };
    await writeProject(project, files, { ...resolution, typeRoots: [dirname(installed)] });
    expect(await typeErrors(project)).toBe('');
  });
});

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly version: string;
  readonly license: string;
  readonly exports?: object;
  readonly bin: unknown;
}

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

function archiveOf(name: string): string {
  return packed.find((each) => each.name === name)?.file ?? '';
}

/** Puts beside a package what it needs, as npm would. */
async function linkDependencies(modules: string, name: string): Promise<void> {
  const { dependencies = {} } = await manifestIn(join(modules, name));
  for (const needed of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, needed)), { recursive: true });
    await symlink(join(root, 'node_modules', needed), join(modules, needed));
  }
}

async function unpack(name: string, modules: string): Promise<void> {
  const folder = join(modules, name);
  await mkdir(folder, { recursive: true });
  await execute('tar', ['-xzf', archiveOf(name), '-C', folder, '--strip-components=1']);
}

/** Runs npm with a cache, a home and settings that hold nothing. */
async function npm(words: readonly string[]): Promise<void> {
  const home = await temporaryDirectory('robota-npm');
  const env = { PATH: process.env.PATH, HOME: home, npm_config_cache: join(home, 'cache') };
  await execute('npm', [...words, '--no-audit', '--no-fund', '--no-update-notifier'], { cwd: home, env });
}

/** All paths that stand somewhere in a field of a manifest. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

/** Says what is wrong with the source map of a file. */
async function mapProblem(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8');
  const [, name] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(text) ?? [];
  if (name === undefined) return `${file} has no map`;
  const { sources } = JSON.parse(await readFile(join(dirname(file), name), 'utf8')) as { sources: string[] };
  const missing = sources.filter((source) => !existsSync(resolve(dirname(file), source)));
  return missing.length > 0 || sources.length === 0 ? `${file} leads to ${missing}` : undefined;
}

/** Every entry of our packages that are installed in a project. */
async function publishedEntries(project: string): Promise<readonly string[]> {
  const scope = '@robota-sdk';
  const names = await readdir(join(project, 'node_modules', scope));
  const entries = names.map(async (name) => {
    const { exports } = await manifestIn(join(project, 'node_modules', scope, name));
    const keys = Object.keys(exports ?? {}).filter((key) => !/\*|\.json$/.test(key));
    return keys.map((key) => `${scope}/${name}${key.slice(1)}`);
  });
  return (await Promise.all(entries)).flat();
}

async function writeProject(
  project: string,
  files: Readonly<Record<string, string>>,
  options: object = {},
): Promise<void> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: false,
    ...options,
  };
  await writeFile(join(project, 'package.json'), '{"name": "consumer", "private": true, "type": "module"}');
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(files) }),
  );
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
}

async function typeErrors(project: string): Promise<string> {
  const { stdout } = await execute(process.execPath, [tsc, '-p', project]).catch(
    (failed: { stdout: string }) => failed,
  );
  return stdout;
}
