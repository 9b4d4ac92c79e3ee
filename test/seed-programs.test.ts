import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anthropicReply, robotaVersion, temporaryDirectory } from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExampleRunner } from './example-program.ts';

let runner: ExampleRunner;
const server = modelServerPerTest();
let home: string;
let cwd: string;

beforeAll(async () => {
  runner = await ExampleRunner.start();
});
afterAll(() => runner.close());

beforeEach(async () => {
  server.handle(({ text }) =>
    anthropicReply({ text: text.includes('You are a hook') ? '{"ok": true}' : ['We', 'll.'] }),
  );
  home = await temporaryDirectory('robota-home');
  cwd = await realpath(await temporaryDirectory());
});

const run = (name: string) =>
  runner.runFile(`seeds/${name}`, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      ANTHROPIC_API_KEY: 'canary-0123456789',
      ANTHROPIC_BASE_URL: server.url,
    },
    replace: { '/path/to/project': cwd },
  });

/** The name of each program, what it prints, and the checklist lines that it proves. */
const programs: readonly (readonly [string, string | (() => unknown), string])[] = [
  ['query.ts', 'Well.\nWell. Well.\n', 'R-3 R-4'],
  ['create-session.ts', 'Well.\n', 'R-5 R-6 R-7'],
  ['generic-session.ts', 'Well. true\n', 'R-2'],
  ['tools.ts', '1\tone\none\nHello, you.\n', 'R-25 R-34 R-35'],
  ['permissions.ts', 'auto approve deny\n', 'R-15'],
  ['session-store.ts', '1 1\n0\n', 'R-8'],
  ['subagents.ts', 'diver general-purpose Explore Plan\nWell.\ntrue\n', 'R-65 R-70 R-72'],
  ['hooks.ts', 'true no shell\nfalse\nAnswer in rhymes.\n', 'R-18 R-21 R-22'],
  [
    'headless.ts',
    () => expect.stringMatching(/^Well\.\n\{"type":"result".*"result":"Well\.".*\}\n0 0\nWell\.\n$/),
    'H-1',
  ],
  ['command-source.ts', 'Hello you\ntrue\nHELLO you\ntrue\n', 'C-58'],
  ['plugins.ts', 'greeter 1.0.0\n1\n0\n', 'R-58 R-59'],
  ['command-line.ts', `${robotaVersion}\nfunction function 0\n`, 'C-3'],
  ['paths.ts', () => `${join(home, '.robota/settings.json')}\n/srv/app/.robota/agents\n`, 'R-74'],
];

describe('the programs of the documents that promised the API', () => {
  it('are all here', async () => {
    const folder = fileURLToPath(new URL('../examples/seeds', import.meta.url));
    const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
    expect(files.sort()).toEqual(programs.map(([name]) => name).sort());
  });

  it.each(programs)('%s runs and prints what the documents say', async (name, output, proven) => {
    proves(...proven.split(' '));
    await mkdir(join(cwd, '.robota/agents'), { recursive: true });
    await writeFile(
      join(cwd, '.robota/agents/diver.md'),
      '---\nname: diver\ndescription: Dives\n---\nYou dive.',
    );
    expect(await run(name)).toEqual(typeof output === 'string' ? output : output());
  });
});
