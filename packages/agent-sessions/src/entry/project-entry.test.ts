import { textOf } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { buildContext } from './build-context.ts';
import { decodeLine, encodeLine } from './codec.ts';
import type { Entry } from './entry.ts';
import { projectEntry } from './project-entry.ts';
import { EntryTree } from './tree.ts';

const place = { id: 'aaaaaaaa', parentId: null, timestamp: '2026-01-02T03:04:05.000Z' };

function read(line: object): Entry {
  const decoded = decodeLine(JSON.stringify({ ...place, ...line }));
  if (decoded.kind !== 'entry') throw new Error(`no entry: ${decoded.kind}`);
  return decoded.entry;
}

const shown = (line: object) => {
  const message = projectEntry(read(line));
  return message && textOf(message.content);
};

describe('entries that stand for a message', () => {
  it('the summary of a branch that was left is told to the model, and keeps its line', () => {
    proves('P-19');
    const line = {
      type: 'branch_summary',
      fromId: 'bbbbbbbb',
      summary: 'tried X',
      details: { readFiles: ['a'] },
    };
    const entry = read(line);
    expect(JSON.parse(encodeLine({ kind: 'entry', entry }))).toEqual({ ...place, ...line });
    const [message] = buildContext([entry]);
    expect(message).toMatchObject({ role: 'user', origin: 'reminder', timestamp: 1767323045000 });
    expect(textOf(message?.content ?? [])).toContain('<summary>\ntried X\n</summary>');
    expect(shown({ ...line, summary: '' })).toBeUndefined();
  });

  it('texts of extensions and commands run by hand are told to the model', () => {
    proves('P-19');
    expect(shown({ type: 'custom_message', customType: 'x', content: 'note', display: true })).toBe('note');
    const blocks = [{ type: 'text', text: 'block' }];
    expect(shown({ type: 'message', message: { role: 'custom', content: blocks } })).toBe('block');
    expect(shown({ type: 'message', message: { role: 'hookMessage', content: 'old' } })).toBe('old');
    const bash = { role: 'bashExecution', command: 'ls', output: 'a ``` b\n', exitCode: 2 };
    expect(shown({ type: 'message', message: bash })).toBe(
      'The user ran `ls` in the shell.\n````\na ``` b\n[exit code 2]\n````\nIt did not succeed.',
    );
    expect(shown({ type: 'message', message: { ...bash, output: '', exitCode: 0, cancelled: true } })).toBe(
      'The user ran `ls` in the shell.\n```\n(no output)\n```\nIt did not succeed.',
    );
    expect(shown({ type: 'message', message: { ...bash, excludeFromContext: true } })).toBeUndefined();
    expect(shown({ type: 'future', content: 'x' })).toBeUndefined();
  });

  it('of earlier versions that told of a command in a message become one, and the model reads the same', () => {
    const bodies = [
      ['one\ntwo\n[exit code 3]', { output: 'one\ntwo', exitCode: 3, status: 'error' }],
      ['[no output, exit code 137 (SIGKILL)]', { output: '', exitCode: 137, status: 'error' }],
      ['x\n[exit code 1]\n[blocked by the sandbox]', { exitCode: null, status: 'error' }],
      ['half\n[interrupted after 2 s; all its processes were ended]', { exitCode: null, status: 'error' }],
      ['(no output)', { output: '', exitCode: 0, status: 'success' }],
      ['[exit code 3]', { output: '[exit code 3]', exitCode: 0, status: 'success' }],
    ] as const;
    for (const [body, run] of bodies) {
      const end = run.status === 'error' ? '\nIt did not succeed.' : '';
      const text = `The user ran \`a \`b\`\` in the shell.\n\`\`\`\n${body}\n\`\`\`${end}`;
      const robota = { id: '0d9fb74e-0000-4000-8000-000000000000', origin: 'reminder' };
      const line = { type: 'message', message: { role: 'user', content: text, timestamp: 7, robota } };
      const entry = read(line);
      expect(entry).toMatchObject({ type: 'shell', command: 'a `b`', isPrivate: false, ...run });
      expect(projectEntry(entry)).toMatchObject({ id: robota.id, timestamp: 7, origin: 'reminder' });
      expect(shown(line)).toBe(text);
      const typed = { ...line, message: { ...line.message, robota: { id: robota.id } } };
      expect(read(typed)).toMatchObject({ type: 'message' });
    }
  });

  it('can be what a compaction keeps', () => {
    const entry = read({ type: 'branch_summary', fromId: 'root', summary: 'tried X' });
    const tree = new EntryTree();
    tree.addEntry(entry);
    expect(tree.entryIdOf(projectEntry(entry)?.id ?? '')).toBe(entry.id);
  });
});
