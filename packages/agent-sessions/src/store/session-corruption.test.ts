import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Message, textOf } from '@robota-sdk/agent-core';
import { withoutPrivileges } from '@robota-sdk/agent-testing';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeLine, encodeLine } from '../entry/codec.ts';
import { LineMigrator } from '../entry/migrate.ts';
import { user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from './jsonl-store.ts';
import type { SessionHandle } from './session-handle.ts';
import type { SessionProblem } from './session-problem.ts';

/** Opens a large session, walks all of it, and tells how far memory has grown. */
const opening = `
  import { JsonlSessionStore } from './jsonl-store.ts';

  const before = process.memoryUsage.rss();
  const store = new JsonlSessionStore({ home: process.argv[2] });
  const handle = await store.open('S');
  const messages = handle.messages();
  let entries = 0;
  for (const entry of handle.entries()) entries++;
  const prompts = [...handle.promptIds].length;
  const grownBytes = process.resourceUsage().maxRSS * 1024 - before;
  const first = messages[0].content[0].text;
  await handle.append({ type: 'custom', customType: 'x' });
  await handle.close();
  console.log(JSON.stringify({ entries, prompts, first, last: messages.at(-1).content[0].text.slice(0, 5), grownBytes }));
`;

interface CorruptionCase {
  readonly id: string;
  readonly name: string;
  readonly base: readonly string[];
  readonly ops: readonly Readonly<Record<string, unknown>>[];
  readonly expected: {
    readonly messages?: number | string;
    readonly dropped?: number;
    readonly warn?: boolean | string;
    readonly error?: string;
    readonly synthetic_tool_result?: readonly string[];
    readonly dropped_results?: readonly string[];
  };
}

const cases = JSON.parse(
  readFileSync(new URL('../../fixtures/session-corruption.json', import.meta.url), 'utf8'),
) as readonly CorruptionCase[];

/** Cases about other files than a session's; their tests stand beside the code that writes those files. */
const elsewhere = new Set(['sess-047', 'sess-049', 'sess-051']);

let home: string;
let file: string;
let store: JsonlSessionStore;
let told: SessionProblem[];

beforeEach(() => {
  // Every torn line is put aside with a flush: thousands of them are for memory.
  home = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'robota-corrupt-'));
  // The fallback folder for lines that cannot be saved.
  vi.stubEnv('TMPDIR', home);
  told = [];
  store = new JsonlSessionStore({ home, onProblem: (problem) => told.push(problem) });
  file = join(home, 'sessions', 'p', 'S', 'session.jsonl');
  mkdirSync(dirname(file), { recursive: true });
});

afterEach(() => {
  vi.unstubAllEnvs();
  // After dropping privileges the environment's temporary directory is not used.
  for (const { message } of told) rmSync(/robota --session (\S+)$/.exec(message)?.[1] ?? '', { force: true });
  rmSync(home, { recursive: true, force: true });
});

const caseOf = (id: string) => {
  const found = cases.find((each) => each.id === id);
  if (!found) throw new Error(`no case ${id}`);
  return found;
};

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));

/** The flat lines of a case as the lines we write ourselves. */
function ownLines(lines: readonly string[]): string[] {
  const migrator = new LineMigrator();
  return lines.map((text) => {
    const line = decodeLine(text, migrator);
    if (line.kind === 'problem') throw new Error(`no line: ${text}`);
    if (line.kind !== 'header') return encodeLine(line).trimEnd();
    return encodeLine({ kind: 'header', header: { ...line.header, version: 3, writer: 'robota' } }).trimEnd();
  });
}

/** Applies the operations of a case to lines; identical for both formats as far as bytes go. */
function damaged({ ops }: CorruptionCase, lines: readonly string[]): Buffer {
  let bytes = bytesOf(lines);
  for (const { op, i, with: replacement, hex, after, text, from, to, n, j } of ops) {
    const each = bytes.toString('utf8').split('\n').slice(0, -1);
    const at = Number(i);
    if (op === 'replace_line') each[at] = String(replacement);
    if (op === 'overwrite_line_with_nul') each[at] = '\0'.repeat(each[at]?.length ?? 0);
    if (op === 'drop_line') each.splice(at, 1);
    if (op === 'append_line') each.push(String(replacement));
    if (op === 'replace_in_line') each[at] = each[at]?.replace(String(from), String(to)) ?? '';
    if (op === 'keep_lines') each.splice(Number(n));
    if (op === 'swap_lines') [each[at], each[Number(j)]] = [each[Number(j)] ?? '', each[at] ?? ''];
    if (op === 'insert_blank') each.splice(Number(after) + 1, 0, ...String(text).split('\n'));
    if (op === 'clear') each.length = 0;
    bytes = bytesOf(each);
    if (op === 'append_hex') bytes = Buffer.concat([bytes, Buffer.from(String(hex), 'hex')]);
    if (op === 'prepend_hex') bytes = Buffer.concat([Buffer.from(String(hex), 'hex'), bytes]);
  }
  return bytes;
}

const messagesIn = (handle: SessionHandle) =>
  handle.path().flatMap((entry) => (entry.type === 'message' ? entry.message : []));

const synthetic = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'tool' && message.isError && /No result was recorded/.test(textOf(message.content))
      ? message.toolCallId
      : [],
  );

const countOf = (handle: SessionHandle, code: SessionProblem['code']) =>
  handle.problems.find((problem) => problem.code === code)?.count ?? 0;

function isJsonOrNothing(text: string): boolean {
  try {
    return text === '' || JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** The cases in which bytes are damaged and the answer is a table of numbers. */
const tabled = cases.filter(
  ({ ops, expected }) =>
    expected.error === undefined &&
    ops.every(({ op }) => /line|hex|blank/.test(String(op)) && op !== 'many_lines'),
);

describe('damaged sessions', () => {
  it('are all of the cases there are', () => {
    const own = new Set([...tabled.map(({ id }) => id), ...elsewhere, ...tested]);
    expect(cases.filter(({ id }) => !own.has(id))).toEqual([]);
  });

  it.each(tabled.map((each) => [each.id, each.name, each] as const))('%s %s', async (_id, _name, each) => {
    const written = damaged(each, each.base);
    writeFileSync(file, written);
    const handle = await store.open('S', { mode: 'read' });
    const { messages, dropped, warn } = each.expected;
    if (typeof messages === 'number') expect(messagesIn(handle)).toHaveLength(messages);
    if (dropped !== undefined) expect(countOf(handle, 'bad-line')).toBe(dropped);
    if (warn === true) expect(handle.problems).not.toEqual([]);
    expect(synthetic(handle.messages())).toEqual(each.expected.synthetic_tool_result ?? []);
    for (const id of each.expected.dropped_results ?? [])
      expect(handle.messages()).not.toContainEqual(expect.objectContaining({ toolCallId: id }));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    // Whatever could be read can be continued in a copy, and the original stays as it was.
    const fork = await store.fork('S', { cwd: home });
    await fork.append({ type: 'message', message: user('go on') });
    await fork.close();
    const continued = await store.open(fork.id);
    expect(messagesIn(continued)).toHaveLength(messagesIn(handle).length + 1);
    await continued.close();
    expect(readFileSync(file).equals(written)).toBe(true);
  });

  it('torn at every byte: flat lines are read as far as they are whole', async () => {
    const bytes = bytesOf(caseOf('sess-001').base);
    for (let length = 1; length <= bytes.length; length++) {
      writeFileSync(file, bytes.subarray(0, length));
      const handle = await store.open('S', { mode: 'read' });
      const whole = bytes.subarray(0, length).toString().split('\n').length - 2;
      expect(messagesIn(handle).length).toBeGreaterThanOrEqual(whole);
    }
  });

  it('torn at every byte: our own lines also take the next one, on a line of its own', async () => {
    const bytes = bytesOf(ownLines(caseOf('sess-001').base));
    for (let length = 1; length <= bytes.length; length++) {
      const cut = bytes.subarray(0, length);
      writeFileSync(file, cut);
      const handle = await store.open('S');
      const whole = cut.toString().split('\n').length - 2;
      const read = messagesIn(handle).length;
      expect(read).toBeGreaterThanOrEqual(whole);
      expect(countOf(handle, 'torn-tail')).toBe(
        isJsonOrNothing(cut.toString().split('\n').at(-1) ?? '') ? 0 : 1,
      );
      await handle.append({ type: 'message', message: user('next') });
      await handle.close();
      const lines = readFileSync(file, 'utf8').split('\n');
      expect(lines.at(-1)).toBe('');
      expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ type: 'message' });
      expect(messagesIn(await store.open('S', { mode: 'read' }))).toHaveLength(read + 1);
    }
  });

  it('lets the last of two lines with one id count', async () => {
    const each = caseOf('sess-017');
    writeFileSync(file, damaged(each, each.base));
    const handle = await store.open('S', { mode: 'read' });
    expect(textOf(messagesIn(handle).at(-1)?.content ?? [])).toBe('other');
  });

  it('is empty: named as such, passed over in lists, untouched', async () => {
    writeFileSync(file, '');
    await expect(store.open('S')).rejects.toThrow(/is empty/);
    expect(await store.list()).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('puts results of parallel calls into the order of the calls', async () => {
    const [header = '', first = ''] = caseOf('sess-027').base;
    const calls = ['t1', 't2'].map((id) => ({ id, name: 'Bash', args: { command: id } }));
    const lines = [
      header,
      first,
      JSON.stringify({ id: 'm2', parentId: 'm1', role: 'assistant', content: '', toolCalls: calls }),
      JSON.stringify({ id: 'm3', parentId: 'm2', role: 'toolResult', toolCallId: 't2', content: 'two' }),
      JSON.stringify({ id: 'm4', parentId: 'm3', role: 'toolResult', toolCallId: 't1', content: 'one' }),
    ];
    writeFileSync(file, bytesOf(lines));
    const messages = (await store.open('S', { mode: 'read' })).messages();
    expect(messages.slice(2)).toMatchObject([{ toolCallId: 't1' }, { toolCallId: 't2' }]);
  });

  it('of a newer version are refused by name, in every mode, and stay as they are', async () => {
    const each = caseOf('sess-029');
    for (const lines of [
      each.base,
      ownLines(each.base).map((line) => line.replace('"version":3', '"version":999')),
    ]) {
      const written = damaged(each, lines);
      writeFileSync(file, written);
      for (const mode of ['read', 'append'] as const)
        await expect(store.open('S', { mode })).rejects.toThrow(/newer version.*999.*Update Robota/);
      await expect(store.fork('S')).rejects.toThrow(/newer version/);
      expect(readFileSync(file).equals(written)).toBe(true);
    }
  });

  it('keep unknown lines and fields when they are copied', async () => {
    const each = caseOf('sess-031');
    writeFileSync(file, damaged(each, each.base));
    const fork = await store.fork('S', { cwd: home });
    await fork.close();
    const summary = (await store.list()).find(({ id }) => id === fork.id);
    const copy = readFileSync(summary?.path ?? '', 'utf8').split('\n');
    expect(copy).toContain('{"type":"future","x":1}');
    expect(copy.map((line) => (line === '' ? {} : JSON.parse(line)))).toContainEqual(
      expect.objectContaining({ zzz: { a: [1] } }),
    );
  });

  it('of a gigabyte are listed by their ends', async () => {
    const [header = '', first = '', ...rest] = ownLines(caseOf('sess-035').base);
    writeFileSync(file, bytesOf([header, first]));
    truncateSync(file, 1024 ** 3);
    appendFileSync(
      file,
      `\n${rest.join('\n')}\n{"type":"session_info","id":"n","parentId":"m4","name":"big"}\n`,
    );
    expect(await store.list()).toMatchObject([{ id: 'S', firstPrompt: 'hi', name: 'big' }]);
  });

  it('of 100 MB and 100,000 entries are opened without holding them', async () => {
    const [header = ''] = ownLines(caseOf('sess-035').base);
    const line = (index: number) =>
      `{"type":"message","id":"x${index}","parentId":${index === 0 ? null : `"x${index - 1}"`},"timestamp":"","message":{"role":"user","content":"${index} ${'w'.repeat(900)}","robota":{"id":"m${index}","parentId":null}}}\n`;
    writeFileSync(file, `${header}\n`);
    for (let from = 0; from < 100_000; from += 10_000)
      appendFileSync(file, Array.from({ length: 10_000 }, (_, index) => line(from + index)).join(''));
    const script = join(home, 'opening.mjs');
    await build({
      stdin: { contents: opening, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
    const told = JSON.parse(execFileSync(process.execPath, [script, home], { encoding: 'utf8' }));
    expect(told).toMatchObject({ entries: 100_000, prompts: 100_000, last: '99999' });
    // Messages beyond the limit are not sent, and the notice counts them.
    expect(told.first).toMatch(/The first \d+ messages .* left out/);
    expect(told.grownBytes).toBeLessThan(statSync(file).size * 2.5);
  });

  it('follow their parents, whatever the clock said', async () => {
    const lines = caseOf('sess-037').base.map((line, index) =>
      line.replace(/"timestamp":\d+/, `"timestamp":${1_700_000_000_000 - index * 60_000}`),
    );
    writeFileSync(file, bytesOf(lines));
    const handle = await store.open('S', { mode: 'read' });
    expect(handle.path().map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  it('that are directories are refused in words; the others are still listed', async () => {
    mkdirSync(file);
    await expect(store.open('S')).rejects.toThrow(/is not a file/);
    await store.save({ cwd: home, id: 'other', messages: [user('hi')] });
    expect((await store.list()).map(({ id }) => id)).toEqual(['other']);
  });

  it('that are read-only continue in memory with a warning', async () => {
    writeFileSync(file, bytesOf(ownLines(caseOf('sess-041').base)));
    chmodSync(file, 0o444);
    chmodSync(dirname(file), 0o555);
    await withoutPrivileges(home, async () => {
      const handle = await store.open('S');
      await handle.append({ type: 'message', message: user('more') }, { durable: true });
      expect(handle.messages()).toHaveLength(5);
      expect(told).toMatchObject([{ code: 'disk', message: expect.stringContaining(file) }]);
      await handle.close();
    });
    chmodSync(dirname(file), 0o755);
  });

  it('with locks of dead processes, of reused numbers and without owner are opened', async () => {
    writeFileSync(file, bytesOf(ownLines(caseOf('sess-045').base)));
    const dead = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
    const owners = [
      { pid: dead, host: hostname(), since: 'x' },
      { pid: process.pid, started: '1', host: hostname(), since: 'x' },
      'not even an object',
    ];
    for (const owner of owners) {
      writeFileSync(`${file}.lock`, JSON.stringify(owner));
      await (await store.open('S')).close();
    }
  });
});

/** The cases with a test of their own above, or in `failing-disk.test.ts`. */
const tested = new Set(
  '001 013 027 029 035 037 039 041 043 045'.split(' ').map((number) => `sess-${number}`),
);
