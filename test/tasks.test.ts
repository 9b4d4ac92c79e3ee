import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, type RecordedRequest, type Reply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { isRunning, type SentMessage } from './stage.ts';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

const stage = stagePerTest();

const model = ['--model', 'claude-sonnet-4-6'];
const bash = (command: string, text = 'Working.') =>
  anthropicReply({ text, toolCalls: [{ name: 'Bash', input: { command } }] });
const messagesOf = ({ body }: RecordedRequest) => (body as { messages: readonly SentMessage[] }).messages;
const textsOf = (request: RecordedRequest) =>
  messagesOf(request).flatMap(({ content }) => content.map(({ text }) => text ?? ''));

/** Answers agents; other requests get "ok". */
function answerAgents(answer: (request: RecordedRequest) => Reply | Promise<Reply>): void {
  stage.server.handle((request) =>
    request.text.includes('You work for another agent') ? answer(request) : anthropicReply({ text: 'ok' }),
  );
}

const terminalEnv = () => ({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url });

describe('agents without a user', () => {
  it('are not detached from a program that ends at once', async () => {
    const result = await stage.robota(['-p', '/agent parallel --detach a:"x"', ...model]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('With --detach the agents would end with this program.');
    expect(stage.server.requests).toHaveLength(0);
  });
});

describe('kill -9 while agents work in the background', () => {
  it('leaves them interrupted with everything they wrote, and they can continue', async () => {
    answerAgents((request) =>
      messagesOf(request).some(({ content }) => content.some(({ type }) => type === 'tool_result'))
        ? anthropicReply({ text: 'Went on to the end.' })
        : bash('echo $$ >"pid-$$"; sleep 300', 'I begin with this.'),
    );
    const pids = () => readdirSync(stage.cwd).filter((name) => name.startsWith('pid-'));
    let timer: NodeJS.Timeout | undefined;
    const killed = await stage.robota(
      [
        '-p',
        '/agent parallel a:"first" b:"second"',
        '--output-format',
        'stream-json',
        '--permission-mode',
        'bypassPermissions',
        ...model,
      ],
      {
        onOutput: (_text, { kill }) => {
          timer ??= setInterval(() => {
            if (pids().length < 2) return;
            clearInterval(timer);
            kill('SIGKILL');
          }, 5);
        },
      },
    );
    expect(killed.signal).toBe('SIGKILL');
    const listed = await stage.robota(['-c', '-p', '/tasks', '--output-format', 'json', ...model]);
    expect(listed.stderr).toContain('2 background tasks were interrupted when the program ended.');
    const tasks = (JSON.parse(listed.stdout) as { data: { id: string; status: string; label: string }[] })
      .data;
    expect(tasks).toMatchObject([
      { label: 'a', status: 'interrupted' },
      { label: 'b', status: 'interrupted' },
    ]);
    for (const name of pids()) await expect.poll(() => isRunning(Number(name.slice(4)))).toBe(false);
    const cost = async () => (await stage.robota(['-c', '-p', '/cost', ...model])).stdout;
    expect(await cost()).toContain('for 2 model calls');
    expect(await cost()).toContain('for 2 model calls');
    const id = tasks[0]?.id ?? '';
    const read = await stage.robota(['-c', '-p', `/agent read ${id}`, ...model]);
    expect(read.stdout).toContain('> first\n\nI begin with this.\n\n⏺ Bash(echo $$ >"pid-$$"; sleep 300)');
    const sent = await stage.robota(['-c', '-p', `/agent send ${id} go on`, ...model]);
    expect(sent).toMatchObject({ code: 0, stdout: 'Went on to the end.\n' });
    const last = stage.server.requests.at(-1);
    expect(last && textsOf(last)).toEqual(expect.arrayContaining(['first', 'I begin with this.', 'go on']));
    const after = await stage.robota(['-c', '-p', '/agent list', ...model]);
    expect(after.stdout).toMatch(new RegExp(`${id} {2}completed`));
  });

  it('a file that was cut off in the middle of a line costs that line', async () => {
    answerAgents(() => anthropicReply({ text: 'done' }));
    await stage.robota(['-p', '/agent run once', ...model]);
    const sessions = join(stage.home, '.robota', 'sessions');
    const [file = ''] = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('tasks.jsonl'),
    );
    const text = await readFile(join(sessions, file), 'utf8');
    await writeFile(join(sessions, file), `${text}{"task":{"id":"half`);
    const again = await stage.robota(['-c', '-p', '/agent run again', ...model]);
    expect(again).toMatchObject({ code: 0, stdout: 'done\n' });
    const listed = await stage.robota(['-c', '-p', '/tasks', ...model]);
    expect(listed.stdout.trim().split('\n')).toHaveLength(2);
  });
});

describe('a team', () => {
  it('works side by side on its own tasks, and the report names what each one found', async () => {
    proves('R-76');
    answerAgents((request) =>
      textsOf(request).some((text) => text.includes('count the tests'))
        ? anthropicReply({ text: 'There are 12 tests.' })
        : anthropicReply({ text: 'There are 3 folders.' }),
    );
    const prompt = '/agent parallel tester:"count the tests" mapper:"count the folders"';
    const { code, stdout } = await stage.robota(['-p', prompt, ...model]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/tester[\s\S]*There are 12 tests\./);
    expect(stdout).toMatch(/mapper[\s\S]*There are 3 folders\./);
    expect(stdout).toContain('2 total, 2 completed, 0 failed');
    expect(stage.server.requests).toHaveLength(2);
  });
});

describe('print mode', () => {
  it('an interruption ends the agents with their commands and prints what they came to', async () => {
    proves('H-18');
    answerAgents(() => bash('echo $$ >"pid-$$"; sleep 300', 'I begin.'));
    const pids = () => readdirSync(stage.cwd).filter((name) => name.startsWith('pid-'));
    const args = ['-p', '/agent parallel a:"x" b:"y"', '--permission-mode', 'bypassPermissions', ...model];
    let timer: NodeJS.Timeout | undefined;
    const running = stage.robota([...args, '--output-format', 'stream-json'], {
      onOutput: (_text, { kill }) => {
        timer ??= setInterval(() => {
          if (pids().length < 2) return;
          clearInterval(timer);
          kill('SIGINT');
        }, 5);
      },
    });
    const { code, stdout } = await running;
    expect(code).toBe(0);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'result',
      result: expect.stringContaining('2 total, 0 completed, 0 failed, 2 cancelled, 0 pending'),
    });
    for (const name of pids()) expect(isRunning(Number(name.slice(4)))).toBe(false);
  });
});

describe('hooks of the settings', () => {
  it('SubagentStart and SubagentStop run around an agent in the background', async () => {
    const file = join(stage.home, 'events');
    const hooks = [{ hooks: [{ type: 'command', command: `cat >>'${file}'; echo >>'${file}'` }] }];
    await stage.settings({ hooks: { SubagentStart: hooks, SubagentStop: hooks } });
    answerAgents(() => anthropicReply({ text: 'seen' }));
    const { code } = await stage.robota(['-p', '/agent run --agent Plan look', ...model]);
    expect(code).toBe(0);
    const events = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<'agent_id' | 'agent_transcript_path', string>);
    expect(events).toMatchObject([
      { hook_event_name: 'SubagentStart', agent_type: 'Plan', agent_id: expect.stringMatching(/^\w{8}$/) },
      { hook_event_name: 'SubagentStop', agent_type: 'Plan', last_assistant_message: 'seen' },
    ]);
    const [start, stop] = events;
    expect(stop?.agent_id).toBe(start?.agent_id);
    expect(readFileSync(stop?.agent_transcript_path ?? '', 'utf8')).toContain('look');
  });
});

describe('in a terminal', () => {
  it('an agent works beside the conversation, asks in between, and its conversation can be opened', async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    answerAgents(async (request) => {
      await begun;
      return messagesOf(request).length > 2 ? anthropicReply({ text: 'All of it.' }) : bash('touch made');
    });
    const terminal = openTerminal(['--plain', ...model], {
      cwd: stage.cwd,
      home: stage.home,
      env: terminalEnv(),
    });
    await terminal.shows('ctrl+d ends');
    terminal.type('/agent general-purpose make it\r');
    await terminal.shows('started (general-purpose)');
    terminal.type('/tree half typed');
    await terminal.shows('> /tree half typed');
    begin();
    await terminal.shows('Run a command');
    await terminal.shows(/1-4.*:/);
    terminal.type('1\r');
    await terminal.shows('and is kept. Answer now:');
    terminal.type('1\r');
    const screen = await terminal.shows(/general-purpose (\w{8}) done: All of it\./);
    const [, id = ''] = /general-purpose (\w{8}) done/.exec(screen) ?? [];
    expect(readdirSync(stage.cwd)).toContain('made');
    await terminal.shows(/1-4[\s\S]*\n> \/tree half typed/);
    terminal.type('\x15');
    terminal.type(`/agent open ${id}\r`);
    await terminal.shows('This is the conversation of the agent general-purpose');
    terminal.type('/exit\r');
    expect(await terminal.exit).toBe(0);
  });

  it('the opened conversation of an agent continues in its worktree, and the way back to it is told', async () => {
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...words], {
        cwd: stage.cwd,
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const write = (file: string, done: string) =>
      stage.server.handle((request) =>
        messagesOf(request)
          .at(-1)
          ?.content.some(({ type }) => type === 'tool_result')
          ? anthropicReply({ text: done })
          : anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: file, content: 'x' } }] }),
      );
    write('first.txt', 'Made.');
    const args = [...model, '--permission-mode', 'acceptEdits'];
    const place = { cwd: stage.cwd, home: stage.home, env: terminalEnv(), columns: 300 };
    const terminal = openTerminal(['--plain', ...args], place);
    await terminal.shows('ctrl+d ends');
    terminal.type('/agent run --isolation worktree make it\r');
    const screen = await terminal.shows(/To delete it: .*\n/);
    const [, id = '', worktree = ''] =
      /general-purpose (\w{8}) done: Made\.[\s\S]*changed file\): (\S+), branch/.exec(screen) ?? [];
    terminal.type(`/agent open ${id}\r`);
    await terminal.shows(`It works in ${worktree}.`);
    write('second.txt', 'Gone on.');
    terminal.type('go on\r');
    await terminal.shows('Gone on.');
    expect(readdirSync(worktree)).toEqual(expect.arrayContaining(['first.txt', 'second.txt']));
    expect(readdirSync(stage.cwd)).not.toContain('second.txt');
    terminal.type('/exit\r');
    expect(await terminal.exit).toBe(0);
    const [, parent = ''] = /-r (\S+), then \/agent open \w{8}/.exec(await terminal.screen()) ?? [];
    const resumed = await stage.robota([...args, '-p', '-r', id, 'x']);
    expect(resumed.stderr).toContain(`${id} is an agent of the session ${parent}.`);
  });

  it('Ctrl+C ends the waiting for a group', async () => {
    answerAgents(() => bash('sleep 60'));
    const args = [...model, '--permission-mode', 'bypassPermissions'];
    const terminal = openTerminal(['--plain', ...args], {
      cwd: stage.cwd,
      home: stage.home,
      env: terminalEnv(),
    });
    await terminal.shows('ctrl+d ends');
    terminal.type('/agent parallel a:"x"\r');
    await expect.poll(() => stage.server.requests.length).toBe(1);
    terminal.type('\x03');
    await terminal.shows('No longer waiting');
    terminal.type('/tasks\r');
    await terminal.shows(/\w{8} {2}running/);
    terminal.type('/exit\r');
    expect(await terminal.exit).toBe(0);
  });
});
