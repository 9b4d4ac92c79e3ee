import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicChunks, anthropicReply, eventStream } from '@robota-sdk/agent-testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
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
const pasteOf = (text: string) => `\u001b[200~${text}\u001b[201~`;

function start(args: readonly string[] = [], env: Record<string, string> = {}): Terminal {
  const keys = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
  const options = { cwd: stage.cwd, home: stage.home, env: { ...keys, ...env } };
  terminal = openTerminal(['--plain', ...args], options);
  return terminal;
}

/** The user's text in the last message of a request. */
function sent(request: number): string[] {
  const texts = (stage.messages(request).at(-1)?.content ?? []).map(({ text = '' }) => text);
  return texts.filter((text) => !text.startsWith('<reminder>'));
}

/** A reply whose first word came, and that waits for the rest. */
function halfAnswer() {
  const chunks = anthropicChunks({ text: ['half', 'never'] });
  const at = chunks.findIndex((chunk) => chunk.includes('"half"')) + 1;
  return eventStream([...chunks.slice(0, at), { hang: true }]);
}

const askToWrite = (file: string) =>
  anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: file, content: 'x' } }] });

describe('several lines', () => {
  const pasted = 'fix this:\n\tif (a) {\n!touch ran\n/mode plan\nsee @a.txt and ⏎';

  it.each([
    ['between the marks of a terminal', pasteOf(`${pasted.replaceAll('\n', '\r')}\r`)],
    ['without marks', `${pasted.replaceAll('\n', '\r')}\r`],
  ])('that are pasted %s are one prompt, and nothing in it is a command', async (_, keys) => {
    stage.server.reply(anthropicReply({ text: 'Seen.' }));
    await stage.file('a.txt', 'secret of a');
    const { shows, type, send, exit } = start();
    await shows(/\n>$/);
    send(keys);
    await shows(/see @a\.txt and/);
    expect(stage.server.requests).toHaveLength(0);
    type(enter);
    await shows(/Seen\.\n>$/);
    expect(sent(0)).toEqual([pasted]);
    await expect(access(join(stage.cwd, 'ran'))).rejects.toThrow(/ENOENT/);
    type(`/mode${enter}`);
    await shows('Permission mode: default');
    type(`/exit${enter}`);
    expect(await exit).toBe(0);
  });

  it('marks of pastes are asked for, and not any more at every end', async () => {
    const first = start();
    await first.shows(/\n>$/);
    expect(first.raw).toContain('\u001b[?2004h');
    expect(first.raw).not.toContain('\u001b[?2004l');
    first.kill('SIGTERM');
    expect(await first.exit).toBe(143);
    expect(first.raw.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(first.raw.lastIndexOf('\u001b[?2004h'));
    const second = start([], { TERM: 'dumb' });
    await second.shows('/help, ctrl+d ends');
    expect(second.raw).not.toContain('\u001b[?2004');
  });

  it('that are pasted behind a typed beginning belong to it', async () => {
    stage.server.reply(anthropicReply({ text: 'One.' }), anthropicReply({ text: 'Two.' }));
    const { shows, type, send } = start();
    await shows(/\n>$/);
    type('look at: ');
    await shows(/> look at:$/);
    send(pasteOf('first\n/mode plan'));
    await shows('/mode plan');
    type(enter);
    await shows(/One\.\n>$/);
    expect(sent(0)).toEqual(['look at: first\n/mode plan']);
    type('!');
    await shows(/> !$/);
    send(pasteOf('echo 1-$((1+1))\necho 2-$((2+2))'));
    await shows('echo 2');
    type(enter);
    await shows(/1-2\n2-4\n>$/);
  });

  it('a line that is pasted alone is like typing', async () => {
    const { shows, type, send } = start();
    await shows(/\n>$/);
    send(pasteOf('/mode\n'));
    await shows(/> \/mode$/);
    type(enter);
    await shows('Permission mode: default');
  });

  it('are typed with a backslash at the end of each but the last', async () => {
    stage.server.reply(anthropicReply({ text: 'Both.' }));
    const { shows, type } = start();
    await shows(/\n>$/);
    type(`one\\${enter}`);
    await shows(/> one⏎$/);
    type(`two${enter}`);
    await shows(/Both\.\n>$/);
    expect(sent(0)).toEqual(['one\ntwo']);
  });
});

describe('a question', () => {
  it('is not answered by what was typed before it, which comes back afterwards', async () => {
    const command = 'until [ -e go ]; do sleep 0.05; done';
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }),
      askToWrite('a.txt'),
      anthropicReply({ text: 'Done.' }),
      anthropicReply({ text: 'And that.' }),
    );
    const { shows, type } = start(['--allow', `Bash(${command})`, '--allow', 'Bash', 'go']);
    await shows('Bash(until');
    type('3');
    await shows(/3$/);
    await stage.file('go', '');
    await shows(/1-4 \(Enter cancels\):$/);
    type(`1${enter}`);
    await shows(/and is kept\. Answer now:\n1-4 \(Enter cancels\):$/);
    type(`1${enter}`);
    await shows(/Done\.\n> 31$/);
    expect(await readFile(join(stage.cwd, 'a.txt'), 'utf8')).toBe('x');
    type(` times${enter}`);
    await shows('And that.');
    expect(sent(3)).toEqual(['31 times']);
  });

  it('is not answered by keys that arrive as it appears', async () => {
    stage.server.reply(askToWrite('a.txt'), anthropicReply({ text: 'Done.' }));
    const opened = start(['go']);
    await vi.waitFor(() => expect(opened.raw).toContain('Enter cancels'), { interval: 1 });
    opened.send(`3${enter}`);
    await opened.shows(/1-4 \(Enter cancels\): 3\n[\s\S]*Answer now:\n1-4 \(Enter cancels\):$/);
    opened.type(`1${enter}`);
    await opened.shows(/Done\.\n> 3$/);
  });
});

describe('the line', () => {
  it('is drawn again below what is said by itself', async () => {
    await stage.settings({ permissions: { allow: ['Bash(ls)'] } });
    const { shows, type } = start();
    await shows(/\n>$/);
    type('half a thou');
    await shows(/> half a thou$/);
    await stage.settings({ permissions: { allow: ['Bash(ls)', 'Bash(pwd)'] } });
    const screen = await shows(/settings[\s\S]*\n> half a thou$/);
    expect(screen.match(/half a thou/g)).toHaveLength(1);
    type(ctrlC);
    await shows(/\n>$/);
  });

  it.each(['exit', 'quit'])('%s alone ends the session', async (word) => {
    const { shows, type, exit } = start();
    await shows(/\n>$/);
    type(`${word}${enter}`);
    expect(await exit).toBe(0);
    expect(stage.server.requests).toHaveLength(0);
  });

  it('Esc stops a run', async () => {
    stage.server.reply(halfAnswer());
    const { shows, type } = start(['talk']);
    await shows('half');
    type('\u001b');
    await shows(/interrupted\n>$/);
  });

  it('tells where commands of other agents are found', async () => {
    const { shows, type } = start();
    await shows(/\n>$/);
    type(`/logout${enter}`);
    await shows('Unknown command /logout. robota logout, outside of a session');
    type(`/bashes${enter}`);
    await shows('/tasks lists what runs in the background');
  });
});

it('a terminal that goes away ends the session like SIGHUP: what there is of the answer is kept, hooks run', async () => {
  stage.server.reply(halfAnswer());
  const command = `echo ended > ${join(stage.cwd, 'ended')}`;
  await stage.settings({ hooks: { SessionEnd: [{ hooks: [{ type: 'command', command }] }] } });
  const { shows, hangUp, exit } = start(['talk']);
  await shows('half');
  hangUp();
  expect(await exit).toBe(129);
  expect(JSON.stringify(await stage.sessionLines('session.jsonl'))).toContain('half');
  expect(await readFile(join(stage.cwd, 'ended'), 'utf8')).toBe('ended\n');
});

describe('words that are almost commands', () => {
  it.each([
    [['logot'], 'Did you mean robota logout?'],
    [['doctr', '--json'], 'Did you mean robota doctor?'],
  ])('%j goes to no model', async (words, advice) => {
    const { code, stderr } = await stage.robota(words);
    expect(code).toBe(2);
    expect(stderr).toContain(advice);
    expect(stderr).toContain(`To send it as a prompt: robota -p ${words[0]}`);
    expect(stage.server.requests).toHaveLength(0);
  });

  it('a prompt of several words does', async () => {
    stage.server.reply(anthropicReply({ text: 'Yes.' }));
    expect((await stage.robota(['doctr is broken'])).stdout).toBe('Yes.\n');
  });

  it('advice names npm where it started the command', async () => {
    const env = { npm_lifecycle_event: 'start', npm_package_name: 'robota-workspace' };
    const { stderr, code } = await stage.robota(['-p', 'hi'], { env: { ...env, ANTHROPIC_API_KEY: '' } });
    expect(code).toBe(2);
    expect(stderr).toContain('npm start -- login');
    expect(stderr).not.toContain('robota login');
  });
});
