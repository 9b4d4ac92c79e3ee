import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInputMessage } from './input-message.ts';

const parse = (value: unknown) => parseInputMessage(JSON.stringify(value));

describe('parseInputMessage', () => {
  it('reads the prompts of Claude Code and our own', () => {
    const message = { role: 'user', content: 'hi' };
    expect(parse({ type: 'user', message, uuid: 'u', session_id: '' })).toEqual({
      kind: 'prompt',
      text: 'hi',
      content: [],
      waits: false,
      uuid: 'u',
      message,
    });
    const source = { type: 'base64', media_type: 'image/png', data: 'aGk=' };
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image', source },
    ];
    expect(parse({ type: 'user', message: { role: 'user', content }, priority: 'later' })).toMatchObject({
      text: 'look',
      content: [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }],
      waits: true,
    });
    expect(parse({ type: 'prompt', text: 'hi', wait: true })).toMatchObject({
      kind: 'prompt',
      text: 'hi',
      waits: true,
    });
  });

  it('says what is wrong with any other', () => {
    const cases: [unknown, RegExp][] = [
      [[], /JSON object/],
      [{}, /unknown message type null/],
      [{ type: 'user' }, /needs "message"/],
      [{ type: 'user', message: { role: 'assistant', content: 'x' } }, /needs "message"/],
      [{ type: 'user', message: { role: 'user', content: '  ' } }, /empty/],
      [
        { type: 'user', message: { role: 'user', content: [{ type: 'tool_result' }] } },
        /content\[0\]: unsupported block type "tool_result"/,
      ],
      [
        { type: 'user', message: { role: 'user', content: [{ type: 'image', source: { type: 'url' } }] } },
        /base64/,
      ],
      [{ type: 'prompt' }, /"text"/],
      [{ type: 'control_request' }, /request_id/],
      [{ type: 'control_response', response: {} }, /request_id/],
      [{ type: 'permission', id: 'x', allow: 'maybe' }, /"allow"/],
    ];
    for (const [value, problem] of cases) {
      const read = parse(value);
      const isPrompt = ['user', 'prompt'].includes((value as { type?: string }).type ?? '');
      if (isPrompt) expect(read).toEqual({ kind: 'refused', error: expect.stringMatching(problem) });
      else expect(read).toMatch(problem);
    }
    expect(parseInputMessage('{oops')).toMatch(/not JSON/);
  });

  it('never throws', () => {
    const type = fc.constantFrom(
      'user',
      'prompt',
      'control_request',
      'control_response',
      'permission',
      'interrupt',
    );
    const value = fc.tuple(
      type,
      fc.dictionary(
        fc.constantFrom('message', 'request', 'response', 'request_id', 'id', 'text'),
        fc.jsonValue(),
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          value.map(([kind, rest]) => JSON.stringify({ ...rest, type: kind })),
        ),
        (line) => {
          const read = parseInputMessage(line);
          expect(typeof read === 'string' || typeof read.kind === 'string').toBe(true);
        },
      ),
    );
  });
});
