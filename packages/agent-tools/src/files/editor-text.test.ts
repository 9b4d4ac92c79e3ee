import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ToolContext, textOf } from '@robota-sdk/agent-core';
import { testToolContext } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bashTool } from '../bash/bash-tool.ts';
import { editTool } from '../edit/edit-tool.ts';
import { readTool } from '../read/read-tool.ts';
import { sandboxAccess } from '../sandbox/sandbox-policy.ts';
import { writeTool } from '../write/write-tool.ts';
import { type EditorCommand, type EditorPort, editorAccess } from './editor-access.ts';

let cwd: string;
let context: ToolContext;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'robota-editor-')));
  context = testToolContext(cwd);
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** An editor with some buffers that are not saved. */
function editor(buffers: Record<string, string>, port: Partial<EditorPort> = {}): Map<string, string> {
  const written = new Map<string, string>();
  context.state.get(editorAccess).port = {
    readText: async (path) => buffers[path],
    writeText: async (path, text) => {
      written.set(path, text);
      buffers[path] = text;
      writeFileSync(path, text);
      return true;
    },
    ...port,
  };
  return written;
}

const read = async (file_path: string) => textOf((await readTool.execute({ file_path }, context)).content);

describe('the files of an editor', () => {
  it('reads unsaved changes, and the disk where there are none', async () => {
    proves('R-27');
    const file = join(cwd, 'a.txt');
    writeFileSync(file, 'old\n');
    editor({ [file]: 'typed\n' });
    expect(await read('a.txt')).toBe('1\ttyped');
    writeFileSync(join(cwd, 'b.txt'), 'disk\n');
    expect(await read('b.txt')).toBe('1\tdisk');
  });

  it('edits what the user sees and hands it to the editor', async () => {
    proves('R-29');
    const file = join(cwd, 'a.txt');
    writeFileSync(file, 'one\r\ntwo\r\n');
    const written = editor({ [file]: 'one\ntwo\nthree\n' });
    await read('a.txt');
    await editTool.execute({ file_path: 'a.txt', old_string: 'three', new_string: 'drei' }, context);
    expect(written.get(file)).toBe('one\r\ntwo\r\ndrei\r\n');
  });

  it('lets the editor write a new file, and writes it where the editor does not', async () => {
    proves('R-28');
    const written = editor({});
    await writeTool.execute({ file_path: 'new.txt', content: 'x' }, context);
    expect(written.get(join(cwd, 'new.txt'))).toBe('x');
    editor({}, { writeText: async () => false });
    await writeTool.execute({ file_path: 'other.txt', content: 'y' }, context);
    expect(readFileSync(join(cwd, 'other.txt'), 'utf8')).toBe('y');
  });

  it('never overwrites unsaved changes that the editor does not take', async () => {
    proves('R-29');
    const file = join(cwd, 'a.txt');
    writeFileSync(file, 'old\n');
    editor({ [file]: 'typed\n' }, { writeText: async () => false });
    await read('a.txt');
    const edit = editTool.execute({ file_path: 'a.txt', old_string: 'typed', new_string: 'x' }, context);
    await expect(edit).rejects.toThrow('unsaved changes');
    expect(readFileSync(file, 'utf8')).toBe('old\n');
  });

  it('asks to read again when the user typed since', async () => {
    proves('R-28');
    const file = join(cwd, 'a.txt');
    writeFileSync(file, 'old\n');
    const buffers: Record<string, string> = {};
    editor(buffers);
    await read('a.txt');
    buffers[file] = 'typed meanwhile\n';
    await expect(writeTool.execute({ file_path: 'a.txt', content: 'x' }, context)).rejects.toThrow(
      'Read it again',
    );
  });

  it('keeps other encodings by writing such files itself', async () => {
    proves('R-29');
    const file = join(cwd, 'latin.txt');
    writeFileSync(file, Buffer.from('caf\xe9\n', 'latin1'));
    const written = editor({});
    await read('latin.txt');
    await editTool.execute({ file_path: 'latin.txt', old_string: 'caf', new_string: 'Caf' }, context);
    expect(written.size).toBe(0);
    expect(readFileSync(file, 'latin1')).toBe('Caf\xe9\n');
  });
});

describe('the terminal of an editor', () => {
  const ended = { output: '', isCut: false, exitCode: 0, signal: null };

  it('runs commands there and tells how they ended', async () => {
    proves('R-26');
    const commands: EditorCommand[] = [];
    editor(
      {},
      {
        runCommand: async (command) => {
          commands.push(command);
          return { ...ended, output: '\u001b[31mbad\u001b[0m\r\n', exitCode: 3 };
        },
      },
    );
    const output = await bashTool.execute({ command: 'make' }, context);
    expect(textOf(output.content)).toBe('bad\n[exit code 3]');
    expect(output).toMatchObject({ isError: true, display: { kind: 'terminal', exitCode: 3 } });
    expect(commands[0]).toMatchObject({ command: 'make', cwd, callId: context.callId });
  });

  it('stops at the time-out and keeps what was printed', async () => {
    proves('R-26');
    editor(
      {},
      {
        runCommand: async (_, signal) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return { ...ended, output: 'so far', exitCode: null, signal: 'SIGKILL' };
        },
      },
    );
    const output = await bashTool.execute({ command: 'sleep 60', timeout: 20 }, context);
    expect(textOf(output.content)).toMatch(/^so far\n\[timed out after 0 s/);
  });

  it('runs them itself where the editor cannot, in the background, or where a sandbox is asked for', async () => {
    proves('R-26');
    let asked = 0;
    const runCommand = async () => {
      asked += 1;
      return undefined;
    };
    editor({}, { runCommand });
    expect(textOf((await bashTool.execute({ command: 'echo us' }, context)).content)).toBe('us');
    expect(asked).toBe(1);
    context.state.get(sandboxAccess).mode = 'auto';
    expect(textOf((await bashTool.execute({ command: 'echo box' }, context)).content)).toContain('box');
    expect(asked).toBe(1);
    await context.state.dispose();
  });
});
