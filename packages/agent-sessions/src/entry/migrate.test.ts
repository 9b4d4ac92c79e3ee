import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSessionLines } from '../store/read-session-file.ts';
import { buildContext } from './build-context.ts';
import { repairMessages } from './repair.ts';

const read = (...lines: readonly object[]) => readSessionLines(lines.map((line) => JSON.stringify(line)));
const message = (role: string, content: string) => ({
  type: 'message',
  timestamp: 't',
  message: { role, content },
});

describe('older formats', () => {
  it('of pi without ids become a chain, and compactions name entries instead of counting lines', () => {
    proves('P-19');
    const { tree, version, problems } = read(
      { type: 'session', id: 'S', timestamp: 't', cwd: '/w', provider: 'anthropic' },
      message('user', 'a'),
      message('user', 'b'),
      { type: 'compaction', timestamp: 't', summary: 'so far', firstKeptEntryIndex: 2, tokensBefore: 9 },
      message('user', 'c'),
    );
    expect({ version, problems }).toEqual({ version: 1, problems: [] });
    const [a, b, compaction, c] = tree.path();
    expect(compaction).toMatchObject({ type: 'compaction', parentId: b?.id, firstKeptEntryId: b?.id });
    expect([a?.parentId, c?.parentId]).toEqual([null, compaction?.id]);
    expect(new Set(tree.path().map(({ id }) => id)).size).toBe(4);
  });

  it('of pi with hook messages keep them under their later name', () => {
    proves('P-19');
    const line = {
      type: 'message',
      id: 'aaaaaaaa',
      parentId: null,
      message: { role: 'hookMessage', content: 'x' },
    };
    const { tree, version } = read({ type: 'session', version: 2, id: 'S' }, line);
    expect(version).toBe(2);
    expect(tree.path()[0]).toMatchObject({ type: 'opaque', raw: { message: { role: 'custom' } } });
  });

  it('of flat lines are told by their shape when the header is lost', () => {
    const { tree, version } = read(
      { id: 'm1', parentId: null, role: 'user', content: 'hi', timestamp: 1 },
      { id: 'm2', parentId: 'm1', role: 'tool', toolCallId: 't', name: 'Bash', content: 'x', isError: true },
    );
    expect(version).toBe(1);
    expect(tree.path()).toMatchObject([
      { message: { role: 'user', timestamp: 1 }, timestamp: '1970-01-01T00:00:00.001Z' },
      { message: { role: 'tool', toolCallId: 't', toolName: 'Bash', isError: true } },
    ]);
  });

  it('of versions that stored only errors get the status that the words of the result tell', () => {
    const told = (content: string, isError: boolean, robota = {}) => ({
      type: 'message',
      message: { role: 'toolResult', toolCallId: 't', content, isError, robota },
    });
    const statusOf = (line: object) => {
      const { tree } = read({ type: 'session', version: 3, id: 'S' }, { id: 'a', parentId: null, ...line });
      const [entry] = tree.path();
      return entry?.type === 'message' && entry.message.role === 'tool' ? entry.message.status : undefined;
    };
    expect(statusOf(told('Permission denied: no', true))).toBe('denied');
    expect(statusOf(told('half\nInterrupted by the user before it finished.', true))).toBe('aborted');
    expect(statusOf(told('Interrupted before it finished.', true))).toBe('aborted');
    expect(statusOf(told('ENOENT', true))).toBe('error');
    expect(statusOf(told('Permission denied: a text that was read', false))).toBe('success');
    expect(statusOf(told('Permission denied: by the server', true, { status: 'error' }))).toBe('error');
  });

  it('leave lines of the present format and of later ones as they are', () => {
    const lines = [
      { type: 'session', version: 3, id: 'S' },
      { type: 'future', x: 1 },
      { type: 'message', message: { role: 'user' } },
    ];
    expect(read(...lines)).toMatchObject({
      version: 3,
      foreignLines: lines.slice(1).map((line) => JSON.stringify(line)),
    });
    expect(read({ type: 'session', v: 999, id: 'S' }, { id: 'm', role: 'user', content: 'x' })).toMatchObject(
      {
        version: 999,
        header: { version: 999 },
      },
    );
  });

  it('whatever they hold, are read to their end and make a conversation', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('m1', 'm2', 'user', 'tool', 'assistant', 'message', 1e300),
    );
    const keys = ['v', 'version', 'type', 'id', 'parentId', 'role', 'content', 'toolCalls', 'toolCallId'];
    const more = ['timestamp', 'message', 'firstKeptEntryIndex', 'summary', '__proto__'];
    const line = fc
      .dictionary(fc.constantFrom(...keys, ...more), value)
      .map((fields) => JSON.stringify(fields));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const { tree } = readSessionLines(lines);
        const messages = repairMessages(buildContext(tree.path()));
        expect(messages.every(({ content }) => Array.isArray(content))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
