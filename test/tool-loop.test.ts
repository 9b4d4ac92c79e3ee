import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AnthropicAnswer, anthropicReply, type RecordedRequest } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import type { SentMessage } from './stage.ts';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

const sources = {
  'package.json': '{"name": "sums", "type": "module", "scripts": {"test": "node --test"}}\n',
  'src/sum.js': 'export function sum(numbers) {\n  return numbers.reduce((a, b) => a - b, 0);\n}\n',
  'src/mean.js':
    "import { sum } from './sum.js';\n\nexport const mean = (numbers) => sum(numbers) / numbers.length;\n",
  'test/sum.test.js': [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    "import { mean } from '../src/mean.js';",
    "import { sum } from '../src/sum.js';",
    '',
    "test('sums', () => assert.equal(sum([1, 2, 3]), 6));",
    "test('means', () => assert.equal(mean([2, 4]), 3));",
    '',
  ].join('\n'),
};

/** A repository whose tests fail. */
async function layOutRepository(): Promise<void> {
  for (const [name, text] of Object.entries(sources)) {
    await mkdir(dirname(join(stage.cwd, name)), { recursive: true });
    await writeFile(join(stage.cwd, name), text);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: stage.cwd });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'Start');
}

const todo = (fixed: string, tested: string) => ({
  name: 'TodoWrite',
  input: {
    todos: [
      { content: 'Fix the sum', status: fixed, activeForm: 'Fixing the sum' },
      { content: 'Run the tests', status: tested, activeForm: 'Running the tests' },
    ],
  },
});

const runTests = { name: 'Bash', input: { command: 'node --test --test-reporter=tap' } };

/** The answers of a capable model, turn by turn. */
const turns: readonly AnthropicAnswer[] = [
  { text: 'I run the tests first.', toolCalls: [runTests] },
  { text: 'Two fail. A plan:', toolCalls: [todo('in_progress', 'pending')] },
  {
    toolCalls: [
      { name: 'Grep', input: { pattern: 'sum\\(', output_mode: 'content' } },
      { name: 'Read', input: { file_path: 'src/sum.js' } },
      { name: 'Read', input: { file_path: 'test/sum.test.js' } },
      { name: 'Glob', input: { pattern: 'src/**/*.js' } },
    ],
  },
  {
    text: 'It subtracts.',
    toolCalls: [
      { name: 'Edit', input: { file_path: 'src/sum.js', old_string: 'a - b', new_string: 'a + b' } },
      // Collides with the edit above, so it must see its effect.
      { name: 'Read', input: { file_path: 'src/sum.js' } },
    ],
  },
  { toolCalls: [todo('completed', 'in_progress'), runTests] },
  { toolCalls: [{ name: 'Bash', input: { command: 'git diff --stat' } }, todo('completed', 'completed')] },
  { text: 'Fixed: `src/sum.js:2` subtracted. Both tests pass.' },
];

function answerTurns() {
  let id = 0;
  const numbered = turns.map((turn) => ({
    ...turn,
    ...(turn.toolCalls
      ? { toolCalls: turn.toolCalls.map((call) => ({ ...call, id: `toolu_${++id}` })) }
      : {}),
  }));
  stage.server.reply(...numbered.map((turn) => anthropicReply(turn)));
  return numbered.map((turn) => (turn.toolCalls ?? []).map((call) => call.id));
}

/** A request with the marks taken out that say where caches end; they move on with every turn. */
function withoutCacheMarks({ body }: RecordedRequest) {
  const json = JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value));
  return JSON.parse(json) as { system: unknown; tools: unknown; messages: SentMessage[] };
}

describe('a real repository with a failing test', () => {
  it('is repaired over many turns, every result in its place', async () => {
    proves('E-7', 'P-8', 'P-16');
    await layOutRepository();
    const ids = answerTurns();
    const args = [
      '-p',
      'fix the failing test',
      '--permission-mode',
      'acceptEdits',
      '--output-format',
      'json',
    ];
    const { code, stdout } = await stage.robota([...args, '--allow', 'Bash(node --test *)']);
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ subtype: 'success', num_turns: 7, permission_denials: [] });
    expect(result.result).toContain('Both tests pass');
    expect(execFileSync('node', ['--test'], { cwd: stage.cwd, encoding: 'utf8' })).toContain('pass 2');
    expect(await readFile(join(stage.cwd, 'src/sum.js'), 'utf8')).toContain('a + b');

    ids.slice(0, -1).forEach((wanted, turn) => {
      expect(stage.results(turn + 1).map((answer) => answer.id)).toEqual(wanted);
    });
    expect(stage.results(1)[0]?.text).toContain('# fail 2');
    const [matches, source, test, files] = stage.results(3).map(({ text }) => text);
    expect(matches).toContain('src/mean.js');
    expect(source).toContain('a - b');
    expect(test).toContain("test('means'");
    expect(files).toMatch(/src\/mean\.js[\s\S]*src\/sum\.js/);
    expect(stage.results(4)[1]?.text).toContain('a + b');
    expect(stage.results(5)[1]?.text).toContain('# pass 2');
    expect(stage.results(6)[0]?.text).toContain('src/sum.js');
    const failed = [1, 2, 3, 4, 5, 6]
      .flatMap((turn) => stage.results(turn))
      .filter((answer) => answer.isError);
    expect(failed.map((answer) => answer.id)).toEqual(['toolu_1']);
  });

  it('every request is a byte-identical beginning of the next, so that caches hold', async () => {
    await layOutRepository();
    answerTurns();
    await stage.robota(['-p', 'fix the failing test', '--permission-mode', 'bypassPermissions']);
    const requests = stage.server.requests.map(withoutCacheMarks);
    expect(requests).toHaveLength(7);
    for (const [index, request] of requests.slice(1).entries()) {
      const before = requests[index];
      expect(JSON.stringify(request.system)).toBe(JSON.stringify(before?.system));
      expect(JSON.stringify(request.tools)).toBe(JSON.stringify(before?.tools));
      const same = request.messages.slice(0, before?.messages.length);
      expect(JSON.stringify(same)).toBe(JSON.stringify(before?.messages));
    }
  });

  it('a session that is taken up again begins with the same bytes', async () => {
    await layOutRepository();
    answerTurns();
    await stage.robota(['-p', 'fix the failing test', '--permission-mode', 'bypassPermissions']);
    stage.server.reply(anthropicReply({ text: 'You are welcome.' }));
    await stage.robota(['-p', '-c', 'thank you', '--permission-mode', 'bypassPermissions']);
    const [last, next] = stage.server.requests.slice(-2).map(withoutCacheMarks);
    expect(JSON.stringify(next?.system)).toBe(JSON.stringify(last?.system));
    expect(JSON.stringify(next?.tools)).toBe(JSON.stringify(last?.tools));
    const same = next?.messages.slice(0, last?.messages.length);
    expect(JSON.stringify(same)).toBe(JSON.stringify(last?.messages));
  });
});
