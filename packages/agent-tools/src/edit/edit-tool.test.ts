import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ToolContext, textOf } from '@robota-sdk/agent-core';
import { hunksOf } from '@robota-sdk/agent-diff';
import { testToolContext } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTool } from '../read/read-tool.ts';
import { editTool } from './edit-tool.ts';

let cwd: string;
let context: ToolContext;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'robota-edit-')));
  context = testToolContext(cwd);
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const file = (name = 'a.txt') => join(cwd, name);
const one = (old_string: string, new_string: string) => ({ file_path: 'a.txt', old_string, new_string });

describe('Edit', () => {
  it('edits a file relative to the workspace and reports the line and the diff', async () => {
    proves('R-29', 'E-1');
    writeFileSync(file(), 'one\ntwo\nthree\n');
    chmodSync(file(), 0o640);
    const output = await editTool.execute(one('two', '2'), context);
    expect(readFileSync(file(), 'utf8')).toBe('one\n2\nthree\n');
    expect(statSync(file()).mode & 0o777).toBe(0o640);
    expect(textOf(output.content)).toBe('Edited a.txt at line 2.');
    expect(output.display).toMatchObject({
      kind: 'diff',
      path: 'a.txt',
      change: 'edit',
      added: 1,
      removed: 1,
      lines: [
        { kind: 'context', text: 'one', line: 1 },
        { kind: 'removed', text: 'two', line: 2 },
        { kind: 'added', text: '2', line: 2 },
        { kind: 'context', text: 'three', line: 3 },
      ],
    });
  });

  it('reports whole lines for a change within a line, and each place as a hunk', async () => {
    proves('R-29');

    const kept = Array.from({ length: 9 }, (_, index) => `kept ${index}\n`).join('');
    writeFileSync(file(), `let a = 1;\n${kept}let a = 2;\n`);
    const { display } = await editTool.execute(
      { file_path: 'a.txt', old_string: 'let a', new_string: 'const a\n ', replace_all: true },
      context,
    );
    if (display?.kind !== 'diff') throw new Error('no diff');
    expect(hunksOf(display.lines)).toHaveLength(2);
    const changed = display.lines.filter(({ kind }) => kind === 'added' || kind === 'removed');
    expect(changed.map(({ kind, text, line }) => [kind, text, line])).toEqual([
      ['removed', 'let a = 1;', 1],
      ['added', 'const a', 1],
      ['added', '  = 1;', 2],
      ['removed', 'let a = 2;', 11],
      ['added', 'const a', 12],
      ['added', '  = 2;', 13],
    ]);
  });

  it('stores no more than 400 lines of a change, and previews all of it', async () => {
    proves('R-29');

    const text = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join('');
    const input = { file_path: 'new.txt', old_string: '', new_string: text };
    const preview = await editTool.preview?.(input, context);
    expect(preview?.kind === 'diff' && preview.lines.length).toBe(1000);
    const { display } = await editTool.execute(input, context);
    expect(display).toMatchObject({ kind: 'diff', change: 'create', added: 1000, removed: 0, more: 600 });
    expect(display?.kind === 'diff' && display.lines.length).toBe(400);
  });

  it('writes UTF-16, Latin-1 and marked files back in their own format', async () => {
    proves('R-29');
    const originals = [
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('one\r\ntwo', 'utf16le')]),
      Buffer.from('\ufeffone\r\ntwo'),
      Buffer.from('caf\xe9 one\r\ntwo', 'latin1'),
    ];
    for (const original of originals) {
      writeFileSync(file(), original);
      await editTool.execute(one('two', 'zwei'), testToolContext(cwd));
      const encoding = original[0] === 0xff ? 'utf16le' : 'latin1';
      const expected = original.toString(encoding).replace('two', 'zwei');
      expect(readFileSync(file()).toString(encoding)).toBe(expected);
    }
  });

  it('refuses a character the encoding lacks and changes nothing', async () => {
    proves('R-29');
    const original = Buffer.from('caf\xe9', 'latin1');
    writeFileSync(file(), original);
    await expect(editTool.execute(one('caf', '中'), context)).rejects.toThrow(/中 .*windows-1252/);
    expect(readFileSync(file()).equals(original)).toBe(true);
  });

  it('writes through a symlink to its target', async () => {
    proves('R-29');
    writeFileSync(file('target.txt'), 'old');
    symlinkSync('target.txt', file());
    await editTool.execute(one('old', 'new'), context);
    expect(readFileSync(file('target.txt'), 'utf8')).toBe('new');
    expect(realpathSync(file())).toBe(file('target.txt'));
  });

  it('refuses a file that changed since it was read, and takes it again after another read', async () => {
    proves('R-29');
    writeFileSync(file(), 'one two');
    await readTool.execute({ file_path: 'a.txt' }, context);
    writeFileSync(file(), 'one two changed');
    await expect(editTool.execute(one('two', '2'), context)).rejects.toThrow(
      'changed on disk since you last read it',
    );
    expect(readFileSync(file(), 'utf8')).toBe('one two changed');
    await readTool.execute({ file_path: 'a.txt' }, context);
    await editTool.execute(one('two', '2'), context);
    await editTool.execute(one('one', '1'), context);
    expect(readFileSync(file(), 'utf8')).toBe('1 2 changed');
  });

  it('makes several edits at once or none', async () => {
    proves('R-29');
    writeFileSync(file(), 'a b c');
    const edits = [
      { old_string: 'a', new_string: '1' },
      { old_string: 'nope, really not', new_string: '2' },
    ];
    await expect(editTool.execute({ file_path: 'a.txt', edits }, context)).rejects.toThrow('edits[1]');
    expect(readFileSync(file(), 'utf8')).toBe('a b c');
    await editTool.execute(
      { file_path: 'a.txt', edits: edits.slice(0, 1), old_string: '', new_string: '' },
      context,
    );
    expect(readFileSync(file(), 'utf8')).toBe('1 b c');
  });

  it('creates a file by an empty old_string, but replaces none that way', async () => {
    await editTool.execute({ file_path: 'new/b.txt', old_string: '', new_string: 'hi\n' }, context);
    expect(readFileSync(file('new/b.txt'), 'utf8')).toBe('hi\n');
    await expect(
      editTool.execute({ file_path: 'new/b.txt', old_string: '', new_string: 'x' }, context),
    ).rejects.toThrow('not empty');
  });

  it('says what to do about missing files, binary files and missing fields', async () => {
    writeFileSync(file('utility.ts'), 'x');
    await expect(editTool.execute({ ...one('a', 'b'), file_path: 'utilty.ts' }, context)).rejects.toThrow(
      'Did you mean utility.ts?',
    );
    writeFileSync(file('x.bin'), Buffer.from([0, 1, 2]));
    await expect(editTool.execute({ ...one('a', 'b'), file_path: 'x.bin' }, context)).rejects.toThrow(
      'BinaryFile',
    );
    await expect(editTool.execute({ file_path: 'utility.ts', new_string: 'a' }, context)).rejects.toThrow(
      'Give old_string',
    );
  });

  it('previews the diff without writing', async () => {
    proves('R-29');
    writeFileSync(file(), 'one\n');
    expect(await editTool.preview?.(one('one', '1'), context)).toMatchObject({
      kind: 'diff',
      lines: [{ text: 'one' }, { text: '1' }],
    });
    expect(await editTool.preview?.(one('absent', '1'), context)).toBeUndefined();
    expect(readFileSync(file(), 'utf8')).toBe('one\n');
  });

  it('declares the real file it would write', async () => {
    proves('E-41');
    writeFileSync(file('target.txt'), '');
    symlinkSync('target.txt', file());
    expect(await editTool.access(one('a', 'b'), context)).toEqual([
      { kind: 'write', path: file(), real: file('target.txt') },
    ]);
  });
});
