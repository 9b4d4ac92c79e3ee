import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { plainHarness } from './plain-harness.ts';

const desk = plainHarness();
const start = (...args: string[]) => desk.start(args);
const enter = '\r';
const ctrlC = '\u0003';
const ctrlD = '\u0004';

function answers(...texts: string[]): void {
  desk.stage.server.reply(...texts.map((text) => anthropicReply({ text })));
}

function writes(file: string, content: string) {
  return anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: file, content } }] });
}

async function sessionFiles(): Promise<string[]> {
  const root = join(desk.stage.home, '.robota', 'sessions');
  const names = await readdir(root, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('session.jsonl')).map((name) => join(root, name));
}

describe('questions in a conversation', () => {
  it('words that are no answer rewind nothing; cancel and Ctrl+C leave everything as it is', async () => {
    desk.stage.server.reply(writes('a.txt', 'new'), anthropicReply({ text: 'Written.' }));
    const { shows, type, exit } = start('--permission-mode', 'acceptEdits');
    await shows(/\n>$/);
    type(`write${enter}`);
    await shows(/Written\.\n>$/);
    type(`/rewind 1${enter}`);
    await shows(/4\. Cancel {2}\(Nothing is rewound\)\n1-4 \(Enter cancels\):$/);
    type(`stop${enter}`);
    await shows(/Answer with 1-4; press Enter to cancel\.\n1-4 \(Enter cancels\):$/);
    type(`/rewind 99${enter}`);
    await shows(/\/rewind 99\nAnswer with[^\n]*\n1-4 \(Enter cancels\):$/);
    type(`cancel${enter}`);
    await shows(/Nothing was rewound\.\n>$/);
    type(`/rewind 1${enter}`);
    await shows(/\(Enter cancels\):$/);
    type(`half an ans${ctrlC}`);
    await shows(/Nothing was rewound\.\n>$/);
    expect(await readFile(join(desk.stage.cwd, 'a.txt'), 'utf8')).toBe('new');
    type(`/tree 1${enter}`);
    await shows(/yes or no\? \(Enter cancels\)$/);
    type(`/tree label 1 start${enter}`);
    await shows(/Answer yes or no;[^\n]*\nyes or no\? \(Enter cancels\)$/);
    type(ctrlC);
    await shows(/Nothing was changed\.\n>$/);
    type(ctrlD);
    expect(await exit).toBe(0);
  });

  it('y allows a call and no denies it', async () => {
    desk.stage.server.reply(
      writes('a.txt', 'x'),
      anthropicReply({ text: 'One.' }),
      writes('b.txt', 'x'),
      anthropicReply({ text: 'Two.' }),
    );
    const { shows, type } = start();
    await shows(/\n>$/);
    type(`write a${enter}`);
    await shows(/\(Enter cancels\):$/);
    type(`y${enter}`);
    await shows(/One\.\n>$/);
    type(`write b${enter}`);
    await shows(/\(Enter cancels\):$/);
    type(`no${enter}`);
    await shows(/Two\.\n>$/);
    expect(await readdir(desk.stage.cwd)).toEqual(['a.txt']);
  });
});

describe('the places of a session', () => {
  it('have one number in /tree, /rewind and /cost, over all branches; pins are no prompts', async () => {
    answers('A.', 'B.', 'C.');
    await desk.stage.robota(['-p', 'one']);
    await desk.stage.robota(['-p', '/pin Never touch the tests', '-c']);
    await desk.stage.robota(['-p', 'two', '-c']);
    await desk.stage.robota(['-p', '/tree 2', '-c']);
    await desk.stage.robota(['-p', 'three', '-c']);
    const tree = (await desk.stage.robota(['-p', '/tree', '-c'])).stdout;
    expect(tree).toMatch(/1 one[\s\S]*pin: Never touch the tests[\s\S]*2 two[\s\S]*3 three/);
    expect((await desk.stage.robota(['-p', '/rewind', '-c'])).stdout).toMatch(
      /^ +1 {2}.*one\n +3 {2}.*three\n/m,
    );
    expect((await desk.stage.robota(['-p', '/rewind 2 both', '-c'])).stderr).toContain(
      'No prompt 2 on this branch: it has 1, 3',
    );
    expect((await desk.stage.robota(['-p', '/cost', '-c'])).stdout).toMatch(
      /1\. one[\s\S]*2\. two[\s\S]*3\. three/,
    );
    const beyond = await desk.stage.robota(['-p', '/tree 7', '-c']);
    expect(beyond.stderr).toContain('No prompt 7: there are prompts 1 to 3.');
    const { stdout } = await desk.stage.robota(['sessions', 'show', 'one']);
    expect(stdout).toContain('(pinned) Never touch the tests');
    await desk.stage.robota(['sessions', 'export', 'one', '--output', 'out.md']);
    expect(await readFile(join(desk.stage.cwd, 'out.md'), 'utf8')).not.toMatch(/^## .*Pinned/m);
  });

  it('have labels that are no numbers, unique, and a message by its number is pinned, never a mistyped id', async () => {
    answers('A.', 'B.');
    await desk.stage.robota(['-p', 'one']);
    await desk.stage.robota(['-p', 'two', '-c']);
    const command = async (text: string) => {
      const { stdout, stderr } = await desk.stage.robota(['-p', text, '-c']);
      return stdout + stderr;
    };
    expect(await command('/tree label 1 2')).toContain('A label cannot be a number');
    expect(await command('/tree label 1 root')).toContain('cannot be "root"');
    expect(await command('/tree label')).toContain('/tree label PLACE TEXT');
    expect(await command('/tree label 1 here')).toContain('is "here"');
    expect(await command('/tree label 2 here')).toMatch(/is "here".*It was that of [0-9a-f]{8}/);
    expect(await command('/tree 2 --sumarize')).toContain('Unknown option --sumarize');
    expect(await command('/pin 2')).toContain('Pinned as 1: two');
    expect(await command('/pin 1a2b3c4x')).toContain('put it in quotes');
    expect(await command('/pin 9')).toContain('No prompt 9');
  });

  it('a copy has all branches, the name, and what /rewind needs', async () => {
    desk.stage.server.reply(writes('a.txt', 'one'), anthropicReply({ text: 'Made.' }));
    await desk.stage.robota(['-p', 'make it', '--permission-mode', 'acceptEdits']);
    await desk.stage.robota(['-p', '/name fence', '-c']);
    await desk.stage.robota(['-p', '/tree 1', '-c']);
    answers('Other.');
    await desk.stage.robota(['-p', 'another way', '-c']);
    const fork = await desk.stage.robota(['-p', '/fork', '-c', '--output-format', 'json']);
    const { open } = JSON.parse(fork.stdout).data.session;
    const tree = await desk.stage.robota(['-p', '/tree', '-r', open]);
    expect(tree.stdout).toMatch(/1 make it[\s\S]*2 another way/);
    expect(tree.stderr).toContain('Resumed "fence (copy)"');
    await desk.stage.robota(['-p', `/tree ${await leafOf('Made.')}`, '-r', open]);
    const rewound = await desk.stage.robota(['-p', '/rewind 1 files', '-r', open]);
    expect(rewound.stdout).toContain('1 file was reverted.');
    await expect(readFile(join(desk.stage.cwd, 'a.txt'))).rejects.toThrow(/ENOENT/);
  });
});

/** The entry of the first session that says something. */
async function leafOf(text: string): Promise<string> {
  const [file = ''] = (await sessionFiles()).sort();
  const line = (await readFile(file, 'utf8')).split('\n').find((each) => each.includes(`"${text}"`)) ?? '{}';
  return JSON.parse(line).id;
}

describe('what a session leaves and takes up', () => {
  it('commands about a conversation need one, and others leave no session behind', async () => {
    for (const command of ['/name foo', '/pin x y', '/tree', '/rewind', '/fork']) {
      const { code, stderr } = await desk.stage.robota(['-p', command]);
      expect([command, code]).toEqual([command, 2]);
      expect(stderr).toMatch(/needs a conversation, and there is none here\. Add -c/);
    }
    for (const command of ['/model', '/model offline', '/cost', '/context', '/mode plan'])
      expect((await desk.stage.robota(['-p', command])).code).toBe(0);
    expect(await sessionFiles()).toEqual([]);
  });

  it('--no-session stays in force after /resume', async () => {
    answers('First.', 'Unkept.');
    await desk.stage.robota(['-p', 'one']);
    const [file = ''] = await sessionFiles();
    const before = await readFile(file, 'utf8');
    const { shows, type, exit, screen } = start('--no-session');
    await shows(/\n>$/);
    type(`/resume one${enter}`);
    await shows(/Resumed "one"[\s\S]*copy is not saved[\s\S]*> one\nFirst\.\n>$/);
    type(`two${enter}`);
    await shows(/Unkept\.\n>$/);
    type(ctrlD);
    expect(await exit).toBe(0);
    expect(await screen()).not.toContain('Resume this session');
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await sessionFiles()).toHaveLength(1);
  });

  it('-c takes the model of the session, and says so where it cannot be reached', async () => {
    const env = { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
    await desk.stage.robota(['-p', 'hello', '--model', 'offline'], { env });
    const again = await desk.stage.robota(['-p', 'hello', '-c', '--output-format', 'json'], { env });
    expect(JSON.parse(again.stdout)).toMatchObject({ subtype: 'success', model: 'offline/offline' });
    answers('Hi.');
    await desk.stage.robota(['-p', 'with a key']);
    const lost = await desk.stage.robota(['-p', 'more', '-c'], { env: { ...env, OPENAI_API_KEY: 'sk-x' } });
    expect(lost.code).toBe(2);
    expect(lost.stderr).toMatch(
      /The session used anthropic\/\S+, which cannot be reached now[\s\S]*--model MODEL/,
    );
    expect((await desk.stage.robota(['-p', '/tree', '-c'], { env })).stdout).toContain('1 with a key');
  });

  it('says what it continues with and how to come back', async () => {
    answers('First.');
    await desk.stage.robota(['-p', 'paint the fence']);
    await desk.stage.robota(['-p', '/tree 1', '-c']);
    const first = start('-c');
    await first.shows(/Resumed "paint the fence" \(at its beginning, \/tree shows/);
    first.type(ctrlD);
    expect(await first.shows(/Resume this session: robota -r [0-9a-f-]{36}$/)).not.toContain('cleared');
  });

  it('the -r chooser asks again where words find nothing, and Ctrl+C there chooses none', async () => {
    answers('First.');
    await desk.stage.robota(['-p', 'paint the fence']);
    const { shows, type, exit } = start('-r');
    await shows(/words from one \(Enter cancels\):$/);
    type(`gibberish${enter}`);
    await shows(/No session matches "gibberish"[\s\S]*\(Enter cancels\):$/);
    type(`fence${enter}`);
    await shows(/Resumed "paint the fence"[\s\S]*First\.\n>$/);
    type(ctrlD);
    expect(await exit).toBe(0);
  });

  it('tells programs and people who has a session, and offers only others', async () => {
    proves('P-22');
    answers('First.');
    await desk.stage.robota(['-p', 'one']);
    const holder = start('-c');
    await holder.shows(/\n>$/);
    const { code, stdout } = await desk.stage.robota(['-p', 'two', '-c', '--output-format', 'json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      subtype: 'error',
      error_code: 'session-in-use',
      error: expect.stringMatching(/sessions show --follow [0-9a-f-]{36}/),
    });
    const other = start('-c');
    await other.shows(/1-4 \(Enter cancels\):$/);
    other.type(`whatever${enter}`);
    await other.shows(/Answer with 1-4[^\n]*\n1-4 \(Enter cancels\):$/);
    other.type(`3${enter}`);
    await other.shows(/No other session in this directory\.[\s\S]*1-4 \(Enter cancels\):$/);
    other.type(enter);
    await other.shows('No session was opened.');
    expect(await other.exit).toBe(2);
  });

  it('is deleted by its whole name or enough of its id, and what went is named', async () => {
    answers('First.');
    await desk.stage.robota(['-p', 'paint the fence']);
    await desk.stage.robota(['-p', '/name fence', '-c']);
    const [file = ''] = await sessionFiles();
    const id = file.split('/').at(-2) ?? '';
    for (const little of [id.slice(0, 1), 'f', 'fen']) {
      const { code, stderr } = await desk.stage.robota(['sessions', 'delete', little, '--yes']);
      expect([little, code]).toEqual([little, 2]);
      expect(stderr).toContain('Give its whole name, or 4 characters or more of its id.');
    }
    const { stdout } = await desk.stage.robota(['sessions', 'delete', 'fence', '--yes']);
    expect(stdout).toBe(`Deleted ${id}: fence\n`);
  });

  it('shows calls that were cut off, summaries of branches, and branches of answers alone', async () => {
    const directory = join(desk.stage.home, '.robota', 'sessions', 'p', 's1');
    await mkdir(directory, { recursive: true });
    const at = '2026-01-31T14:05:00.000Z';
    const message = (id: string, parentId: string | null, content: object) =>
      ({ type: 'message', id, parentId, timestamp: at, message: { timestamp: 1, ...content } }) as const;
    const answer = { role: 'assistant', provider: 'anthropic', model: 'x', stopReason: 'stop' };
    const lines = [
      {
        type: 'session',
        version: 3,
        id: 's1',
        timestamp: at,
        cwd: desk.stage.cwd,
        robota: { writer: 'robota' },
      },
      message('aaaaaaa1', null, { role: 'user', content: 'go' }),
      message('aaaaaaa2', 'aaaaaaa1', { ...answer, content: [{ type: 'text', text: 'one way' }] }),
      message('aaaaaaa3', 'aaaaaaa1', {
        ...answer,
        content: [{ type: 'toolCall', id: 'c1', name: 'Bash', arguments: { command: 'sleep 9' } }],
      }),
      {
        type: 'branch_summary',
        id: 'aaaaaaa4',
        parentId: 'aaaaaaa3',
        timestamp: at,
        fromId: 'x',
        summary: 'Tried X.',
      },
    ];
    await writeFile(
      join(directory, 'session.jsonl'),
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    );
    const { stdout } = await desk.stage.robota(['sessions', 'show', 's1', '--all']);
    expect(stdout).toMatch(/Bash\(sleep 9\)\n {2}⎿ Bash: no result was recorded/);
    expect(stdout).toContain('(summary of another branch)\nTried X.');
    const tree = await desk.stage.robota(['-p', '/tree', '-r', 's1', '--model', 'offline']);
    expect(tree.stdout).toMatch(/1 go[\s\S]*aaaaaaa2 answer: one way/);
    const context = await desk.stage.robota(['-p', '/context', '-r', 's1', '--model', 'offline']);
    expect(context.stdout).toContain('summary of another branch');
    expect(context.stdout).not.toContain('reminders');
  });
});

describe('a session in a file of one’s own', () => {
  it('keeps what belongs to it beside it, and can go back as any other', async () => {
    proves('P-62');
    desk.stage.server.reply(
      writes('a.txt', 'new'),
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'echo more >> a.txt' } }] }),
      anthropicReply({ text: 'Written.' }),
    );
    await desk.stage.file('a.txt', '');
    const here = ['--session', 's.jsonl', '--permission-mode', 'bypassPermissions'];
    expect(await desk.stage.robota(['-p', 'write', ...here])).toMatchObject({ code: 0 });
    const beside = await readdir(join(desk.stage.cwd, 's.jsonl.d'));
    expect(beside).toEqual(expect.arrayContaining(['checkpoints', 'log.jsonl']));
    const listed = await desk.stage.robota(['-p', '/rewind', ...here]);
    expect(listed.stdout).toContain('a.txt');
    expect(listed.stdout).not.toContain('s.jsonl');
    await desk.stage.robota(['-p', '/rewind 1 files', ...here]);
    expect(await readFile(join(desk.stage.cwd, 'a.txt'), 'utf8')).toBe('');
  });
});
