import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ToolContext, textOf } from '@robota-sdk/agent-core';
import { testToolContext } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTool } from '../read/read-tool.ts';
import { writeTool } from './write-tool.ts';

let cwd: string;
let context: ToolContext;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'robota-write-')));
  context = testToolContext(cwd);
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const file = (name = 'a.txt') => join(cwd, name);
const write = (content: string, name = 'a.txt') => writeTool.execute({ file_path: name, content }, context);
const read = (name = 'a.txt') => readTool.execute({ file_path: name }, context);

describe('Write', () => {
  it('creates a file with its directories', async () => {
    proves('R-28', 'P-37', 'E-1');
    const output = await write('one\ntwo\n', 'deep/er/a.txt');
    expect(readFileSync(file('deep/er/a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(textOf(output.content)).toBe('Created deep/er/a.txt (2 lines).');
    expect(output.display).toMatchObject({
      kind: 'diff',
      change: 'create',
      lines: [
        { kind: 'added', line: 1 },
        { kind: 'added', line: 2 },
      ],
    });
  });

  it('replaces only what was read in this session and not changed since', async () => {
    proves('R-28');
    writeFileSync(file(), 'theirs');
    await expect(write('mine')).rejects.toThrow('Read it first');
    await read();
    writeFileSync(file(), 'theirs again');
    await expect(write('mine')).rejects.toThrow('changed on disk');
    expect(readFileSync(file(), 'utf8')).toBe('theirs again');
    await read();
    await write('mine');
    await write('mine, second');
    expect(readFileSync(file(), 'utf8')).toBe('mine, second');
  });

  it('keeps encoding, mark, line endings and mode of the file it replaces', async () => {
    proves('R-28');
    writeFileSync(
      file(),
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('a\r\nb\r\n', 'utf16le').swap16()]),
    );
    chmodSync(file(), 0o755);
    await read();
    const output = await write('é\nc\n');
    expect(readFileSync(file()).subarray(0, 2)).toEqual(Buffer.from([0xfe, 0xff]));
    expect(readFileSync(file()).subarray(2).swap16().toString('utf16le')).toBe('é\r\nc\r\n');
    expect(statSync(file()).mode & 0o777).toBe(0o755);
    expect(textOf(output.content)).toContain(
      'CRLF line endings were kept. Its encoding, utf-16be, was kept.',
    );
  });

  it('shows what differs from the old content', async () => {
    proves('R-28');
    writeFileSync(file(), 'a\nb\nc\nd\ne\n');
    await read();
    const { display } = await write('a\nB\nc\nd\nE\n');
    expect(display).toMatchObject({ change: 'edit', added: 2, removed: 2 });
    expect(
      display?.kind === 'diff' && display.lines.map(({ kind, text, line }) => [kind, text, line]),
    ).toEqual([
      ['context', 'a', 1],
      ['removed', 'b', 2],
      ['added', 'B', 2],
      ['context', 'c', 3],
      ['context', 'd', 4],
      ['removed', 'e', 5],
      ['added', 'E', 5],
    ]);
  });

  it('writes a mark once and no final newline that was not given', async () => {
    proves('R-28');
    await write('\ufeffx', 'b.txt');
    expect([...readFileSync(file('b.txt'))]).toEqual([0xef, 0xbb, 0xbf, 0x78]);
    await write('\ufeffy', 'b.txt');
    expect([...readFileSync(file('b.txt'))]).toEqual([0xef, 0xbb, 0xbf, 0x79]);
  });

  it('refuses directories, binary files and half characters, and leaves them as they are', async () => {
    proves('R-28');
    mkdirSync(file('dir'));
    await expect(write('x', 'dir')).rejects.toThrow('IsDirectory');
    writeFileSync(file('x.bin'), Buffer.from([0, 1]));
    await expect(write('x', 'x.bin')).rejects.toThrow('BinaryFile');
    await expect(write('a\ud800', 'c.txt')).rejects.toThrow('half a character');
    expect(() => statSync(file('c.txt'))).toThrow('ENOENT');
  });

  it('fills an empty file without a read and does nothing once aborted', async () => {
    writeFileSync(file(), '');
    await write('x');
    const aborted = { ...context, signal: AbortSignal.abort() };
    await expect(writeTool.execute({ file_path: 'z.txt', content: 'x' }, aborted)).rejects.toThrow();
    expect(() => statSync(file('z.txt'))).toThrow('ENOENT');
  });

  it('previews without writing', async () => {
    proves('R-28');
    expect(await writeTool.preview?.({ file_path: 'n.txt', content: 'x\n' }, context)).toMatchObject({
      lines: [{ text: 'x' }],
    });
    expect(() => statSync(file('n.txt'))).toThrow('ENOENT');
  });
});
