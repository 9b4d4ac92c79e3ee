import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import { parseGoal } from './parse-goal.ts';

let project: TestProject;

beforeEach(async () => {
  project = await makeTestProject();
});

const check = 'echo run >> runs; test -e done';
const runs = async () =>
  (await readFile(join(project.cwd, 'runs'), 'utf8').catch(() => '')).split('\n').length - 1;
const edits = { permissionMode: 'acceptEdits' } as const;

describe('a goal that is proven', () => {
  it('stays proven until something changes; reading changes nothing', async () => {
    await writeFile(join(project.cwd, 'done'), '');
    const script = [
      { text: 'one' },
      callTurn('Read', { file_path: 'done' }),
      { text: 'two' },
      callTurn('Write', { file_path: 'other', content: 'x' }),
      { text: 'three' },
    ];
    const { session } = await openScripted(project, script, edits);
    await session.goal.set({ text: 'x', check });
    expect((await session.submit('a'))?.goal).toMatchObject({ proven: true, checks: [{ passed: true }] });
    expect((await session.submit('b'))?.goal).toMatchObject({ proven: true, checks: [] });
    expect(await runs()).toBe(1);
    expect((await session.submit('c'))?.goal?.checks).toHaveLength(1);
    expect(await runs()).toBe(2);
    await session.shutdown();
  });
});

it('a check that takes long is announced while it runs, a quick one is not', async () => {
  const { session } = await openScripted(project, [{ text: 'one' }, { text: 'two' }], edits);
  const told: string[] = [];
  session.subscribe((event) => {
    if (event.type === 'notice-show') told.push(event.text);
  });
  for (const command of ['sleep 1.5', 'true']) {
    await session.goal.set({ text: 'x', check: command });
    await session.submit('a');
  }
  expect(told).toEqual([
    'Goal check is running: sleep 1.5',
    expect.stringMatching(/^Goal check passed: sleep 1\.5 /),
    expect.stringMatching(/^Goal check passed: true /),
  ]);
  await session.shutdown();
});

describe('a goal', () => {
  it('ends with the branch it was set on, and with /goal clear', async () => {
    const { session } = await openScripted(project, () => ({ text: 'ok' }));
    await session.goal.set({ text: 'x', check });
    await session.getSession().clear();
    expect(session.goal.current).toBeUndefined();
    expect((await session.submit('a'))?.status).toBe('completed');
    await session.goal.set({ text: 'x', check });
    expect(session.context.pins).toMatchObject([{ id: 'goal', text: `x\nCheck: ${check}` }]);
    expect(await session.goal.clear()).toBe(true);
    expect(await session.goal.clear()).toBe(false);
    expect((await session.submit('b'))?.status).toBe('completed');
    expect(await runs()).toBe(0);
    await session.shutdown();
  });

  it('tells listeners of a run what it proved', async () => {
    const { session } = await openScripted(project, () => ({ text: 'ok' }));
    const results: unknown[] = [];
    session.subscribe((event) => {
      if (event.type === 'run-end') results.push(event.result);
    });
    await session.goal.set({ text: 'x', check: 'exit 4' });
    const failed = { proven: false, checks: [{ exitCode: 4 }, { exitCode: 4 }] };
    const ended = await session.submit('a');
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'unproven' }, goal: failed });
    expect(results).toMatchObject([{ status: 'failed', goal: failed }]);
    await session.shutdown();
  });

  it('does not count a run that only presents a plan as proof', async () => {
    const { session } = await openScripted(project, [callTurn('ExitPlanMode', { plan: 'first a' })], {
      permissionMode: 'plan',
    });
    await session.goal.set({ text: 'x', check });
    expect(await session.submit('a')).toMatchObject({
      error: { code: 'unproven', message: expect.stringContaining('did not run') },
    });
    await session.shutdown();
  });

  it('needs words and a command', async () => {
    const { session } = await openScripted(project);
    await expect(session.goal.set({ text: ' ' })).rejects.toThrow('The goal is empty.');
    await expect(session.goal.set({ text: 'x', check: '' })).rejects.toThrow('The check is empty.');
    await session.shutdown();
  });
});

describe('the line of a goal', () => {
  it('has the command behind --check, with or without quotes around all of it', () => {
    expect(parseGoal('all tests pass')).toEqual({ text: 'all tests pass' });
    expect(parseGoal('pass --check npm test -- --run')).toEqual({ text: 'pass', check: 'npm test -- --run' });
    expect(parseGoal('pass --check "npm test"')).toEqual({ text: 'pass', check: 'npm test' });
    expect(parseGoal(`pass --check "a b" && "c"`)).toEqual({ text: 'pass', check: '"a b" && "c"' });
    expect(parseGoal('pass --check')).toEqual({ text: 'pass', check: '' });
    expect(parseGoal('--check x')).toEqual({ text: '', check: 'x' });
    expect(parseGoal('no --checks here')).toEqual({ text: 'no --checks here' });
  });
});
