import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const say = (text: string) => anthropicReply({ text });
const write = (path: string, id = 'toolu_1') =>
  anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: path, content: 'x\n' }, id }] });

/** Counts its runs, and passes once there is a file "done". */
const check = 'echo run >> runs; test -e done || { echo "done is missing"; exit 3; }';
const goal = ['--goal', 'make the file done', '--check', check, '--permission-mode', 'acceptEdits'];

const stage = stagePerTest();

const runs = async () =>
  (await readFile(join(stage.cwd, 'runs'), 'utf8').catch(() => '')).split('\n').length - 1;
const lastText = (request: number) => JSON.stringify(stage.messages(request).at(-1));

describe('a goal with a check', () => {
  it('sends a model back once that claims to be done, with the output of the check', async () => {
    stage.server.reply(say('Done!'), write('done'), say('Now it is there.'));
    const { code, stdout, stderr } = await stage.robota(['-p', 'go', ...goal]);
    expect(stderr).toContain('Goal check failed with exit code 3');
    expect(stderr).toContain('Goal check passed');
    expect(stdout).toBe('Now it is there.\n');
    expect(code).toBe(0);
    expect(await runs()).toBe(2);
    expect(JSON.stringify(stage.messages(0))).toContain('The goal of this session: make the file done.');
    expect(lastText(1)).toContain('done is missing');
    expect(lastText(1)).toContain('exit code 3');
  });

  it('ends with exit code 1 and says what is unproven where the check still fails', async () => {
    stage.server.reply(say('Done!'), say('Really, it is done.'));
    const { code, stdout } = await stage.robota(['-p', 'go', ...goal, '--output-format', 'json']);
    expect(code).toBe(1);
    const run = { command: check, passed: false, exit_code: 3, output: expect.stringContaining('missing') };
    expect(JSON.parse(stdout)).toMatchObject({
      is_error: true,
      error_code: 'unproven',
      error: expect.stringContaining('Goal unproven'),
      partial_result: 'Really, it is done.',
      goal: { text: 'make the file done', check, proven: false, checks: [run, run] },
    });
    expect(stage.server.requests).toHaveLength(2);
  });

  it('takes the goal as the prompt, and reports the check that proved it', async () => {
    stage.server.reply(write('done'), say('Made it.'));
    const { code, stdout } = await stage.robota(['-p', ...goal, '--output-format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      result: 'Made it.',
      goal: { proven: true, checks: [{ passed: true, exit_code: 0 }] },
    });
    expect(JSON.stringify(stage.messages(0))).toContain('make the file done');
  });

  it('never runs a check that a deny rule forbids, and counts it as unproven', async () => {
    stage.server.reply(say('Done!'), say('Done!'));
    const denied = ['--goal', 'x', '--check', 'touch ran', '--deny', 'Bash(touch *)'];
    const { code, stderr } = await stage.robota(['-p', 'go', ...denied]);
    expect(code).toBe(1);
    expect(stderr).toContain('Goal unproven: the check "touch ran" did not run to its end');
    expect(existsSync(join(stage.cwd, 'ran'))).toBe(false);
  });

  it('needs no question for the check, and none of its words allow the model anything', async () => {
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'touch done' }, id: 'toolu_1' }] }),
      say('Done!'),
    );
    const { code } = await stage.robota(['-p', 'go', '--goal', 'x', '--check', 'touch done']);
    expect(code).toBe(0);
    expect(stage.results(1)[0]).toMatchObject({ isError: true });
    expect(existsSync(join(stage.cwd, 'done'))).toBe(true);
  });

  it('applies the hooks of Bash: one that denies leaves the goal unproven', async () => {
    const hook = { type: 'command', command: 'echo "not today" >&2; exit 2' };
    const settings = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } });
    stage.server.reply(say('Done!'), say('Done!'));
    const given = ['--goal', 'x', '--check', 'touch ran', '--settings', settings];
    const { code, stderr } = await stage.robota(['-p', 'go', ...given]);
    expect(code).toBe(1);
    expect(stderr).toContain('not today');
    expect(existsSync(join(stage.cwd, 'ran'))).toBe(false);
  });

  it('is a usage error without a goal, and in many prompts', async () => {
    const without = await stage.robota(['-p', 'go', '--check', 'true']);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('--check needs --goal');
    const many = await stage.robota(['-p', '--input-format', 'stream-json', '--goal', 'x']);
    expect(many.code).toBe(2);
    expect(many.stderr).toContain('/goal TEXT --check COMMAND');
  });
});

describe('/goal', () => {
  it('works towards the goal; the session keeps it, and a resumed one shows it without running the check', async () => {
    stage.server.reply(write('done'), say('Made it.'));
    const command = `/goal make the file done --check "${check.replaceAll('"', '')}"`;
    const first = await stage.robota(['-p', command, '--permission-mode', 'acceptEdits']);
    expect(first.stderr).toContain('Goal check passed');
    expect(first.code).toBe(0);
    const shown = await stage.robota(['-p', '-c', '/goal']);
    expect(shown.stdout).toContain('Goal: make the file done\nCheck: echo run');
    expect(shown.stdout).toContain('does not run after a resume');
    stage.server.reply(say('Hello.'));
    expect((await stage.robota(['-p', '-c', 'hello'])).code).toBe(0);
    expect(await runs()).toBe(1);
    expect((await stage.robota(['-p', '-c', '/goal clear'])).stdout).toContain('Goal removed.');
    expect((await stage.robota(['-p', '-c', '/goal'])).stdout).toContain('No goal set.');
  });

  it('without a check only pins the goal', async () => {
    stage.server.reply(say('Done.'));
    const { code, stdout } = await stage.robota(['-p', '/goal tidy up', '--output-format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).goal).toEqual({ text: 'tidy up', proven: false, checks: [] });
  });
});

describe('a recording of a goal', () => {
  it('replays what the checks answered, and runs no command', async () => {
    const file = join(stage.cwd, 'tape');
    stage.server.reply(say('Done!'), say('I cannot.'));
    const recorded = await stage.robota(['-p', `/goal the file done --check ${check}`, '--record', file]);
    expect(recorded.code).toBe(1);
    const replayed = await stage.robota(['-p', '--replay', file]);
    expect(replayed.code).toBe(1);
    expect(replayed.stderr).toContain('Goal unproven');
    expect(await runs()).toBe(2);
    expect(stage.server.requests).toHaveLength(2);
  });
});
