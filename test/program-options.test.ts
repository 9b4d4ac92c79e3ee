import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { programHarness } from './program-harness.ts';

const desk = programHarness();
const { start } = desk;

const say = (text: string) => anthropicReply({ text });
const call = (name: string, input: unknown) =>
  anthropicReply({ toolCalls: [{ name, input, id: 'toolu_1' }] });

interface Sent {
  readonly model: string;
  readonly system: unknown;
  readonly messages?: unknown;
  readonly tools?: readonly { readonly name: string }[];
}

const sent = (index: number) => desk.stage.server.requests.at(index)?.body as Sent;

describe('--agent', () => {
  const reviewer = { description: 'Reviews.', prompt: 'ZZREVIEWER', tools: ['Read', 'Grep'] };

  it('works as an agent of the program: with its instructions, tools and model', async () => {
    desk.stage.server.reply(say('One.'));
    const program = start('--agent', 'reviewer', '--model', 'default');
    const agents = { reviewer: { ...reviewer, model: 'haiku' } };
    program.send({
      type: 'control_request',
      request_id: 'i',
      request: { subtype: 'initialize', agents },
    });
    program.say('go');
    expect(await program.result()).toMatchObject({ result: 'One.' });
    expect(JSON.stringify(sent(0).system)).toContain('ZZREVIEWER');
    expect(
      sent(0)
        .tools?.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['Grep', 'Read']);
    expect(sent(0).model).toContain('haiku');
    expect(await program.end()).toBe(0);
  });

  it('works as an agent of a file, under the model of the command line', async () => {
    await desk.stage.file(
      '.claude/agents/poet.md',
      '---\nname: poet\ndescription: Rhymes.\nmodel: haiku\ntools: Read\n---\nZZPOET\n',
    );
    desk.stage.server.reply(say('One.'));
    const { code, stdout } = await desk.stage.robota([
      '-p',
      'go',
      '--agent',
      'poet',
      '--model',
      'claude-sonnet-4-6',
    ]);
    expect([code, stdout]).toEqual([0, 'One.\n']);
    expect(JSON.stringify(sent(0).system)).toContain('ZZPOET');
    expect(sent(0).model).toBe('claude-sonnet-4-6');
  });

  it('names the agents that there are', async () => {
    const { code, stderr } = await desk.stage.robota(['-p', 'go', '--agent', 'nobody', '--model', 'offline']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Unknown agent "nobody". Available: ')]);
    expect(stderr).toContain('general-purpose');
  });
});

describe('--managed-settings', () => {
  it('stands above --settings', async () => {
    desk.stage.server.reply(call('Bash', { command: 'touch a' }), say('Done.'));
    await desk.stage.robota([
      ...['-p', 'go', '--model', 'claude-sonnet-4-6', '--output-format', 'json'],
      ...['--settings', '{"permissions":{"allow":["Bash"]}}'],
      ...['--managed-settings', '{"permissions":{"deny":["Bash"]}}'],
    ]);
    expect(JSON.stringify(sent(0).tools)).not.toContain('"Bash"');
    expect(JSON.stringify(sent(1).messages)).toContain('Unknown tool');
    expect(existsSync(join(desk.stage.cwd, 'a'))).toBe(false);
  });
});

describe('--debug-to-stderr', () => {
  it('is --debug, as the Claude Agent SDK for Python writes it', async () => {
    const { code, stderr } = await desk.stage.robota(['-p', 'x', '--model', 'offline', '--debug-to-stderr']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('log.jsonl')]);
  });
});

describe('--task-budget', () => {
  it('tells the model', async () => {
    desk.stage.server.reply(say('Done.'));
    await desk.stage.robota(['-p', 'go', '--model', 'claude-sonnet-4-6', '--task-budget', '50000']);
    expect(JSON.stringify(sent(0).system)).toContain('about 50000 tokens');
    const wrong = await desk.stage.robota(['-p', 'go', '--task-budget', 'much']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--task-budget')]);
  });
});

describe('--resume-session-at', () => {
  it('continues after the message with that uuid, also in a copy', async () => {
    desk.stage.server.reply(say('One.'), say('Two.'), say('Three.'), say('Four.'));
    const first = start();
    first.say('first');
    const { session_id: id } = await first.result();
    first.say('second');
    await first.result();
    await first.end();
    const uuid = String(first.of('assistant')[0]?.uuid);
    const again = start('-r', String(id), '--resume-session-at', uuid, '--fork-session');
    again.say('third');
    expect(await again.result()).toMatchObject({ result: 'Three.' });
    expect(await again.end()).toBe(0);
    const text = JSON.stringify(desk.stage.messages(2));
    expect([text.includes('One.'), text.includes('second'), text.includes('third')]).toEqual([
      true,
      false,
      true,
    ]);
    const printed = await desk.stage.robota([
      ...['-p', 'fourth', '-r', String(id), '--resume-session-at', uuid, '--model', 'claude-sonnet-4-6'],
    ]);
    expect(printed.stdout).toBe('Four.\n');
    expect(JSON.stringify(desk.stage.messages(3))).not.toContain('second');
  });

  it('needs a session, and a message of it', async () => {
    const alone = await desk.stage.robota(['-p', 'x', '--resume-session-at', 'm', '--model', 'offline']);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('needs the session')]);
    await desk.stage.robota(['-p', 'x', '--model', 'offline']);
    const wrong = await desk.stage.robota([
      '-p',
      'x',
      '-c',
      '--resume-session-at',
      'm',
      '--model',
      'offline',
    ]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('No message "m"')]);
  });
});

describe('what is refused', () => {
  it('says why, and what to do instead', async () => {
    const auto = await desk.stage.robota(['-p', 'x', '--permission-mode', 'auto']);
    expect([auto.code, auto.stderr]).toEqual([
      2,
      expect.stringContaining('--permission-mode acceptEdits --sandbox required'),
    ]);
  });
});

describe('settings of the sandbox that Robota lacks', () => {
  const sandbox = (more: object) =>
    JSON.stringify({ sandbox: { enabled: true, autoAllowBashIfSandboxed: false, ...more } });
  const run = async (more: object) => {
    desk.stage.server.reply(say('Done.'));
    return desk.stage.robota(['-p', 'go', '--model', 'claude-sonnet-4-6', '--settings', sandbox(more)]);
  };

  it.each([
    { excludedCommands: ['docker'] },
    { allowUnsandboxedCommands: true },
    { ignoreViolations: { file: ['/x'] } },
    { network: { allowLocalBinding: true, allowUnixSockets: ['/x'] } },
    { filesystem: { allowRead: ['/x'] } },
  ])('are told where commands can do less without them: %j', async (more) => {
    const { code, stdout, stderr } = await run(more);
    expect([code, stdout]).toEqual([0, 'Done.\n']);
    expect(stderr).toContain('--settings: sandbox.');
    expect(stderr).toContain('The sandbox has no such setting, so commands can do less.');
  });

  it.each([
    { filesystem: { denyWrite: ['/x'] } },
    { network: { deniedDomains: ['example.com'] } },
    { credentials: { files: [{ path: '/x', mode: 'deny' }] } },
    { future: true },
  ])('are refused where they may be a guard: %j', async (more) => {
    const { code, stdout, stderr } = await run(more);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('The sandbox has no such setting, so it protects nothing.');
  });
});

describe('hooks of a program at the end of its session', () => {
  it('are no failure where the program has gone', async () => {
    desk.stage.server.reply(say('One.'));
    const program = start();
    const hooks = { SessionEnd: [{ hookCallbackIds: ['a'] }] };
    program.send({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize', hooks } });
    program.say('go');
    await program.result();
    expect(await program.end()).toBe(0);
    expect(program.stderr).toBe('');
  });
});
