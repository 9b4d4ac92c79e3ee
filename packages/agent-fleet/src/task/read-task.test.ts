import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError, formatDuration, parseDuration, permissionModes } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TaskSpec } from '../contract/task.ts';
import { writeTask, writeTaskLine } from '../fixtures/write-task.ts';
import { parseTaskFile, parseTaskLines, readTaskFile } from './read-task.ts';
import { newTaskId } from './task-id.ts';

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'fleet-task-')));
  mkdirSync(join(folder, '.git'));
  mkdirSync(join(folder, 'tasks'));
});

describe('task files', () => {
  it('reads every field, in dashes and in camelCase', async () => {
    const dashed = await parsed(full);
    const camel = await parsed(
      full.replace('max-cost', 'maxCost').replace('max-time', 'maxTime').replace('max-turns', 'maxTurns'),
    );
    expect(camel).toEqual(dashed);
    expect(dashed).toEqual({
      name: 'cart',
      prompt: 'The test `adds tax` fails about once in ten runs.\n\nFind out why.',
      repo: folder,
      base: 'main',
      setup: 'npm ci',
      check: 'npm test',
      baseline: 'skip',
      model: 'sonnet',
      maxCost: 2.5,
      maxTimeMs: 5_400_000,
      maxTurns: 40,
      attempts: 3,
      keep: 'all',
      after: ['db-migration'],
      permissions: { mode: 'acceptEdits', allow: ['Bash(npm *)'] },
      ask: 'deny',
      deliver: 'draft-pr',
      sandbox: false,
      labels: ['gpu', 'linux'],
      priority: 5,
      origin: { kind: 'file', path: join(folder, 'tasks/cart.md') },
    });
  });

  it('fills in defaults; the name is that of the file and the repository the one around it', async () => {
    writeFileSync(join(folder, 'tasks/plain.md'), 'Fix it.\n');
    expect(await readTaskFile('tasks/plain.md', { directory: folder })).toEqual({
      name: 'plain',
      prompt: 'Fix it.',
      repo: folder,
      baseline: 'require',
      attempts: 1,
      keep: 'first',
      after: [],
      permissions: {},
      ask: 'park',
      deliver: 'branch',
      sandbox: true,
      labels: [],
      priority: 100,
      origin: { kind: 'file', path: join(folder, 'tasks/plain.md') },
    });
  });

  it.each([
    ['max-cots: 3', 'task.md:3: Unknown field "max-cots". Did you mean "max-cost"?'],
    ['maxCots: 3', 'task.md:3: Unknown field "maxCots".'],
    ['max-cost: lots', 'task.md:3: max-cost: expected a number above 0, got the string "lots"'],
    ['maxCost: 0', 'task.md:3: max-cost: expected a number above 0, got 0'],
    ['max-time: 10', 'task.md:3: max-time: expected a duration such as 30m or 1h, got 10'],
    ['attempts: 21', 'task.md:3: attempts: expected an integer from 1 to 20, got 21'],
    ['deliver: brunch', 'Did you mean "branch"?'],
    ['base: --upload-pack=x', 'task.md:3: base: expected a branch, a tag or a commit'],
    ['repo: ext::sh -c x', 'task.md:3: repo: expected a directory or a git URL'],
    ['permissions: { mod: plan }', 'Unknown field "permissions.mod". Did you mean "permissions.mode"?'],
    ['permissions:\n  mode: plan\n  allow: ["Bash("]', 'task.md:5: permissions.allow: Rule "Bash("'],
    ['check: npm test', 'task.md:3: Field "check" is given twice.'],
    ['prompt: x', 'task.md:3: Unknown field "prompt". Write the prompt below the front matter.'],
    ['allow: [Edit]', 'task.md:3: Unknown field "allow". Write permissions: { allow:'],
    ['labels: [a, "b c"]', 'task.md:3: labels'],
    ['after: [', 'task.md:'],
  ])('names file, line and field of %s', async (field, message) => {
    await expect(parsed(`---\ncheck: x\n${field}\n---\nDo it.`, 'task.md')).rejects.toThrow(message);
    await expect(parsed(`---\ncheck: x\n${field}\n---\nDo it.`, 'task.md')).rejects.toSatisfy(
      (thrown) => AgentError.is(thrown) && thrown.code === 'usage',
    );
  });

  it('lists every problem of a file at once', async () => {
    const text = '---\nattempts: no\nask: maybe\n---\n';
    await expect(parsed(text, 'task.md')).rejects.toThrow(
      /task\.md:2: attempts: .*\ntask\.md:3: ask: .*\ntask\.md: The task has no prompt\./s,
    );
  });

  it('says which file is missing', async () => {
    await expect(readTaskFile('none.md', { directory: folder })).rejects.toThrow(
      /none\.md: The task file cannot be read/,
    );
  });
});

describe('lines of JSON', () => {
  it('reads one task from each line', () => {
    const lines = '{"prompt":"one","max-cost":2}\n\n{"prompt":"two","after":"one","maxTime":"1m"}\n';
    const specs = parseTaskLines(lines, { name: 'standard input', directory: folder });
    expect(specs.map(({ name, maxCost, maxTimeMs, after }) => [name, maxCost, maxTimeMs, after])).toEqual([
      ['one', 2, undefined, []],
      ['two', undefined, 60_000, ['one']],
    ]);
  });

  it.each([
    ['{"prompt":"a"}\n{"prompt":', 'standard input:2: Not JSON'],
    ['[1]', 'standard input:1: Expected an object'],
    ['{"name":"x"}', 'standard input:1: prompt: expected a string, but it is missing'],
    ['{"prompt":" "}', 'standard input:1: The task has no prompt.'],
    ['{"prompt":"x","__proto__":1}', 'Unknown field "__proto__"'],
  ])('names the line of %s', (text, message) => {
    expect(() => parseTaskLines(text, { name: 'standard input', directory: folder })).toThrow(message);
  });
});

describe('round trips', () => {
  it('reads any written task as the same task', async () => {
    await fc.assert(
      fc.asyncProperty(anySpec(), async (spec) => {
        const file = join(folder, 'tasks/any.md');
        const fromFile = await parseTaskFile(writeTask(spec), { path: file, file });
        expect(fromFile).toEqual({ ...spec, origin: { kind: 'file', path: file } });
        const [fromLine] = parseTaskLines(writeTaskLine(spec), { name: 'x', directory: folder });
        expect(fromLine).toEqual(spec);
      }),
      { numRuns: 100 },
    );
  });

  it('reads any written duration as the same number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 10 }), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds);
      }),
    );
    for (const text of ['', '1', 'h', '1h30', '-1h', '1y', '1h 2x', '0s', '0.0001s'])
      expect(parseDuration(text)).toBeUndefined();
    expect(parseDuration('1h 30m')).toBe(5_400_000);
  });
});

it('makes ids that are unique and sort by the time they were made', () => {
  const ids = Array.from({ length: 5000 }, (_, index) =>
    newTaskId(1_800_000_000_000 + Math.floor(index / 100)),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids[0]).toMatch(/^[0-9a-z]{12}$/);
});

const full = `---
name: cart
repo: .
base: main
setup: npm ci
check: npm test
baseline: skip
model: sonnet
max-cost: 2.5
max-time: 1h30m
max-turns: 40
attempts: 3
keep: all
after: [db-migration]
permissions: { mode: acceptEdits, allow: ["Bash(npm *)"] }
ask: deny
deliver: draft-pr
sandbox: off
labels:
  - gpu
  - linux
priority: 5
---
The test \`adds tax\` fails about once in ten runs.

Find out why.
`;

function parsed(text: string, path = join(folder, 'tasks/cart.md')): Promise<TaskSpec> {
  return parseTaskFile(text, { path, file: path === 'task.md' ? join(folder, 'task.md') : path });
}

function anySpec(): fc.Arbitrary<TaskSpec> {
  const line = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((value) => value.replace(/\p{Cc}/gu, '').trim())
    .filter((value) => value !== '');
  const text = fc
    .string({ unit: 'binary', minLength: 1 })
    .map((value) => value.replaceAll('\0', ''))
    .filter((value) => value.trim() !== '');
  const rules = fc.array(fc.constantFrom('Bash(npm *)', 'Read', 'Edit(src/**)', 'Bash(git status)'));
  return fc
    .record(
      {
        name: line,
        prompt: text.map((value) => value.trim()),
        repo: fc.constantFrom(folder, 'https://host/x.git', 'git@host:a/b.git'),
        base: fc.constantFrom('main', 'v1.0', 'feature/a', 'HEAD~1'),
        setup: text,
        check: text,
        baseline: fc.constantFrom('require' as const, 'skip' as const),
        model: line,
        maxCost: fc.double({ min: 0.001, max: 1e6, noNaN: true }),
        maxTimeMs: fc.integer({ min: 1, max: 10 ** 9 }),
        maxTurns: fc.integer({ min: 1, max: 10_000 }),
        attempts: fc.integer({ min: 1, max: 20 }),
        keep: fc.constantFrom('first' as const, 'all' as const),
        after: fc.array(line),
        permissions: fc.record(
          { mode: fc.constantFrom(...permissionModes), allow: rules, ask: rules, deny: rules },
          { requiredKeys: [] },
        ),
        ask: fc.constantFrom('park' as const, 'deny' as const),
        deliver: fc.constantFrom(
          'branch' as const,
          'draft-pr' as const,
          'pr' as const,
          'patch' as const,
          'none' as const,
        ),
        sandbox: fc.boolean(),
        labels: fc.array(fc.constantFrom('gpu', 'linux-arm64', 'v1.2')),
        priority: fc.integer({ min: 0, max: 1_000_000 }),
      },
      {
        requiredKeys: [
          'name',
          'prompt',
          'repo',
          'baseline',
          'attempts',
          'keep',
          'after',
          'permissions',
          'ask',
          'deliver',
          'sandbox',
          'labels',
          'priority',
        ],
      },
    )
    .map((spec) => ({ ...spec, origin: { kind: 'command' as const } }));
}
