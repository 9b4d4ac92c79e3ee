import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  anthropicReply,
  type RecordedRequest,
  type Reply,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExampleRunner } from './example-program.ts';

const execute = promisify(execFile);

let runner: ExampleRunner;
const server = modelServerPerTest();
let home: string;
let cwd: string;

beforeAll(async () => {
  runner = await ExampleRunner.start();
});
afterAll(() => runner.close());

beforeEach(async () => {
  home = await temporaryDirectory('robota-home');
  cwd = await realpath(await temporaryDirectory());
  await mkdir(join(cwd, 'app'));
});

const text = (words: string | string[]) => anthropicReply({ text: words });
const call = (name: string, input: object) =>
  anthropicReply({ toolCalls: [{ name, input: input as never }] });
const write = (file_path: string) => call('Write', { file_path, content: 'x' });

interface Program {
  readonly name: string;
  /** The answers of the model in their order, or what answers each request. */
  readonly model?: readonly Reply[] | ((request: RecordedRequest) => Reply);
  readonly prints: string | RegExp;
  check?(): Promise<void> | void;
}

/** Programs that look at commits. */
const usesGit = new Set(['reviewer-bot', 'changelog-writer']);

/** A tagged commit and another one. */
async function makeRepository(folder: string): Promise<void> {
  const git = (...args: string[]) =>
    execute('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  await git('init', '--quiet');
  await git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
  await git('tag', 'v1');
  await writeFile(join(folder, 'sum.js'), 'export const sum = (a, b) => a;\n');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'Add a sum');
}

/** Names that the programs only mention. */
const replace = () => ({ 'https://llm.example': server.url });

const programs: readonly Program[] = [
  { name: 'one-question', model: [text('None.')], prints: 'None.\n' },
  {
    name: 'streaming',
    model: [call('Glob', { pattern: '*' }), text(['It ', 'builds.']), text('They pass.')],
    prints: "Glob { pattern: '*' }\nIt builds.\ncompleted after 2 turns\nThey pass.\n",
  },
  {
    name: 'structured-output',
    model: [text('{"tests": 3}'), text('{"tests": 3, "slowest": "cart"}'), text('{"count": 2}')],
    prints: '4 CART\n2\n',
  },
  {
    name: 'own-tool',
    model: [call('Clock', { zone: 'Asia/Seoul' }), text('That one.')],
    prints: 'That one.\n',
    check: () => expect(server.requests[1]?.text).toMatch(/"20\d\d"/),
  },
  {
    name: 'permissions',
    model: [
      anthropicReply({
        toolCalls: [
          { name: 'Bash', input: { command: 'git log' } },
          { name: 'Write', input: { file_path: 'CHANGELOG.md', content: 'x' } },
          { name: 'Read', input: { file_path: 'secrets/a' } },
        ],
      }),
      text('Done.'),
    ],
    prints: /^Bash .*disabled in this job.*\nRead .*\n$/,
    check: async () => expect(await readFile(join(cwd, 'app/CHANGELOG.md'), 'utf8')).toBe('x'),
  },
  {
    name: 'reviewer-bot',
    model: [
      text(
        '{"defects": [{"path": "sum.js", "line": 1, "severity": "warning", "message": "adds\\nnothing"}]}',
      ),
    ],
    prints: '::warning file=sum.js,line=1::adds nothing\n',
    check: () => expect(server.requests[0]?.text).toContain('+export const sum'),
  },
  {
    name: 'changelog-writer',
    model: [
      call('Commits', {}),
      call('Write', { file_path: 'CHANGELOG.md', content: '## Unreleased\n' }),
      write('other.md'),
      text('Written.'),
    ],
    prints: 'completed Written.\n',
    check: async () => {
      expect(server.requests[1]?.text).toContain('- Add a sum');
      expect(server.requests[1]?.text).not.toContain('- Begin');
      expect(await readdir(join(cwd, 'app'))).not.toContain('other.md');
      expect(await readFile(join(cwd, 'app/CHANGELOG.md'), 'utf8')).toBe('## Unreleased\n');
    },
  },
  {
    name: 'web-app',
    model: [write('NEWS.md'), text('Written.')],
    prints: 'question Write true true\nrun-end completed true\n',
    check: async () => expect(await readFile(join(cwd, 'app/NEWS.md'), 'utf8')).toBe('x'),
  },
  {
    name: 'hooks',
    model: [
      anthropicReply({
        toolCalls: [
          { name: 'Bash', input: { command: 'npm publish' } },
          { name: 'Bash', input: { command: 'true' } },
        ],
      }),
      text('Upgraded.'),
      text('The tests pass.'),
    ],
    prints: 'audit Bash\n',
    check: () => {
      expect(server.requests[1]?.text).toContain('Publishing is not allowed.');
      expect(server.requests[2]?.text).toContain('Run the tests first.');
    },
  },
  {
    name: 'subagents',
    model: (request) => {
      if (request.text.includes('List defects.')) return text('No defects.');
      if (request.text.includes('No defects.')) return text('Reviewed.');
      return call('Agent', { subagent_type: 'reviewer', description: 'x', prompt: 'Go' });
    },
    prints: /^main .*\nagent claude-haiku.*\nmain .*\nReviewed\. 2\n$/,
  },
  {
    name: 'mcp-servers',
    model: [
      call('mcp__calc__add', { a: 2, b: 3 }),
      call('ToolSearch', { query: 'greet' }),
      call('mcp__own__greet', { name: 'you' }),
      text('Five.'),
    ],
    prints: 'Five.\n',
    check: () => {
      expect(server.requests[1]?.text).toContain('"5"');
      expect(server.requests.at(-1)?.text).toContain('Hello, you.');
    },
  },
  {
    name: 'sessions',
    model: () => text('It waits for a timer.'),
    prints: 'It waits for a timer.\n2\n',
    check: () => expect(server.requests.map(({ body }) => Object(body).messages.length > 1)).toContain(true),
  },
  { name: 'budgets', model: [text('Ported.')], prints: 'completed true true 1 true\n' },
  {
    name: 'abort-and-errors',
    model: [call('Glob', { pattern: '*' })],
    prints: 'max-turns 1\naborted 0\n',
  },
  {
    name: 'steering',
    model: [call('Glob', { pattern: '*' }), text('A page.'), text('Tests.')],
    prints: 'A page. / Tests.\nsteered true\n',
    check: () => expect(server.requests[1]?.text).toContain('Use the existing form component.'),
  },
  {
    name: 'own-provider',
    model: () => ({ ...text(''), headers: { 'content-type': 'text/plain' }, chunks: ['Hello from ACME.'] }),
    prints: 'Hello from ACME.\n',
  },
  { name: 'testing', prints: /# pass 3\n|pass 3\n/ },
];

describe('the programs in examples/sdk', () => {
  it('are all run here', async () => {
    const folder = fileURLToPath(new URL('../examples/sdk', import.meta.url));
    const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
    expect(files.sort()).toEqual(programs.map(({ name }) => `${name}.ts`).sort());
  });

  it.each(programs)('$name', async ({ name, model = [], prints, check }) => {
    if (usesGit.has(name)) await makeRepository(join(cwd, 'app'));
    if (typeof model === 'function') server.handle(model);
    else server.reply(...model);
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      TENANT_HOME: home,
      TENANT_KEY: 'canary-0123456789',
      ANTHROPIC_API_KEY: 'canary-0123456789',
      ANTHROPIC_BASE_URL: server.url,
    };
    const stdout = await runner.runFile(`sdk/${name}.ts`, {
      cwd,
      env,
      replace: replace(),
      isApart: name === 'testing',
    });
    if (typeof prints === 'string') expect(stdout).toBe(prints);
    else expect(stdout).toMatch(prints);
    await check?.();
  });
});
