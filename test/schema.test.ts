import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '@robota-sdk/agent-sdk';
import { createInteractiveSession } from '@robota-sdk/agent-sdk/compat';
import { schemaProblem } from '@robota-sdk/agent-sdk/front-end';
import { anthropicError, anthropicErrorEvent, anthropicReply, eventStream } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { eventShapes } from '../packages/agent-transport-headless/src/schema/event-shapes.ts';
import { inputShapes } from '../packages/agent-transport-headless/src/schema/input-shapes.ts';
import { outputShapes } from '../packages/agent-transport-headless/src/schema/output-shapes.ts';
import { schemas } from '../packages/agent-transport-headless/src/schema/schemas.ts';
import { type Line, Program } from './program.ts';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

/** The problem of a value, including fields the schema lacks; undefined if valid. */
function problemOf(value: JsonValue | undefined, schema: JsonObject, place = '$'): string | undefined {
  const wrong = (what: string) => `${place}: ${what}, got ${JSON.stringify(value)?.slice(0, 200)}`;
  if (Array.isArray(schema.anyOf)) {
    const problems = schema.anyOf.map((each) => problemOf(value, each as JsonObject, place));
    const deepest = problems.toSorted((a = '', b = '') => b.length - a.length)[0];
    return problems.includes(undefined) ? undefined : `none of ${problems.length} fits; ${deepest}`;
  }
  if (schema.const !== undefined && value !== schema.const)
    return wrong(`not ${JSON.stringify(schema.const)}`);
  if (Array.isArray(schema.enum) && !schema.enum.includes(value as string))
    return wrong(`none of ${schema.enum.join(', ')}`);
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === schema.type ? undefined : wrong(`no ${schema.type}`);
    case 'integer':
      return Number.isInteger(value) ? undefined : wrong('no integer');
    case 'null':
      return value === null ? undefined : wrong('not null');
    case 'array':
      if (!Array.isArray(value)) return wrong('no list');
      return first(
        value.map((item, index) => problemOf(item, schema.items as JsonObject, `${place}[${index}]`)),
      );
    case 'object':
      return objectProblem(value, schema, place);
    default:
      return undefined;
  }
}

function objectProblem(value: JsonValue | undefined, schema: JsonObject, place: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${place}: no object`;
  const fields = value as JsonObject;
  const properties = schema.properties as Record<string, JsonObject> | undefined;
  if (!properties) return undefined;
  const missing = ((schema.required as string[] | undefined) ?? []).find(
    (name) => fields[name] === undefined,
  );
  if (missing !== undefined) return `${place}: no ${missing} in ${JSON.stringify(value).slice(0, 200)}`;
  return first(
    Object.entries(fields).map(([name, field]) => {
      const known = properties[name];
      return known ? problemOf(field, known, `${place}.${name}`) : `${place}: ${name} is not in the schema`;
    }),
  );
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

function linesOf(stdout: string): Line[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** The schema that a line is meant by. */
function nameOf({ type, subtype }: Line): keyof typeof outputShapes {
  const named = names[type === 'system' ? String(subtype) : type];
  return named ?? (type.replaceAll('_', '-') as keyof typeof outputShapes);
}

const names: Readonly<Record<string, keyof typeof outputShapes>> = {
  input_end: 'input-end',
  init: 'init',
  status: 'status',
  compact_boundary: 'compacted',
  api_retry: 'retry',
  permission_denied: 'denied',
  local_command_output: 'command-output',
  task_started: 'task',
  task_progress: 'task',
  task_notification: 'task',
  background_tasks_changed: 'tasks',
  rate_limit_event: 'rate-limit',
  command_lifecycle: 'prompt-state',
  control_cancel_request: 'control-cancel',
};

function expectToFit(lines: readonly Line[]): Set<string> {
  const seen = new Set<string>();
  for (const line of lines) {
    const name = nameOf(line);
    seen.add(name);
    expect(problemOf(line as JsonObject, outputShapes[name].json)).toBeUndefined();
  }
  return seen;
}

const say = (text: string) => anthropicReply({ text });
const call = (name: string, input: unknown, id = 'toolu_1') =>
  anthropicReply({ toolCalls: [{ name, input, id }] });

describe('robota schema', () => {
  it('prints all, one, or their names', async () => {
    const all = JSON.parse((await stage.robota(['schema'])).stdout) as { $defs: Record<string, JsonObject> };
    expect(all.$defs).toEqual(schemas());
    const one = JSON.parse((await stage.robota(['schema', 'result'])).stdout) as JsonObject;
    expect(one).toMatchObject({
      $schema: expect.stringContaining('2020-12'),
      required: expect.arrayContaining(['session_id']),
    });
    const { stdout } = await stage.robota(['schema', '--list']);
    for (const name of Object.keys(schemas())) expect(stdout).toContain(name);
    const wrong = await stage.robota(['schema', 'resutl']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean result?') });
  });

  it('gives schemas that can be used', () => {
    for (const [name, schema] of Object.entries(schemas()))
      expect(schemaProblem(schema, name)).toBeUndefined();
  });
});

describe('what is printed', () => {
  it('fits its schema in a run with tools, thinking, a denial and a restart', async () => {
    proves('H-9', 'H-10');
    const broken = eventStream([...chunksOfHalfAnAnswer(), anthropicErrorEvent('overloaded_error', 'busy')]);
    stage.server.reply(
      anthropicReply({
        thinking: { text: 'Hm.', signature: 's' },
        toolCalls: [{ name: 'Bash', input: { command: 'touch x' } }],
      }),
      call('Write', { file_path: 'a.txt', content: 'x' }),
      broken,
      say('Done.'),
    );
    const { stdout } = await stage.robota([
      '-p',
      'go',
      '--verbose',
      '--output-format',
      'stream-json',
      '--allow',
      'Write',
    ]);
    expect([...expectToFit(linesOf(stdout))].sort()).toEqual([
      'assistant',
      'denied',
      'init',
      'result',
      'retry',
      'user',
    ]);
  });

  it('fits its schema where a run fails, and where a command answers', async () => {
    proves('H-7');
    stage.server.handle(() => anthropicError(401, 'bad key'));
    const failed = await stage.robota(['-p', 'go', '--output-format', 'json']);
    const command = await stage.robota(['-p', '/mode', '--output-format', 'json']);
    for (const { stdout } of [failed, command]) expectToFit(linesOf(stdout));
  });

  it('fits its schema with background tasks and a compaction', async () => {
    proves('H-11');
    stage.server.handle(({ text }) => {
      if (text.includes('be a helper') && !text.includes('tool_result')) return say('I helped.');
      return say('A summary, or an answer.');
    });
    stage.server.reply(
      call('Agent', {
        prompt: 'be a helper',
        description: 'help',
        run_in_background: true,
        subagent_type: 'general-purpose',
      }),
    );
    const first = await stage.robota(['-p', 'go', '--output-format', 'stream-json']);
    expectToFit(linesOf(first.stdout));
    expect(first.stdout).toContain('background_task_event');
    const second = await stage.robota(['-p', '/compact', '-c', '--output-format', 'stream-json']);
    expectToFit(linesOf(second.stdout));
  });

  it('fits its schema on a channel, in both directions', async () => {
    stage.server.reply(
      call('Bash', { command: 'touch a' }),
      call('AskUser', { question: 'Which?', options: ['A', 'B'] }),
      say('Ok.'),
      call('Bash', { command: 'touch b' }),
      say('x'),
    );
    const program = new Program(stage, [
      '--permission-prompt-tool',
      'stdio',
      '--replay-user-messages',
      '--include-partial-messages',
    ]);
    const said: JsonObject[] = [];
    const send = (message: JsonObject) => {
      said.push(message);
      program.send(message);
    };
    send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } });
    send({ type: 'control_request', request_id: '2', request: { subtype: 'set_model', model: 'nobody/x' } });
    program.send('oops');
    send({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'go' }] } });
    const question = await program.next(({ type }) => type === 'control_request');
    const response = { behavior: 'allow', updatedInput: { command: 'touch a' } };
    send({
      type: 'control_response',
      response: { subtype: 'success', request_id: String(question.request_id), response },
    });
    const choice = await program.next(({ type }) => type === 'control_request');
    expect(choice.request).toMatchObject({ subtype: 'can_use_tool', tool_name: 'AskUserQuestion' });
    const answered = { behavior: 'allow', updatedInput: { answers: { 'Which?': 'B' } } };
    send({
      type: 'control_response',
      response: { subtype: 'success', request_id: String(choice.request_id), response: answered },
    });
    await program.result();
    send({
      type: 'user',
      uuid: 'second',
      message: {
        role: 'user',
        content: [
          { type: 'text', text: 'again' },
          { type: 'document', title: 'Notes', source: { type: 'text', data: 'fig' } },
        ],
      },
    });
    await program.next(({ type }) => type === 'control_request');
    send({ type: 'interrupt' });
    await program.end();
    const seen = expectToFit(program.lines);
    const expected = [
      'control-request',
      'control-response',
      'control-cancel',
      'error',
      'user',
      'prompt-state',
    ];
    for (const name of expected) expect([...seen]).toContain(name);
    for (const message of said)
      expect(
        problemOf(message, { anyOf: Object.values(inputShapes).map(({ json }) => json) }),
      ).toBeUndefined();
    expect(stage.results(2)[0]?.text).toContain('B');
  });

  it('fits its schema in the SDK', async () => {
    stage.server.reply(
      anthropicReply({
        thinking: { text: 'Hm.', signature: 's' },
        text: 'Look.',
        toolCalls: [{ name: 'Glob', input: { pattern: '*' } }],
      }),
      call('Bash', { command: 'echo hello' }),
      call('Write', { file_path: 'a.txt', content: 'x\n' }),
      call('TodoWrite', { todos: [{ content: 'a', status: 'pending' }] }),
      call('Read', { file_path: 'a.txt' }),
      anthropicError(529, 'busy'),
      say('Done.'),
    );
    const session = await createInteractiveSession({
      cwd: stage.cwd,
      host: {
        home: stage.home,
        env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url, PATH: process.env.PATH },
      },
      model: 'claude-sonnet-4-6',
      store: 'none',
      permissionMode: 'bypassPermissions',
      retry: { maxRetries: 2, baseDelayMs: 1, maxDelayMs: 5, maxRetryAfterMs: 5 },
    });
    const seen = new Set<string>();
    const problems: string[] = [];
    session.on('event', (event) => {
      seen.add(event.type);
      // As it would be sent.
      const value = JSON.parse(JSON.stringify(event)) as JsonObject;
      const problem = problemOf(value, eventShapes[event.type].json);
      if (problem !== undefined) problems.push(problem);
    });
    await session.submit('go');
    await session.getSession().compact();
    await session.shutdown();
    expect(problems).toEqual([]);
    for (const type of [
      'run-start',
      'thinking-delta',
      'tool-start',
      'tool-end',
      'retry-wait',
      'message-append',
      'turn-end',
      'run-end',
    ])
      expect([...seen]).toContain(type);
  });
});

describe('docs/headless.md', () => {
  it('lists every line and every event with its fields', async () => {
    const page = await readFile(join(import.meta.dirname, '../docs/headless.md'), 'utf8');
    for (const [name, { json }] of Object.entries({ ...outputShapes, ...inputShapes, ...eventShapes }))
      expect(page).toContain(rowOf(name, json));
    for (const name of Object.keys(schemas())) expect(page).toContain(`\`${name}\``);
  });
});

/** The row of a schema in the page: its name, what it is, and its fields, those that may be absent with a question mark. */
function rowOf(name: string, { properties = {}, required = [], description = '' }: JsonObject): string {
  const fields = Object.keys(properties as JsonObject)
    .filter((field) => field !== 'type' && field !== 'subtype')
    .map((field) => `\`${field}${(required as string[]).includes(field) ? '' : '?'}\``);
  return `| \`${name}\` | ${description} | ${fields.join(', ')} |`;
}

/** An answer that breaks off in its text. */
function chunksOfHalfAnAnswer(): string[] {
  const reply = say('Half of');
  return (reply.chunks as string[]).slice(0, 4);
}
