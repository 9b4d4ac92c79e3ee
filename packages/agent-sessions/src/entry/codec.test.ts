import {
  type AssistantContent,
  type Message,
  type StopReason,
  type ToolStatus,
  toolEnd,
  type UserContent,
} from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLine, encodeLine } from './codec.ts';
import type { Entry, Fact } from './entry.ts';

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
/** Any UTF-16, half surrogate pairs included: tools print whatever they like. */
const text = fc
  .string({ unit: 'binary' })
  .chain((string) => fc.constantFrom(string, `${string}\ud83d`, `\n${string}\0`));
const optional = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [key]: given }));
const joined = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all));

const base = fc.record({
  id: fc.uuid(),
  parentId: fc.option(fc.uuid(), { nil: null }),
  timestamp: fc.nat(2_000_000_000_000),
});
const textBlock = joined(fc.record({ type: fc.constant('text'), text }), optional('vendorData', json));
const image = fc.record({
  type: fc.constant('image'),
  mimeType: fc.constant('image/png'),
  data: fc.base64String(),
});
const userContent = fc.array(fc.oneof(textBlock, image)) as fc.Arbitrary<UserContent[]>;
const assistantContent = fc.array(
  fc.oneof(
    textBlock,
    joined(
      fc.record({ type: fc.constant('thinking'), text }),
      optional('redacted', fc.boolean()),
      optional('vendorData', json),
    ),
    joined(
      fc.record({
        type: fc.constant('tool-call'),
        id: text,
        name: text,
        // Text is how other programs write arguments.
        input: json.filter((value) => typeof value !== 'string'),
      }),
      optional('invalid', text),
      optional('vendorData', json),
    ),
    fc.record({
      type: fc.constant('server-tool'),
      phase: fc.constantFrom('call', 'result'),
      id: text,
      name: text,
      summary: text,
      vendorData: json,
    }),
  ),
) as fc.Arbitrary<AssistantContent[]>;
const usage = joined(
  fc.record({ input: fc.nat(), output: fc.nat(), cacheRead: fc.nat(), cacheWrite: fc.nat() }),
  optional('reasoning', fc.nat()),
);
const stopReasons: StopReason[] = ['end', 'tool-calls', 'length', 'pause', 'refusal', 'error', 'aborted'];
const message = fc.oneof(
  joined(
    base,
    fc.record({ role: fc.constant('user'), content: userContent }),
    optional('shown', text),
    optional('origin', fc.constantFrom('steering', 'follow-up', 'reminder', 'summary', 'command')),
  ),
  joined(
    base,
    fc.record({
      role: fc.constant('assistant'),
      content: assistantContent,
      model: fc.record({ vendor: text, id: text, api: fc.constantFrom('anthropic', 'google', 'offline') }),
      usage,
      cost: fc.double({ min: 0, max: 100, noNaN: true }).map((cost) => cost + 0),
      stopReason: fc.constantFrom(...stopReasons),
    }),
    optional('error', fc.record({ code: fc.constantFrom('network', 'quota'), message: text })),
  ),
  joined(
    base,
    fc.record({
      role: fc.constant('tool'),
      toolCallId: text,
      toolName: text,
      content: userContent,
    }),
    fc.constantFrom<ToolStatus>('success', 'error', 'denied', 'aborted').map(toolEnd),
    optional('durationMs', fc.nat()),
    optional('exitCode', fc.option(fc.integer({ min: 0, max: 255 }))),
    optional('ran', fc.record({ name: text, input: json })),
    optional('display', fc.record({ kind: fc.constant('text'), text })),
  ),
) as fc.Arbitrary<Message>;

const place = {
  id: fc.stringMatching(/^[0-9a-f]{8}$/),
  parentId: fc.option(fc.stringMatching(/^[0-9a-f]{8}$/), { nil: null }),
  timestamp: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
};

function roundTrip(line: Parameters<typeof encodeLine>[0]) {
  const encoded = encodeLine(line);
  expect(encoded.indexOf('\n')).toBe(encoded.length - 1);
  expect(decodeLine(encoded)).toEqual(line);
}

describe('session lines', () => {
  it('keep every message exactly as it was, whatever its text and vendor data', () => {
    proves('P-19');
    const entry = fc.record({ ...place, type: fc.constant('message' as const), message });
    fc.assert(
      fc.property(entry, (value) => roundTrip({ kind: 'entry', entry: value })),
      { numRuns: 300 },
    );
  });

  it('keep all other entries and facts', () => {
    proves('P-19');
    const entry = fc.oneof(
      fc.record({ ...place, type: fc.constant('model_change'), provider: text, modelId: text }),
      fc.record({ ...place, type: fc.constant('thinking_level_change'), thinkingLevel: text }),
      joined(fc.record({ ...place, type: fc.constant('custom'), customType: text }), optional('data', json)),
      joined(
        fc.record({ ...place, type: fc.constant('branch_summary'), fromId: text, summary: text }),
        optional('details', json),
        optional('usage', usage),
      ),
      joined(
        fc.record({
          ...place,
          type: fc.constant('compaction'),
          summary: text,
          firstKeptEntryId: text,
          tokensBefore: fc.nat(),
        }),
        optional('tokensAfter', fc.nat()),
        optional('keptEntryIds', fc.array(text)),
        optional('message', fc.record({ id: fc.uuid(), timestamp: fc.nat() })),
        optional('details', json),
        optional('usage', usage),
      ),
    ) as fc.Arbitrary<Entry>;
    const fact = fc.oneof(
      fc.record({ ...place, type: fc.constant('session_info'), name: text }),
      fc.record({ ...place, type: fc.constant('label'), targetId: text, label: text }),
      fc.record({ ...place, type: fc.constant('leaf'), targetId: fc.option(text, { nil: null }) }),
    ) as fc.Arbitrary<Fact>;
    fc.assert(fc.property(entry, (value) => roundTrip({ kind: 'entry', entry: value })));
    fc.assert(fc.property(fact, (value) => roundTrip({ kind: 'fact', fact: value })));
  });

  it('answer any text with a value, never with an exception', () => {
    const nearly = fc.record({
      type: fc.constantFrom('message', 'compaction', 'session', 'label', 'leaf', 'custom', 'x'),
    });
    const anything = fc.tuple(
      nearly,
      fc.dictionary(fc.constantFrom('id', 'message', 'content', 'targetId'), json),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          anything.map(([a, b]) => JSON.stringify({ ...b, ...a })),
        ),
        (line) => {
          expect(decodeLine(line).kind).toMatch(/^(header|entry|fact|problem)$/);
        },
      ),
    );
  });

  it('with any JSON in their fields are read as something that is read the same again', () => {
    const types = ['session', 'session_info', 'label', 'leaf', 'model_change', 'thinking_level_change'];
    const names = [
      'parentId',
      'timestamp',
      'name',
      'label',
      'targetId',
      'provider',
      'modelId',
      'cwd',
      'version',
    ];
    const summaries = ['summary', 'firstKeptEntryId', 'tokensBefore', 'fromId', 'details', 'usage', 'robota'];
    const others = [
      'thinkingLevel',
      'customType',
      'data',
      'writer',
      'importedFrom',
      'parentSession',
      '__proto__',
    ];
    const own = fc.record({ message: json, tokensAfter: json, keptEntryIds: json }, { requiredKeys: [] });
    const field = fc.oneof(text, fc.nat(), json, own);
    fc.assert(
      fc.property(
        fc.constantFrom(...types, 'compaction', 'branch_summary', 'custom'),
        fc.dictionary(fc.constantFrom(...names, ...summaries, ...others), field),
        (type, fields) => {
          const decoded = decodeLine(JSON.stringify({ ...fields, type, id: '0000000a' }));
          if (decoded.kind !== 'problem')
            expect(decodeLine(encodeLine(decoded).slice(0, -1))).toEqual(decoded);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are what pi writes, field by field', () => {
    proves('P-19');
    const entry: Entry = {
      type: 'message',
      id: '0000000a',
      parentId: null,
      timestamp: '2026-01-02T03:04:05.000Z',
      message: {
        id: '11111111-1111-4111-8111-111111111111',
        parentId: null,
        timestamp: 5,
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'hm' },
          { type: 'tool-call', id: 't1', name: 'Bash', input: { command: 'ls' } },
        ],
        model: { vendor: 'anthropic', id: 'm', api: 'anthropic' },
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
        cost: 0.5,
        stopReason: 'tool-calls',
      },
    };
    const stored = JSON.parse(encodeLine({ kind: 'entry', entry }));
    expect(stored).toMatchObject({
      type: 'message',
      id: '0000000a',
      parentId: null,
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'toolCall', id: 't1', name: 'Bash', arguments: { command: 'ls' } },
        ],
        api: 'anthropic-messages',
        provider: 'anthropic',
        model: 'm',
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost: { total: 0.5 } },
        stopReason: 'toolUse',
        timestamp: 5,
      },
    });
  });

  it.each([
    ['anthropic', 'anthropic-messages'],
    ['openai', 'openai-completions'],
    ['openai-responses', 'openai-responses'],
    ['google', 'google-generative-ai'],
    ['ollama', 'ollama'],
  ] as const)('name the API %s as pi does, and read our older word alike', (api, stored) => {
    const line = (name: string) =>
      decodeLine(
        JSON.stringify({
          type: 'message',
          id: 'aaaaaaaa',
          parentId: null,
          timestamp: '2026-01-01T00:00:00.000Z',
          message: {
            role: 'assistant',
            content: [],
            provider: 'v',
            model: 'm',
            api: name,
            stopReason: 'stop',
          },
        }),
      );
    for (const name of [api, stored]) {
      const read = line(name);
      expect(read).toMatchObject({ entry: { message: { model: { api } } } });
      if (read.kind !== 'problem') expect(JSON.parse(encodeLine(read)).message.api).toBe(stored);
    }
  });

  it('keep every command of the user, as pi writes them', () => {
    proves('P-19');
    const shell = joined(
      fc.record({
        ...place,
        type: fc.constant('shell'),
        command: text,
        output: text,
        exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
        status: fc.constantFrom('success', 'error', 'denied', 'aborted'),
        isPrivate: fc.boolean(),
      }),
      optional('durationMs', fc.nat()),
      optional('message', fc.record({ id: fc.uuid(), timestamp: fc.nat() })),
      optional('unknown', fc.record({ fullOutputPath: text })),
    ) as fc.Arbitrary<Entry>;
    fc.assert(fc.property(shell, (entry) => roundTrip({ kind: 'entry', entry })));
    const run = { command: 'exit 3', output: '', exitCode: 3, status: 'error', isPrivate: true } as const;
    const base = { id: 'aaaaaaaa', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' };
    expect(
      JSON.parse(encodeLine({ kind: 'entry', entry: { ...base, type: 'shell', ...run } })),
    ).toMatchObject({
      type: 'message',
      message: { role: 'bashExecution', command: 'exit 3', exitCode: 3, excludeFromContext: true },
    });
  });

  it('reads what pi wrote, also with a plain string or nothing for content', () => {
    proves('P-19');
    const line = (payload: object) =>
      JSON.stringify({
        type: 'message',
        id: 'aaaaaaaa',
        parentId: null,
        timestamp: '2026-01-01T00:00:00.000Z',
        message: payload,
      });
    const plain = decodeLine(line({ role: 'user', content: 'hello', timestamp: 7 }));
    expect(plain).toMatchObject({
      entry: { message: { role: 'user', content: [{ type: 'text', text: 'hello' }], timestamp: 7 } },
    });
    const missing = decodeLine(line({ role: 'toolResult', toolCallId: 't', content: null }));
    expect(missing).toMatchObject({
      entry: { message: { role: 'tool', toolCallId: 't', content: [], isError: false } },
    });
    const bash = decodeLine(line({ role: 'bashExecution', command: 'ls' }));
    expect(bash).toMatchObject({
      kind: 'entry',
      entry: { type: 'shell', id: 'aaaaaaaa', command: 'ls', output: '', exitCode: null, isPrivate: false },
    });
  });

  it('keeps entries of unknown kinds whole', () => {
    const raw = { type: 'future', id: 'bbbbbbbb', parentId: 'aaaaaaaa', timestamp: 't', zzz: { a: [1] } };
    const line = decodeLine(JSON.stringify(raw));
    expect(line).toMatchObject({ kind: 'entry', entry: { type: 'opaque' } });
    if (line.kind === 'problem') return;
    expect(JSON.parse(encodeLine(line))).toEqual(raw);
  });

  it('is not misled by __proto__', () => {
    decodeLine(
      '{"__proto__":{"polluted":1},"type":"custom","id":"cccccccc","customType":"x","data":{"__proto__":{"polluted":1}}}',
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
