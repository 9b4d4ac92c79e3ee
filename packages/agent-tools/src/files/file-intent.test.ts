import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileIntent } from '@robota-sdk/agent-core';
import { testToolContext } from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editTool } from '../edit/edit-tool.ts';
import { readTool } from '../read/read-tool.ts';
import { writeTool } from '../write/write-tool.ts';

let cwd: string;
let file: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'robota-intent-')));
  file = join(cwd, 'a.txt');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const hashNow = () =>
  existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : null;

const stage = async (intent: FileIntent) => writeTool.resume?.(intent, testToolContext(cwd));

describe('the intent of a change', () => {
  it('holds the hashes that the file has before and after Write, for any content', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', ' ') });
    await fc.assert(
      fc.asyncProperty(fc.option(text), text, async (before, content) => {
        rmSync(file, { force: true });
        if (before !== null) writeFileSync(file, before);
        const context = testToolContext(cwd);
        if (before !== null) await readTool.execute({ file_path: 'a.txt' }, context);
        const input = { file_path: 'a.txt', content };
        const intent = await writeTool.intend?.(input, context);
        expect(intent?.before).toBe(hashNow());
        await writeTool.execute(input, context);
        expect(intent?.after).toBe(hashNow());
        expect(intent && (await stage(intent))).toBe('done');
      }),
    );
  });

  it('holds those of Edit, and tells the three cases apart', async () => {
    writeFileSync(file, 'one\r\ntwo\r\n');
    const input = { file_path: 'a.txt', old_string: 'two', new_string: 'zwei' };
    const context = testToolContext(cwd);
    const intent = await editTool.intend?.(input, context);
    if (!intent) throw new Error('no intent');
    expect([intent.path, intent.before]).toEqual([file, hashNow()]);
    expect(await stage(intent)).toBe('run');
    await editTool.execute(input, context);
    expect([intent.after, await stage(intent)]).toEqual([hashNow(), 'done']);
    writeFileSync(file, 'something else');
    expect(await stage(intent)).toBe('differs');
    rmSync(file);
    expect(await stage(intent)).toBe('differs');
    writeFileSync(file, Buffer.from([0, 1, 2, 0xff]));
    expect(await stage(intent)).toBe('differs');
  });

  it('a file that is as before counts as read, so that the call can run in another process', async () => {
    writeFileSync(file, 'one');
    const first = testToolContext(cwd);
    await readTool.execute({ file_path: 'a.txt' }, first);
    const input = { file_path: 'a.txt', content: 'two' };
    const intent = await writeTool.intend?.(input, first);
    const second = testToolContext(cwd);
    await expect(writeTool.execute(input, second)).rejects.toThrow('have not read it');
    expect(intent && (await writeTool.resume?.(intent, second))).toBe('run');
    await writeTool.execute(input, second);
    expect(readFileSync(file, 'utf8')).toBe('two');
  });

  it('there is none where the call itself will fail', async () => {
    const context = testToolContext(cwd);
    writeFileSync(file, 'one');
    const inputs = { file_path: 'a.txt', old_string: 'nowhere', new_string: 'x' };
    expect(await editTool.intend?.(inputs, context)).toBeUndefined();
    expect(await writeTool.intend?.({ file_path: 'a.txt', content: 'x' }, context)).toBeUndefined();
    expect(await writeTool.intend?.({ file_path: '../../etc/x\0', content: 'x' }, context)).toBeUndefined();
  });
});
