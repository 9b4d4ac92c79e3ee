import {
  type AgentEvent,
  type JsonValue,
  type Message,
  type ToolStatus,
  toolEnd,
} from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../entry/entry.ts';
import type { Item } from './item.ts';
import { ItemReducer } from './item-reducer.ts';

const base = { id: 'x', parentId: null, timestamp: 0 };
const place = { id: 'aaaaaaaa', parentId: null, timestamp: '' };
const model = { vendor: 'offline', id: 'offline', api: 'offline' } as const;
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function user(text: string, origin?: Extract<Message, { role: 'user' }>['origin']): Message {
  return { ...base, role: 'user', content: [{ type: 'text', text }], ...(origin && { origin }) };
}

function assistant(
  content: Extract<Message, { role: 'assistant' }>['content'],
  more: Partial<Extract<Message, { role: 'assistant' }>> = {},
): Message {
  return { ...base, role: 'assistant', content, model, usage, cost: 0, stopReason: 'end', ...more };
}

function result(toolCallId: string, text: string, status: ToolStatus = 'success') {
  const content = [{ type: 'text', text }] as const;
  return { ...base, role: 'tool', toolCallId, toolName: 'Bash', content, ...toolEnd(status) } as const;
}

const call = (id: string) => ({ type: 'tool-call', id, name: 'Bash', input: { command: id } }) as const;

function itemsOf(messages: readonly Message[]): readonly Item[] {
  return fromEntries(messages.map((message) => ({ ...place, type: 'message', message })));
}

function fromEntries(entries: readonly Entry[]): readonly Item[] {
  const reducer = new ItemReducer();
  for (const entry of entries) reducer.apply({ entry });
  return reducer.items;
}

function live(...events: readonly AgentEvent[]): ItemReducer {
  const reducer = new ItemReducer();
  for (const event of events) reducer.apply({ event, at: 0 });
  return reducer;
}

const append = (message: Message): AgentEvent => ({ type: 'message-append', message });

describe('items of stored messages', () => {
  it('claim no interruption for an ending that is unknown or incomplete', () => {
    const ending = (data: JsonValue): Entry => ({ ...place, type: 'custom', customType: 'robota.run', data });
    expect(fromEntries([{ ended: 'paused' }, { warning: 5 }, {}, [], 7].map(ending))).toEqual([]);
    const known = [{ ended: 'aborted' }, { ended: 'paused', error: 'No.' }];
    expect(fromEntries(known.map(ending))).toEqual([{ kind: 'cut' }, { kind: 'cut', error: 'No.' }]);
  });

  it('join results to their calls in the order of the calls, with the state each ended in', () => {
    proves('C-26');
    const items = itemsOf([
      user('do it'),
      assistant([
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: 'I will.' },
        call('a'),
        call('b'),
        call('c'),
        call('d'),
      ]),
      result('b', 'broken', 'error'),
      result('a', 'fine'),
      result('c', 'no', 'denied'),
    ]);
    expect(items.map((item) => (item.kind === 'tool' ? `${item.callId} ${item.state}` : item.kind))).toEqual([
      'user',
      'thinking',
      'answer',
      'a done',
      'b failed',
      'c denied',
      'd lost',
    ]);
    expect(items[3]).toMatchObject({ output: 'fine', input: { command: 'a' } });
  });

  it('carry the state of each call, so that no front end has to work it out', () => {
    const named = (more: object) => itemsOf([assistant([call('a')]), { ...result('a', ''), ...more }]);
    const states: readonly (readonly [object, string])[] = [
      [{}, 'done'],
      [toolEnd('denied'), 'denied'],
      [toolEnd('error'), 'failed'],
      [toolEnd('aborted'), 'stopped'],
      [{ ...toolEnd('aborted'), permission: { kind: 'skipped' } }, 'skipped'],
      [{ display: { kind: 'text', text: '', task: 'bash-1' } }, 'background'],
      [{ ran: { name: 'Bash', input: { command: 'x', run_in_background: true } } }, 'background'],
      [{ display: { kind: 'plan', text: '1. a', outcome: 'presented' } }, 'open'],
      [{ display: { kind: 'plan', text: '1. a', outcome: 'approved' } }, 'done'],
    ];
    for (const [more, state] of states) expect(named(more)).toMatchObject([{ kind: 'tool', state }]);
    expect(itemsOf([assistant([call('a')])])).toMatchObject([{ state: 'lost' }]);
  });

  it('say once that an answer was cut off: by its message, whatever older versions stored after it', () => {
    const text = expect.stringContaining('cut off');
    const cut = assistant([{ type: 'text', text: 'Half' }], { stopReason: 'length' });
    const notice = { kind: 'notice', level: 'warning', text, isStored: true };
    expect(itemsOf([cut])).toMatchObject([{ kind: 'answer' }, notice]);
    const fact: Entry = {
      ...place,
      type: 'custom',
      customType: 'robota.run',
      data: { warning: 'The answer was cut off.' },
    };
    expect(fromEntries([{ ...place, type: 'message', message: cut }, fact])).toHaveLength(2);
    const refused = assistant([{ type: 'text', text: 'I' }], {
      stopReason: 'refusal',
      note: 'It would harm.',
    });
    expect(itemsOf([refused]).at(-1)).toEqual({ kind: 'cut', error: 'It would harm.' });
    const warning = { type: 'notice-show', level: 'warning', text: 'cut off', about: 'answer' } as const;
    expect(live(append(cut), warning).items.filter(({ kind }) => kind === 'notice')).toHaveLength(1);
  });

  it('tell calls apart that have the same id in different answers', () => {
    const items = itemsOf([
      assistant([call('a')]),
      result('a', 'one'),
      assistant([call('a')]),
      result('a', 'two'),
    ]);
    expect(items).toMatchObject([{ output: 'one' }, { output: 'two' }]);
  });

  it('leave out what only the model was told, and show what a user pinned and brought back', () => {
    const items = itemsOf([
      user('<reminder>plan</reminder>', 'reminder'),
      user('[Pinned by the user]\n\nkeep this', 'pin'),
      user('[Brought back]\n\nan old answer', 'recall'),
      user('a summary', 'summary'),
      user('more', 'steering'),
    ]);
    expect(items).toEqual([
      { kind: 'note', text: 'Pinned: keep this' },
      { kind: 'note', text: 'Brought back: an old answer' },
      { kind: 'user', text: 'more' },
    ]);
  });

  it('tell where another model took over, and what was done on a branch that was left', () => {
    const other = { model: { vendor: 'v', id: 'm', api: 'openai' } } as const;
    const items = fromEntries([
      { ...place, type: 'message', message: assistant([{ type: 'text', text: 'a' }]) },
      { ...place, type: 'branch_summary', fromId: 'b', summary: 'it failed' },
      { ...place, type: 'message', message: assistant([{ type: 'text', text: 'b' }], other) },
      { ...place, type: 'message', message: assistant([{ type: 'text', text: 'c' }], other) },
    ]);
    expect(items.map((item) => ('text' in item ? item.text : ''))).toEqual([
      'a',
      'What was done on a branch that was left:\n\nit failed',
      'Model: v/m',
      'b',
      'c',
    ]);
  });

  it('tell why an answer ended early', () => {
    const items = itemsOf([
      assistant([{ type: 'text', text: 'half' }], { stopReason: 'aborted' }),
      assistant([], { stopReason: 'error', error: { code: 'network', message: 'It was cut off.' } }),
    ]);
    expect(items).toEqual([
      { kind: 'answer', text: 'half' },
      { kind: 'cut' },
      { kind: 'cut', error: 'It was cut off.' },
    ]);
  });

  it('show compactions of other programs, which have no receipt', () => {
    const compaction = {
      ...place,
      type: 'compaction',
      summary: 's',
      firstKeptEntryId: '',
      tokensBefore: 9,
    } as const;
    expect(fromEntries([compaction])).toEqual([{ kind: 'compaction', tokensBefore: 9, summary: 's' }]);
  });
});

describe('items of a run', () => {
  const start = (id: string): AgentEvent => ({ type: 'tool-start', call: call(id), access: [] });
  const end = (id: string, more: object = {}): AgentEvent => {
    const ended = { ...result(id, 'found'), durationMs: 7, ...more };
    return { type: 'tool-end', call: call(id), status: ended.status, result: ended, durationMs: 7 };
  };

  it('leave calls in the order they were made, whatever starts or ends first', () => {
    proves('C-21');
    const ids = ['a', 'b', 'c', 'd'];
    const orders = fc.shuffledSubarray(ids, { minLength: 4 });
    fc.assert(
      fc.property(orders, orders, fc.integer({ min: 0, max: 4 }), (starts, ends, late) => {
        const reducer = live(append(assistant(ids.map(call))));
        const printed: string[] = [];
        const take = (event: AgentEvent) => {
          reducer.apply({ event, at: 0 });
          for (const item of reducer.takeFinished()) if (item.kind === 'tool') printed.push(item.callId);
          const left = reducer.items.flatMap((item) => (item.kind === 'tool' ? [item.callId] : []));
          expect([...printed, ...left]).toEqual(ids);
        };
        const before = starts.slice(0, 4 - late);
        const after = starts.slice(4 - late);
        for (const id of before) take(start(id));
        for (const id of ends.filter((each) => before.includes(each))) take(end(id));
        for (const id of after) take(start(id));
        for (const id of ends.filter((each) => after.includes(each))) take(end(id));
        expect(printed).toEqual(ids);
      }),
    );
  });

  it('print what has ended when a call never starts, and what else happens at once', () => {
    const reducer = live(append(assistant([call('a'), call('b')])), start('b'), end('b'));
    reducer.apply({ event: { type: 'notice-show', level: 'info', text: 'beside' }, at: 0 });
    expect(reducer.takeFinished()).toMatchObject([{ text: 'beside' }]);
    const outcome = { status: 'aborted', text: '', turns: 1, usage, cost: 0, denials: [] } as const;
    reducer.apply({ event: { type: 'run-end', outcome }, at: 0 });
    expect(reducer.takeFinished()).toMatchObject([
      { callId: 'a', state: 'lost' },
      { callId: 'b', state: 'done', durationMs: 7 },
      { kind: 'cut' },
      { kind: 'run-end' },
    ]);
  });

  it('keep only the end of what a running call prints, and forget it when the result is there', () => {
    const progress = (text: string): AgentEvent => ({ type: 'tool-progress', toolCallId: 'a', text });
    const reducer = live(
      append(assistant([call('a')])),
      start('a'),
      progress('x'.repeat(40_000)),
      progress('end'),
    );
    const [running] = reducer.items;
    expect(running?.kind === 'tool' && running.output.length).toBeLessThan(40_000);
    expect(running).toMatchObject({ state: 'running', output: expect.stringMatching(/end$/) });
    reducer.apply({ event: end('a', { exitCode: 3, ran: { name: 'Other', input: {} } }), at: 0 });
    expect(reducer.items).toMatchObject([{ name: 'Other', output: 'found', exitCode: 3, state: 'done' }]);
  });

  it('put what happens beside an unfinished answer before it, as it will be stored', () => {
    const run = { command: 'ls', output: '', exitCode: 0, status: 'success', isPrivate: true } as const;
    const reducer = live(
      { type: 'thinking-delta', text: 'hm' },
      { type: 'text-delta', text: 'one ' },
      { type: 'shell-end', run },
      { type: 'text-delta', text: 'two' },
    );
    expect(reducer.items.map(({ kind }) => kind)).toEqual(['shell', 'thinking', 'answer']);
    expect(reducer.pending.map(({ kind }) => kind)).toEqual(['thinking', 'answer']);
    const content = [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'one [hidden]' },
    ] as const;
    reducer.apply({ event: append(assistant(content)), at: 0 });
    expect(reducer.items.at(-1)).toEqual({ kind: 'answer', text: 'one [hidden]' });
    expect(reducer.pending).toEqual([]);
  });

  it('hand each block of an answer out once, written bit by bit or not', () => {
    const reducer = live(
      append(assistant([{ type: 'text', text: 'before' }])),
      { type: 'turn-start', turn: 1, model: { ...model, id: 'other' } },
      { type: 'text-delta', text: 'a' },
      { type: 'text-end' },
    );
    expect(reducer.takeFinished()).toMatchObject([{ text: 'before' }, { text: 'a' }]);
    const content = [{ type: 'text', text: 'a' }, call('c')] as const;
    reducer.apply({ event: append(assistant(content, { model: { ...model, id: 'other' } })), at: 0 });
    expect(reducer.takeFinished()).toEqual([{ kind: 'note', text: 'Model: offline/other' }]);
    expect(reducer.items).toMatchObject([{ kind: 'tool', callId: 'c' }]);
  });

  it('drop what was written when the answer is restarted, or does not become a message', () => {
    const reducer = live({ type: 'text-delta', text: 'half' }, { type: 'text-restart' });
    expect(reducer.items).toMatchObject([{ kind: 'notice' }]);
    reducer.apply({ event: { type: 'text-delta', text: 'x' }, at: 0 });
    reducer.apply({ event: { type: 'turn-start', turn: 2, model }, at: 0 });
    expect(reducer.items).toHaveLength(1);
  });
});
