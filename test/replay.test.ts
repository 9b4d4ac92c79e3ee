import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicError, anthropicReply, runRobota, temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const asJson = ['--output-format', 'json'];
const permissive = ['--permission-mode', 'acceptEdits', '--allow', 'Bash(*)'];

const stage = stagePerTest();
let tape: string;
beforeEach(async () => {
  tape = join(await temporaryDirectory(), 'run.jsonl');
});

/** Records a run that writes a file, is denied another call and answers. */
async function record(prompt = 'make a note') {
  stage.server.reply(
    anthropicReply({
      toolCalls: [
        { name: 'Write', input: { file_path: 'note.txt', content: 'first\n' } },
        { name: 'Bash', input: { command: 'touch ran' } },
        { name: 'Read', input: { file_path: 'secret.env' } },
      ],
    }),
    anthropicReply({ text: 'The note is written.' }),
  );
  await stage.file('secret.env', 'x');
  return stage.robota([
    ...['-p', prompt, '--record', tape, '--deny', 'Read(secret.env)'],
    ...permissive,
    ...asJson,
  ]);
}

/** Replays in another directory with nothing configured: no key, no server, no rules. */
async function replay(args: readonly string[] = [], change?: (cwd: string) => Promise<void>) {
  const cwd = await temporaryDirectory();
  await change?.(cwd);
  const home = await temporaryDirectory('robota-home');
  const result = await runRobota(['--replay', tape, ...args], { cwd, home, env: {} });
  return { ...result, cwd, home };
}

describe('record and replay', () => {
  it('runs the same session again without network, key, commands or changes', async () => {
    const recorded = await record();
    expect(recorded.code).toBe(0);
    expect((await stat(tape)).mode & 0o777).toBe(0o600);
    await stage.server.close();
    const replayed = await replay(asJson);
    expect(replayed.stderr).toBe('');
    expect(replayed.code).toBe(0);
    const [then, now] = [JSON.parse(recorded.stdout), JSON.parse(replayed.stdout)];
    for (const field of ['result', 'num_turns', 'total_cost_usd', 'usage', 'permission_denials'])
      expect([field, now[field]]).toEqual([field, then[field]]);
    expect(now.permission_denials).toHaveLength(1);
    await expect(stat(join(replayed.cwd, 'note.txt'))).rejects.toThrow('ENOENT');
    await expect(stat(join(replayed.cwd, 'ran'))).rejects.toThrow('ENOENT');
    await expect(stat(join(replayed.home, '.robota', 'sessions'))).rejects.toThrow('ENOENT');
  });

  it('holds no key, wherever it comes from and however it was cut', async () => {
    const keys = [`sk-${'a1'.repeat(12)}`, `AKIA${'B2'.repeat(8)}`, `ghp_${'c3'.repeat(16)}`];
    const [typed = '', read = '', said = ''] = keys;
    await stage.file('notes.txt', `a\t${read}\n`);
    stage.server.reply(
      anthropicReply({
        text: ['You said ', said.slice(0, 9), said.slice(9), '.'],
        toolCalls: [
          { name: 'Read', input: { file_path: 'notes.txt' } },
          { name: 'Bash', input: { command: `echo a\t${read}` } },
        ],
      }),
      anthropicReply({ text: 'Seen.' }),
    );
    await stage.robota(['-p', `my key is ${typed}`, '--record', tape, ...permissive]);
    const recorded = await readFile(tape, 'utf8');
    for (const key of keys) expect(recorded).not.toContain(key.slice(4));
    for (const args of [[], ['-p', `my key is ${typed}`]])
      expect(await replay(args)).toMatchObject({ code: 0, stdout: expect.stringContaining('Seen.') });
  });

  it('replays a compaction that was asked for, with its focus', async () => {
    stage.server.reply(
      anthropicReply({ text: 'One.' }),
      anthropicReply({ text: 'Two.' }),
      anthropicReply({ text: '## Goal\nNotes.' }),
    );
    await stage.robota(['-p', 'first']);
    await stage.robota(['-c', '-p', 'second']);
    const compacted = await stage.robota(['-c', '-p', '/compact the tests', '--record', tape]);
    expect(compacted.code).toBe(0);
    const replayed = await replay();
    expect([replayed.code, replayed.stdout]).toEqual([0, compacted.stdout]);
  });

  it('fails clearly where the run takes another path', async () => {
    await record();
    const other = await replay(['-p', 'make a novel', ...asJson]);
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stdout)).toMatchObject({
      subtype: 'error',
      error_code: 'replay',
      error: expect.stringMatching(
        /^The replay diverged at model call 1: message 1 was ".*make a note.*" and is now ".*make a novel/s,
      ),
    });
    const less = await replay(['-p', '/cost']);
    expect(less.code).toBe(1);
    expect(less.stderr).toContain('the recording has 2 model calls more than this run made');
    const asObject = JSON.parse((await replay(['-p', '/cost', ...asJson])).stdout);
    expect(asObject).toMatchObject({ is_error: true, error_code: 'replay' });
  });

  it('warns where the prompt or the tools changed since, and continues', async () => {
    await record();
    const changed = await replay(asJson, (cwd) => writeFile(join(cwd, 'AGENTS.md'), 'Answer in rhymes.'));
    expect(changed.code).toBe(0);
    const verbose = await replay(['--verbose'], (cwd) => writeFile(join(cwd, 'AGENTS.md'), 'Rhyme.'));
    expect(verbose.stderr + verbose.stdout).toContain('the system prompt changed');
  });

  it('replays a session that was resumed, with what was said before', async () => {
    stage.server.reply(anthropicReply({ text: 'Hello.' }), anthropicReply({ text: 'You said hi.' }));
    await stage.robota(['-p', 'hi']);
    await stage.robota(['-c', '-p', 'what did I say?', '--record', tape]);
    expect(await replay()).toMatchObject({ code: 0, stdout: 'You said hi.\n' });
  });

  it('asks what the user asked, and lets hooks add to it as they did', async () => {
    const say = (text: string) => [{ hooks: [{ type: 'command', command: `echo ${text}` }] }];
    await stage.settings({
      hooks: { UserPromptSubmit: say('mind the tests'), SessionStart: say('welcome') },
    });
    stage.server.reply(anthropicReply({ text: 'Hello.' }));
    await stage.robota(['-p', 'hi', '--record', tape]);
    expect(
      stage
        .messages(0)[0]
        ?.content.map(({ text }) => text)
        .join(' '),
    ).toContain('mind the tests');
    expect(await replay()).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  });

  it('gives the report of an agent back without running it again', async () => {
    stage.server.handle(({ text }) => {
      if (text.includes('You work for another agent')) return anthropicReply({ text: 'Nothing found.' });
      if (text.includes('Nothing found.')) return anthropicReply({ text: 'There is nothing.' });
      return anthropicReply({ toolCalls: [{ name: 'Agent', input: { prompt: 'Look.' } }] });
    });
    const recorded = await stage.robota(['-p', 'look for it', '--record', tape, ...asJson]);
    const replayed = await replay(asJson);
    expect(replayed.code).toBe(0);
    expect(JSON.parse(replayed.stdout).result).toBe(JSON.parse(recorded.stdout).result);
  });

  it('tells results apart whose calls have the same id', async () => {
    const call = (command: string) =>
      anthropicReply({ toolCalls: [{ id: 'call_0', name: 'Bash', input: { command } }] });
    stage.server.reply(call('echo first'), call('echo second'), anthropicReply({ text: 'Done.' }));
    await stage.robota(['-p', 'go', '--record', tape, ...permissive]);
    expect(await replay()).toMatchObject({ code: 0, stdout: 'Done.\n' });
  });

  it('ends where the recorded run came to its limit', async () => {
    stage.server.handle(() => anthropicReply({ toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }));
    const limited = await stage.robota(['-p', 'go', '--max-turns', '2', '--record', tape, ...asJson]);
    const replayed = await replay(asJson);
    const codeOf = (text: string) => JSON.parse(text).error_code;
    expect([replayed.code, codeOf(replayed.stdout)]).toEqual([limited.code, codeOf(limited.stdout)]);
  });

  it('gives failures and retries back as they came', async () => {
    await stage.settings({ retry: { baseDelayMs: 1, maxDelayMs: 1 } });
    stage.server.reply(anthropicError(529, 'overloaded'));
    stage.server.reply(anthropicReply({ text: 'At last.' }));
    const recorded = await stage.robota(['-p', 'go', '--record', tape]);
    expect(recorded.stdout).toBe('At last.\n');
    expect(await replay()).toMatchObject({ code: 0, stdout: 'At last.\n' });
  });

  it('gives back the files that a prompt mentioned, and takes no prompt for a command', async () => {
    await stage.file('note.txt', 'the note\n');
    stage.server.reply(anthropicReply({ text: 'Read.' }));
    await stage.robota(['-p', 'read @note.txt', '--record', tape]);
    expect(await replay()).toMatchObject({ code: 0, stdout: 'Read.\n', stderr: '' });
    tape = `${tape}.piped`;
    stage.server.reply(anthropicReply({ text: 'A command?' }));
    await stage.robota(['-p', '--record', tape], { input: '!touch ran @note.txt' });
    expect(await replay()).toMatchObject({ code: 0, stdout: 'A command?\n', stderr: '' });
  });

  it('says what is wrong with a file or with options that do not go together', async () => {
    await mkdir(join(stage.cwd, 'empty'));
    await stage.file('notes.txt', 'no recording\n');
    await stage.robota(['-p', '/mode', '--record', 'mute.jsonl']);
    await stage.file('old.jsonl', '{"type":"recording","version":99}\n');
    const cases: readonly (readonly [args: readonly string[], said: string])[] = [
      [['--replay', 'missing.jsonl'], 'cannot be read: No such file.'],
      [['--replay', 'notes.txt'], 'notes.txt:1 is damaged'],
      [['--replay', 'mute.jsonl'], 'The recording has no prompt'],
      [['--replay', 'old.jsonl'], 'is a recording of version 99'],
      [['-p', 'x', '--record', 'notes.txt'], 'the file already exists'],
      [['-p', 'x', '--record', 'no/such/place'], 'cannot be written'],
      [['--replay', 'a', '--model', 'offline'], '--replay and --model cannot be used together'],
    ];
    for (const [args, said] of cases) {
      const result = await stage.robota(args);
      expect([args, result.code]).toEqual([args, 2]);
      expect(result.stderr).toContain(said);
    }
    expect(stage.server.requests).toHaveLength(0);
  });
});
