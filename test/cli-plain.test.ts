import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicChunks, anthropicReply, eventStream } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isRunning } from './stage.ts';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const stage = stagePerTest();
let terminal: Terminal | undefined;

afterEach(async () => {
  terminal?.kill('SIGKILL');
  await terminal?.exit;
  terminal = undefined;
});

const enter = '\r';
const ctrlC = '\u0003';
const ctrlD = '\u0004';

/** Starts the command in a terminal, with a key unless the environment is given. */
function start(args: readonly string[], env?: Record<string, string>): Terminal {
  const keys = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
  terminal = openTerminal(args, { cwd: stage.cwd, home: stage.home, env: env ?? keys });
  return terminal;
}

describe('line mode', () => {
  it('holds a conversation, lists its commands and ends with Ctrl+D', async () => {
    stage.server.reply(anthropicReply({ text: 'Hello you.' }), anthropicReply({ text: 'Still here.' }));
    const { shows, type, exit } = start(['--plain']);
    await shows(/robota \d+\.\d+\.\d+ · Claude .* · default · \/help, ctrl\+d ends\n>$/);
    type(`hello${enter}`);
    await shows(/> hello\nHello you\.\n>$/);
    type(`/help${enter}`);
    await shows('/compact');
    type(`/mode plan${enter}`);
    await shows('Permission mode: plan (this session only).');
    type(`/hlep${enter}`);
    await shows('Unknown command /hlep. Did you mean /help?');
    type(`are you there?${enter}`);
    await shows('Still here.');
    expect(stage.messages(1).map((message) => message.content[0]?.text)).toEqual([
      'hello',
      'Hello you.',
      'are you there?',
    ]);
    type(ctrlD);
    expect(await exit).toBe(0);
  });

  it('breaks the lines of /help between words, below their column', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-test' };
    terminal = openTerminal(['--plain'], { cwd: stage.cwd, home: stage.home, env, columns: 50, rows: 250 });
    const { shows, type, viewport } = terminal;
    await shows('>');
    type(`/help${enter}`);
    await shows('selects an agent.');
    const rows = await viewport();
    const words = rows.join('\n').replaceAll(/\s+/g, ' ');
    expect(words).toContain(
      'Besides commands: !COMMAND runs it in the shell, @PATH gives a file to the model, @agent:NAME selects an agent.',
    );
    expect(words).toMatch(/\/help \[COMMAND\] List commands, or show the help/);
  });

  it('shows an answer as it comes', async () => {
    proves('E-27');
    const [begin, rest] = split(anthropicChunks({ text: ['one ', 'two'] }), 'one ');
    stage.server.reply(eventStream([...begin, { pauseMs: 1500 }, ...rest]));
    const { shows, screen } = start(['--plain', 'count']);
    await shows(/one$/);
    expect(await screen()).not.toContain('two');
    await shows(/one two\n>$/);
  });

  it('asks before it writes; a number answers', async () => {
    const write = (file: string) =>
      anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: file, content: 'x' } }] });
    stage.server.reply(
      write('a.txt'),
      anthropicReply({ text: 'Written.' }),
      write('b.txt'),
      anthropicReply({ text: 'Not written.' }),
    );
    const { shows, type } = start(['--plain']);
    await shows(/\n>$/);
    type(`write a${enter}`);
    const question = await shows(/1-\d \(Enter cancels\):$/);
    expect(question).toContain('Create ');
    expect(question).toContain('1. Allow once');
    type(`1${enter}`);
    await shows(/Written\.\n>$/);
    expect(await readFile(join(stage.cwd, 'a.txt'), 'utf8')).toBe('x');
    type(`write b${enter}`);
    await shows(/Not|1-\d \(Enter cancels\):$/);
    type(`9${enter}`);
    await shows(/No choice 9\.\nAnswer with 1-4; press Enter to cancel\.\n1-4 \(Enter cancels\):$/);
    type(`yes please${enter}`);
    await shows(/yes please\nAnswer with 1-4; [^\n]*\n1-4 \(Enter cancels\):$/);
    type(`use c.txt instead${enter}`);
    await shows('Denied. Your text is sent as the reason.');
    await shows('Not written.');
    await expect(readFile(join(stage.cwd, 'b.txt'))).rejects.toThrow(/ENOENT/);
    expect(stage.results(3)[0]).toMatchObject({
      isError: true,
      text: expect.stringContaining('use c.txt instead'),
    });
  });

  it('Ctrl+C interrupts an answer and keeps the conversation; with nothing to interrupt the second one ends', async () => {
    const [begin] = split(anthropicChunks({ text: ['half', 'never'] }), 'half');
    stage.server.reply(eventStream([...begin, { hang: true }]), anthropicReply({ text: 'Go on then.' }));
    const { shows, type, exit } = start(['--plain']);
    await shows(/\n>$/);
    type(`talk${enter}`);
    await shows('half');
    type(ctrlC);
    await shows(/interrupted\n>$/);
    type(`hm${enter}`);
    await shows(/Go on then\.\n>$/);
    expect(JSON.stringify(stage.messages(1))).toContain('half');
    type(ctrlC);
    await shows(/Ctrl\+C again, Ctrl\+D or \/exit ends\.\n>$/);
    type(ctrlC);
    expect(await exit).toBe(0);
  });

  it('Ctrl+C clears a half-typed line, and does not count towards the end', async () => {
    stage.server.reply(anthropicReply({ text: 'Hello.' }));
    const { shows, type, exit } = start(['--plain']);
    await shows(/\n>$/);
    type('half a thou');
    await shows(/> half a thou$/);
    type(ctrlC);
    await shows(/\n>$/);
    type(ctrlC);
    await shows(/\/exit ends\.\n>$/);
    type('again');
    await shows(/> again$/);
    type(ctrlC);
    await shows(/\n>$/);
    type(`hello${enter}`);
    await shows(/Hello\.\n>$/);
    expect(stage.messages(0)[0]?.content[0]?.text).toBe('hello');
    type(`${ctrlC}${ctrlC}`);
    expect(await exit).toBe(0);
  });

  it('what was typed during a run that is interrupted comes back in the line and survives Ctrl+D', async () => {
    const [begin] = split(anthropicChunks({ text: ['half', 'never'] }), 'half');
    stage.server.reply(eventStream([...begin, { hang: true }]), anthropicReply({ text: 'Blue it is.' }));
    const { shows, type } = start(['--plain', 'talk']);
    await shows('half');
    type(`make it blue${enter}`);
    await shows('make it blue');
    type('please');
    await shows('please');
    type(ctrlC);
    await shows(/interrupted\n> make it blue please$/);
    type(ctrlD);
    type(`!${enter}`);
    await shows('Blue it is.');
    expect(
      stage
        .messages(1)
        .at(-1)
        ?.content.map(({ text }) => text),
    ).toEqual(['make it blue please!']);
  });

  it('what was typed and could not be sent before the end is shown', async () => {
    const [begin] = split(anthropicChunks({ text: ['half', 'never'] }), 'half');
    stage.server.reply(eventStream([...begin, { hang: true }]));
    const { shows, type, kill, exit } = start(['--plain', 'talk']);
    await shows('half');
    type(`make it blue${enter}`);
    await shows('make it blue');
    kill('SIGTERM');
    expect(await exit).toBe(143);
    await shows('Not sent: make it blue');
  });

  it('-c says which session is resumed, and that there was none', async () => {
    stage.server.handle(() => anthropicReply({ text: 'Noted.' }));
    const first = start(['--plain', '-c']);
    await first.shows('Nothing resumed; this is a new session.');
    first.type(`remember the milk${enter}`);
    await first.shows(/Noted\.\n>$/);
    first.type(ctrlD);
    await first.exit;
    const second = start(['--plain', '-c']);
    await second.shows(
      /Resumed "remember the milk" \(2 messages, last used \d{4}-\d\d-\d\d \d\d:\d\d\), session [0-9a-f-]+\n?[0-9a-f-]*\n> remember the milk\nNoted\.\n>$/,
    );
    second.type(ctrlD);
    await second.exit;
  });

  it('Ctrl+C ends a command and its children', async () => {
    const command = 'sleep 1000 & echo $! > pid; wait';
    stage.server.reply(anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }));
    const { shows, type } = start(['--plain', '--permission-mode', 'bypassPermissions']);
    await shows(/\n>$/);
    type(`go${enter}`);
    const pid = await vi.waitFor(async () => {
      const number = Number(await readFile(join(stage.cwd, 'pid'), 'utf8'));
      expect(isRunning(number)).toBe(true);
      return number;
    });
    type(ctrlC);
    await shows(/interrupted\n>$/);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
  });

  it('what is typed while a tool runs is told to the model after it; a command waits for the end', async () => {
    proves('P-10');
    const command = 'until [ -e go ]; do sleep 0.05; done';
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }),
      anthropicReply({ text: 'Understood.' }),
    );
    const { shows, type } = start(['--plain', '--permission-mode', 'bypassPermissions']);
    await shows(/\n>$/);
    type(`go${enter}`);
    await shows('Bash(until');
    type(`/mode${enter}`);
    await shows('/mode');
    type(`also do this${enter}`);
    await shows('also do this');
    await stage.file('go', '');
    await shows(/Understood\.\nPermission mode: bypassPermissions\n>$/);
    expect(stage.messages(1).at(-1)?.content.at(-1)?.text).toBe('also do this');
  });

  it('a question is withdrawn by Ctrl+C', async () => {
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'x' } }] }),
    );
    const { shows, type, exit } = start(['--plain']);
    await shows(/\n>$/);
    type(`write${enter}`);
    await shows(/1-\d \(Enter cancels\):$/);
    type(ctrlC);
    await shows(/interrupted\n>$/);
    type(`/exit${enter}`);
    expect(await exit).toBe(0);
    await expect(readFile(join(stage.cwd, 'a.txt'))).rejects.toThrow(/ENOENT/);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends it with everything kept, exit %i', async (signal, code) => {
    stage.server.reply(anthropicReply({ text: 'Noted.' }));
    const { shows, type, kill, exit } = start(['--plain']);
    await shows(/\n>$/);
    type(`remember this${enter}`);
    await shows(/Noted\.\n>$/);
    kill(signal);
    expect(await exit).toBe(code);
    expect(JSON.stringify(await stage.sessionLines('session.jsonl'))).toContain('remember this');
  });

  it('a failed request leaves the conversation open', async () => {
    stage.server.reply(
      { status: 401, headers: {}, chunks: ['{"error":{"message":"bad key"}}'] },
      anthropicReply({ text: 'Fine now.' }),
    );
    const { shows, type } = start(['--plain']);
    await shows(/\n>$/);
    type(`hi${enter}`);
    await shows('the key was refused');
    type(`again${enter}`);
    await shows('Fine now.');
  });
});

describe('print mode in a terminal', () => {
  it('--verbose streams: thinking is dim, the answer is not, calls and results have their marks', async () => {
    proves('P-68');
    stage.server.reply(
      anthropicReply({
        thinking: { text: 'let me think', signature: 's' },
        text: 'Looking.',
        toolCalls: [{ name: 'Glob', input: { pattern: '*.md' } }],
      }),
      anthropicReply({ text: 'Done.' }),
    );
    await stage.file('notes.md', '');
    const opened = start(['-p', 'go', '--verbose', '--thinking', 'low']);
    expect(await opened.exit).toBe(0);
    expect(await opened.screen()).toMatch(
      /^thinking: let me think\n+Looking\.\n⏺ Glob\(\*\.md\)\n {2}⎿ success: notes\.md\nDone\.$/,
    );
    expect(await opened.isDim('let me think')).toBe(true);
    for (const text of ['Looking.', '⏺ Glob', '⎿ success', 'Done.'])
      expect(await opened.isDim(text), text).toBe(false);
  });
});

it.each(['--output-format=json', '--json-schema=x.json'])('a conversation refuses %s', async (option) => {
  const opened = start([option]);
  expect(await opened.exit).toBe(2);
  expect(await opened.screen()).toMatch(/^robota: --[a-z-]+ requires -p/);
});

describe('what a model says cannot control the terminal', () => {
  const evil =
    'before \u001b]0;owned\u0007\u001b[2J\u001b[1;31mred\u001b[0m\u001b]52;c;aGk=\u0007\u009b2J after';

  it('in line mode', async () => {
    stage.server.reply(
      anthropicReply({
        text: [evil.slice(0, 9), evil.slice(9)],
        toolCalls: [{ name: 'Bash', input: { command: `printf '%s' '${evil}'` } }],
      }),
      anthropicReply({ text: 'done' }),
    );
    const opened = start(['--plain', '--permission-mode', 'bypassPermissions', 'hi']);
    await opened.shows(/done\n>$/);
    expect(opened.raw).toContain('before');
    expect(opened.raw).toContain('after');
    for (const sequence of ['\u001b]0;', '\u001b[2J', '\u001b]52', '\u009b'])
      expect(opened.raw).not.toContain(sequence);
  });

  it.each([[[]], [['--verbose']]])('in print mode to a terminal %j', async (args) => {
    stage.server.reply(anthropicReply({ text: [evil.slice(0, 9), evil.slice(9)] }));
    const opened = start(['-p', 'hi', ...args]);
    expect(await opened.exit).toBe(0);
    expect(opened.raw).toMatch(/before .*after/);
    for (const sequence of ['\u001b]0;', '\u001b[2J', '\u001b]52', '\u009b'])
      expect(opened.raw).not.toContain(sequence);
  });

  it('a sequence without an end hides nothing of what comes after', async () => {
    stage.server.reply(
      anthropicReply({
        text: 'look \u001b]0;',
        toolCalls: [{ name: 'Bash', input: { command: 'echo shown' } }],
      }),
      anthropicReply({ text: 'done' }),
    );
    const { shows } = start(['--plain', '--permission-mode', 'bypassPermissions', 'hi']);
    expect(await shows(/done\n>$/)).toContain('⏺ Bash(echo shown)');
  });

  it('a pipe gets every byte as it was', async () => {
    stage.server.reply(anthropicReply({ text: evil }));
    expect((await stage.robota(['-p', 'hi'])).stdout).toBe(`${evil}\n`);
  });

  it('nor can a server in its error message', async () => {
    stage.server.reply({ status: 400, headers: {}, chunks: [JSON.stringify({ error: { message: evil } })] });
    const opened = start(['-p', 'hi']);
    expect(await opened.exit).toBe(1);
    expect(opened.raw).toContain('after');
    expect(opened.raw).not.toContain('\u001b]0;');
  });
});

/** The chunks up to the one that holds a text, and the others. */
function split(chunks: readonly string[], text: string): [readonly string[], readonly string[]] {
  const at = chunks.findIndex((chunk) => chunk.includes(`"${text}"`)) + 1;
  return [chunks.slice(0, at), chunks.slice(at)];
}
