import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { anthropicReply, startModelServer, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeAll, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
/** Every Node there is to try: the one that runs the tests, and that of the system. */
const nodes = [...new Set([process.execPath, '/usr/bin/node'])].filter((path) => existsSync(path));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

let project: string;
let packages: readonly Manifest[];

beforeAll(async () => {
  project = await temporaryDirectory('robota-pack');
  packages = (await manifests()).filter((manifest) => !manifest.private);
  await pack(packages.map(({ name }) => name));
  const needed = packages.flatMap(({ dependencies, optionalDependencies }) =>
    Object.keys({ ...dependencies, ...optionalDependencies }),
  );
  for (const name of new Set([...needed, '@types/node']))
    if (!name.startsWith('@robota-sdk/')) await link(name);
  await writeFile(join(project, 'package.json'), '{"name": "consumer", "private": true, "type": "module"}');
}, 120_000);

describe('the packed packages', () => {
  it('carry what they need and nothing else', async () => {
    for (const { name } of packages) {
      const files = await readdir(join(project, 'node_modules', name), { recursive: true });
      expect(
        files.filter((file) => /\.test\.|fixtures\/|tsbuildinfo/.test(file)),
        name,
      ).toEqual([]);
      expect(files, name).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
    }
  });

  it('hold every file that their exports and commands name, under any condition', async () => {
    for (const { name } of packages) {
      const folder = join(project, 'node_modules', name);
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      const paths = pathsIn([manifest.exports, manifest.bin]);
      expect(paths.length, name).toBeGreaterThan(0);
      expect(
        paths.filter((path) => !existsSync(join(folder, path))),
        name,
      ).toEqual([]);
    }
  });

  it('bring the notices of everything that is bundled into the command', async () => {
    const folder = join(project, 'node_modules/@robota-sdk/agent-cli/dist');
    const notices = await readFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['jsonc-parser', 'unbash', 'yaml']) {
      const { version, license } = JSON.parse(
        await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8'),
      );
      expect(notices).toContain(`${name} ${version}\nLicence: ${license}\n`);
    }
    expect(notices.match(/^Licence: /gm)?.length).toBeGreaterThan(20);
    expect(notices).not.toContain('@robota-sdk/');
  });

  it.each(nodes)('answer a query of a separate project under %s', async (node) => {
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
      anthropicReply({ toolCalls: [{ name: 'Grep', input: { pattern: 'consumer' } }] }),
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
    expect(server.requests[1]?.text).toContain('package.json');
    await server.close();
  });

  it('have types that a strict project accepts', async () => {
    await writeFile(
      join(project, 'consumer.ts'),
      `import { AgentError, type Compaction, createSession, type Extension, loadConfig, loadContext, query, Robota, type Run } from '@robota-sdk/agent-sdk';
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
    );
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      noEmit: true,
      skipLibCheck: false,
    };
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await execute(process.execPath, [tsc, '-p', project]).catch(
      (failed: { stdout: string }) => failed,
    );
    expect(stdout).toBe('');
  }, 60_000);

  it.each(nodes)('bring a command that runs under %s', async (node) => {
    proves('C-77');
    const command = join(project, 'node_modules/@robota-sdk/agent-cli');
    const manifest = JSON.parse(await readFile(join(command, 'package.json'), 'utf8'));
    const bin = join(command, manifest.bin.robota);
    const { stdout } = await execute(node, [bin, '--version'], { cwd: project, env: {} });
    expect(stdout).toBe(`${manifest.version}\n`);
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'hello.txt'), 'hello');
    const offline = ['-p', 'read hello.txt', '--model', 'offline', '--no-session'];
    const read = await execute(node, [bin, ...offline], { cwd, env: { HOME: project } });
    expect(read.stdout).toContain('hello');
  });
});

async function manifests(): Promise<Manifest[]> {
  const names = await readdir(join(root, 'packages'));
  const files = names
    .map((name) => join(root, 'packages', name, 'package.json'))
    .filter((file) => existsSync(file));
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Manifest));
}

/** Packs as for the registry and unpacks into the project, without a network. */
async function pack(names: readonly string[]): Promise<void> {
  const workspaces = names.flatMap((name) => ['-w', name]);
  const args = [
    'pack',
    ...workspaces,
    '--pack-destination',
    project,
    '--json',
    '--offline',
    '--ignore-scripts',
  ];
  const { stdout } = await execute('npm', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  for (const { name, filename } of packedFiles(stdout)) {
    const target = join(project, 'node_modules', name);
    await mkdir(target, { recursive: true });
    await execute('tar', ['-xzf', join(project, filename), '-C', target, '--strip-components=1']);
  }
}

/** npm lists what it packed as an array, newer ones as an object by name. */
function packedFiles(json: string): { name: string; filename: string }[] {
  return Object.values(JSON.parse(json) as Record<string, { name: string; filename: string }>);
}

/** All paths that stand somewhere in a field of a manifest. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

async function link(name: string): Promise<void> {
  const installed = join(root, 'node_modules', name);
  if (!existsSync(installed)) return;
  const target = join(project, 'node_modules', name);
  await mkdir(dirname(target), { recursive: true });
  await symlink(await realpath(installed), target);
}
