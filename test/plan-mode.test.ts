import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { afterEach, describe, expect, it } from 'vitest';
import { Editor } from './editor.ts';
import { type Line, Program } from './program.ts';
import { stagePerTest } from './stage-per-test.ts';

const plan = '# Rename the file\n\n1. Write b.txt\n2. Check it with `cat b.txt`';
const say = (text: string) => anthropicReply({ text });
const call = (name: string, input: unknown, id = 'toolu_1') =>
  anthropicReply({ toolCalls: [{ name, input, id }] });
const present = () => call('ExitPlanMode', { plan }, 'toolu_plan');
const write = (id = 'toolu_write') => call('Write', { file_path: 'b.txt', content: 'b\n' }, id);
const isQuestion = ({ type }: Line) => type === 'control_request';

const stage = stagePerTest();
let ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

function program(...args: string[]): Program {
  const started = new Program(stage, ['--permission-mode', 'plan', ...args]);
  ends.push(async () => {
    started.child.kill('SIGKILL');
    await started.exited;
  });
  return started;
}

function answer(line: Line, response: unknown) {
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id: line.request_id, response },
  };
}

describe('plan mode', () => {
  it('returns the plan as the answer where no user can approve it, and changes nothing', async () => {
    stage.server.reply(write(), present());
    const { code, stdout } = await stage.robota(['-p', 'rename it', '--permission-mode', 'plan']);
    expect(code).toBe(0);
    expect(stdout).toBe(`${plan}\n`);
    expect(existsSync(join(stage.cwd, 'b.txt'))).toBe(false);
    expect(stage.results(1)[0]?.text).toContain('plan mode never writes');
    expect(stage.server.requests).toHaveLength(2);
    expect(JSON.stringify(stage.messages(0))).toContain('Plan mode is on');
  });

  it('needs no approval of a plan in other modes, and says so to the model', async () => {
    stage.server.reply(present(), say('Carried out.'));
    const { stdout } = await stage.robota(['-p', 'rename it']);
    expect(stdout).toBe('Carried out.\n');
    expect(stage.results(1)[0]).toMatchObject({
      isError: true,
      text: expect.stringContaining('Plan mode is off'),
    });
    expect(JSON.stringify(stage.messages(0))).not.toContain('Plan mode');
  });

  it('asks a program as for any call; its suggestion accepts all edits from then on', async () => {
    stage.server.reply(present(), write(), say('Done.'));
    const running = program('--permission-prompt-tool', 'stdio');
    running.say('rename it');
    const question = await running.next(isQuestion);
    expect(question.request).toMatchObject({
      subtype: 'can_use_tool',
      tool_name: 'ExitPlanMode',
      tool_use_id: 'toolu_plan',
      input: { plan },
      permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    });
    const { permission_suggestions: updatedPermissions } = question.request as Record<string, unknown>;
    running.send(answer(question, { behavior: 'allow', updatedInput: { plan }, updatedPermissions }));
    expect(await running.result()).toMatchObject({ result: 'Done.' });
    expect(existsSync(join(stage.cwd, 'b.txt'))).toBe(true);
    expect(running.lines.filter(isQuestion)).toHaveLength(1);
    expect(stage.results(1)[0]?.text).toContain('The user approved the plan');
  });

  it('asks for each edit after a plain yes, and revises the plan after a no with a reason', async () => {
    stage.server.reply(present(), present(), write(), say('Stopped.'));
    const running = program('--permission-prompt-tool', 'stdio');
    running.say('rename it');
    const first = await running.next(isQuestion);
    running.send(answer(first, { behavior: 'deny', message: 'Keep a.txt as well.' }));
    const second = await running.next((line) => isQuestion(line) && line !== first);
    expect(stage.results(1)[0]?.text).toContain('Keep a.txt as well.');
    running.send(answer(second, { behavior: 'allow', updatedInput: { plan } }));
    const edit = await running.next((line) => isQuestion(line) && line !== first && line !== second);
    expect(edit.request).toMatchObject({ tool_name: 'Write' });
    running.send(answer(edit, { behavior: 'deny', message: 'No.' }));
    expect(await running.result()).toMatchObject({ result: 'Stopped.' });
    expect(existsSync(join(stage.cwd, 'b.txt'))).toBe(false);
  });

  it('asks an editor to switch the mode, and tells it the mode that was chosen', async () => {
    stage.server.reply(present(), write(), say('Done.'));
    const editor = new Editor(stage, { args: ['--permission-mode', 'plan'], permit: () => 'allow_always' });
    ends.push(() => editor.close());
    const { sessionId } = await editor.open(stage.cwd);
    await editor.prompt(sessionId, 'rename it');
    expect(editor.permissions).toMatchObject([
      {
        toolCall: {
          toolCallId: 'toolu_plan',
          kind: 'switch_mode',
          rawInput: { plan },
          content: [{ type: 'content', content: { type: 'text', text: plan } }],
        },
        options: [
          { kind: 'allow_always', name: 'Approve, and accept all edits' },
          { kind: 'allow_once', name: 'Approve, and ask before each edit' },
          { kind: 'reject_once', name: 'Keep planning' },
        ],
      },
    ]);
    expect(editor.of('current_mode_update')).toContainEqual(
      expect.objectContaining({ currentModeId: 'acceptEdits' }),
    );
    const kinds = editor.updates.map(({ update }) => update.sessionUpdate);
    expect(kinds.indexOf('current_mode_update')).toBeLessThan(kinds.lastIndexOf('tool_call'));
    expect(existsSync(join(stage.cwd, 'b.txt'))).toBe(true);
  });

  it('keeps the approved plan with the session: /plan shows it after a resume and a compaction', async () => {
    stage.server.reply(present(), say('Done.'));
    const running = program('--permission-prompt-tool', 'stdio');
    running.say('rename it');
    running.send(answer(await running.next(isQuestion), { behavior: 'allow', updatedInput: { plan } }));
    await running.result();
    expect(await running.end()).toBe(0);
    expect((await stage.robota(['-p', '/plan', '-c'])).stdout).toBe(`${plan}\n`);
    stage.server.reply(say('A summary.'), say('Going on.'));
    expect((await stage.robota(['-p', '/compact', '-c'])).code).toBe(0);
    await stage.robota(['-p', 'next', '-c']);
    expect(JSON.stringify(stage.messages(-1))).toContain('Check it with `cat b.txt`');
    expect((await stage.robota(['-p', '/plan', '-c'])).stdout).toBe(`${plan}\n`);
  });

  it('/plan with a task plans it; without one and without a plan it says how to begin', async () => {
    expect((await stage.robota(['-p', '/plan'])).stdout).toContain('No plan has been approved');
    stage.server.reply(present());
    expect((await stage.robota(['-p', '/plan rename it'])).stdout).toBe(`${plan}\n`);
    expect(JSON.stringify(stage.messages(0))).toContain('Plan mode is on');
  });
});
