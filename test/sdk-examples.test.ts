import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Robota } from '@robota-sdk/agent-sdk';
import { anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExampleRunner } from './example-program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const execute = promisify(execFile);

interface Block {
  readonly title: string;
  readonly code: string;
  readonly runs: boolean;
}

/** The TypeScript blocks of a page. */
async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(root, 'docs', page), 'utf8');
  return [...text.matchAll(/^```ts( run)?\n([\s\S]*?)^```$/gm)].map(([, run, code = ''], index) => ({
    title: `${page} ${index + 1}`,
    code,
    runs: run !== undefined,
  }));
}

const blocks = [
  ...(await blocksOf('sdk.md')),
  ...(await blocksOf('sdk-from-claude.md')),
  ...(await blocksOf('extensions.md')),
];
let runner: ExampleRunner;
const server = modelServerPerTest();
let folder: string;

beforeAll(async () => {
  // Inside the repository, so that the packages are found as installed ones are.
  const cache = join(root, 'node_modules/.cache/robota');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'docs-'));
  runner = await ExampleRunner.start();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await runner.close();
});

describe('the examples of the documentation', () => {
  it('are accepted by a strict compiler', async () => {
    proves('R-3', 'R-4', 'R-5', 'R-6', 'R-7', 'R-34');
    expect(blocks.length).toBeGreaterThan(12);
    const files = await Promise.all(
      blocks.map(async ({ code }, index) => {
        const file = join(folder, `block-${index}.ts`);
        await writeFile(file, code);
        return file;
      }),
    );
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      module: 'nodenext',
      target: 'es2023',
      moduleDetection: 'force',
      types: ['node'],
      noEmit: true,
      skipLibCheck: true,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await execute(process.execPath, [tsc, '-p', folder]).catch(
      (failed: { stdout: string }) => failed,
    );
    expect(stdout).toBe('');
  });

  it.each(blocks.filter(({ runs }) => runs))('$title runs', async ({ code }) => {
    const cwd = await temporaryDirectory();
    const home = await temporaryDirectory('robota-home');
    server.handle(({ text }) =>
      anthropicReply({ text: text.includes('\\"tests\\"') ? '{"tests": 3}' : 'Well.' }),
    );
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: server.url,
    };
    await runner.run(code, { cwd, env, replace: { '/path/to/project': cwd } });
    expect(server.requests.length).toBeGreaterThan(0);
  });
});

describe('in a server', () => {
  it('twenty questions at once do not know of each other', async () => {
    server.handle(({ headers, body }) => {
      const { messages } = body as { messages: { role: string; content: unknown }[] };
      const said = JSON.stringify(messages);
      if (!said.includes('tool_result'))
        return anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'echo "[$TENANT]"; pwd' } }] });
      const shown = /\[tenant-\d+\]\\n[^"\\]*/.exec(said)?.[0];
      return anthropicReply({ text: `${headers['x-api-key']} ${shown}` });
    });
    const warnings: string[] = [];
    const note = (warning: Error) => void warnings.push(warning.message);
    process.on('warning', note);
    const before = { env: { ...process.env }, cwd: process.cwd(), listeners: listeners() };
    let most = 0;
    const tenants = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const home = await temporaryDirectory('robota-home');
        const env = {
          TENANT: `tenant-${index}`,
          ANTHROPIC_API_KEY: `key-${index}`,
          ANTHROPIC_BASE_URL: server.url,
        };
        const robota = new Robota({ home, env });
        return { index, home, robota, cwd: await temporaryDirectory() };
      }),
    );
    const open = () => tenants.reduce((sum, { robota }) => sum + robota.live.size, 0);
    for (const { robota } of tenants)
      robota.subscribe(({ event }) => {
        if (event.type === 'session-open') most = Math.max(most, open());
      });
    const answers = await Promise.all(
      tenants.map(({ index, cwd, robota }) =>
        robota.query('who am I?', {
          cwd,
          model: index % 2 === 0 ? 'claude-sonnet-4-6' : 'claude-haiku-4-5',
          permissionMode: 'bypassPermissions',
          // Every fifth one is refused by its own rules.
          ...(index % 5 === 4 ? { permissions: { deny: ['Bash'] } } : {}),
        }),
      ),
    );
    for (const { index, cwd, home } of tenants) {
      const own = index % 5 === 4 ? 'undefined' : `[tenant-${index}]\\n${cwd}`;
      expect(answers[index]).toBe(`key-${index} ${own}`);
      expect(await readdir(home)).toEqual([]);
    }
    expect(most).toBeGreaterThan(1);
    expect(open()).toBe(0);
    expect({ env: { ...process.env }, cwd: process.cwd(), listeners: listeners() }).toEqual(before);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('the libraries never exit, print, handle signals or change the process', async () => {
    const packages = (await readdir(join(root, 'packages'))).filter((name) =>
      /^(?:xnl|agent-core|agent-sessions|agent-tools|agent-sdk|agent-provider-.*)$/.test(name),
    );
    expect(packages.length).toBeGreaterThan(7);
    const found: string[] = [];
    for (const name of packages) {
      const source = join(root, 'packages', name, 'src');
      for (const file of await readdir(source, { recursive: true })) {
        // Pages and new plugins are programs of their own, which the library only writes.
        if (!file.endsWith('.ts') || /\.test\.ts$|fixtures\/|export\/page\/|scaffold-/.test(file)) continue;
        const code = (await readFile(join(source, file), 'utf8')).replace(
          /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm,
          '',
        );
        for (const [use] of code.matchAll(forbidden)) found.push(`${name}/src/${file}: ${use}`);
      }
    }
    expect(found.toSorted()).toEqual([
      // Files beneath a root are opened from there where the system has no /proc, and back within the same call.
      ...Array<string>(3).fill('agent-core/src/file/beneath.ts: process.chdir'),
      // One listener for the end of the process, which ends what would outlive it.
      "agent-core/src/process/at-exit.ts: process.once('exit'",
    ]);
  });
});

const forbidden =
  /\bconsole\.\w+|\bprocess\.(?:exit\b|exitCode|abort|stdout|stderr|stdin|chdir|umask|title|env\.\w+\s*=[^=]|env\[[^\]]+\]\s*=[^=]|(?:on|once|addListener)\([^,)]*)/g;

function listeners(): Record<string, number> {
  const names = [
    'exit',
    'beforeExit',
    'SIGINT',
    'SIGTERM',
    'SIGHUP',
    'uncaughtException',
    'unhandledRejection',
  ];
  return Object.fromEntries(names.map((name) => [name, process.listenerCount(name)]));
}
