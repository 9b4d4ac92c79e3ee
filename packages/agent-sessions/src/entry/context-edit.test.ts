import { type AssistantContent, type Message, toolCallsOf } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { storeOnDisk } from '../fixtures/open-session.ts';
import { canDrop, canFold, type EditState, editDraft, editOf } from './context-edit.ts';
import { repairMessages } from './repair.ts';

const thought: AssistantContent = { type: 'thinking', text: 'hm', vendorData: { signature: 's' } };
const toolCall = (id: string): AssistantContent => ({ type: 'tool-call', id, name: 'Read', input: {} });

async function opened(messages: readonly Message[]) {
  const store = await storeOnDisk();
  const handle = await store.create({ cwd: '/x' });
  await handle.appendAll(messages.map((message) => ({ type: 'message', message })));
  let at = Date.now() + 1_000;
  const edit = (...states: readonly (readonly [Message | undefined, EditState])[]) =>
    handle.append(
      editDraft({ at: at++, states: new Map(states.map(([message, state]) => [message?.id ?? '', state])) }),
    );
  return { store, handle, edit };
}

/** The bytes that vendors get. */
const bytes = (messages: readonly Message[]) =>
  messages.map(({ role, content }) => JSON.stringify([role, content]));

describe('edits of the context', () => {
  it('fold an output to a placeholder that names the tool and its size', async () => {
    const output = result('a', 'x'.repeat(5_000));
    const { handle, edit } = await opened([user('hi'), call('a'), output, assistant('done')]);
    await edit([output, 'folded']);
    expect(handle.messages()[2]?.content).toEqual([
      {
        type: 'text',
        text: '[Output of Read folded by the user (5000 characters). Run the tool again if it is needed.]',
      },
    ]);
    await handle.close();
  });

  it('drop a result together with its call, and an answer that said nothing else', async () => {
    const [first, second] = [result('a'), result('b')];
    const both = assistant([{ type: 'text', text: 'Two files.' }, thought, toolCall('a'), toolCall('b')]);
    const lone = assistant([thought, toolCall('c')]);
    const last = result('c');
    const { handle, edit } = await opened([user('hi'), both, first, second, lone, last, assistant('done')]);
    await edit([first, 'dropped'], [last, 'dropped']);
    const messages = handle.messages();
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(messages[1]?.content).toEqual([{ type: 'text', text: 'Two files.' }, thought, toolCall('b')]);
    await edit([second, 'dropped']);
    expect(handle.messages()[1]?.content).toEqual([{ type: 'text', text: 'Two files.' }]);
    await handle.close();
  });

  it('keep the own words of a prompt whose attachment is folded, and the answer after it', async () => {
    const prompt = user('look at @big.txt', {});
    const long = {
      ...prompt,
      content: [...prompt.content, { type: 'text' as const, text: 'y'.repeat(9_000) }],
    };
    const { handle, edit } = await opened([long, assistant('done')]);
    await edit([long, 'folded']);
    expect(handle.messages()[0]?.content).toEqual([
      { type: 'text', text: 'look at @big.txt\n\n[Folded by the user: 9016 characters were here.]' },
    ]);
    await handle.close();
  });

  it('void the counts of vendors after them, and only those', async () => {
    const counted = (text: string, input: number) =>
      assistant(text, { usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 } });
    const { contextTokens } = await import('../window/context-window.ts');
    const output = result('a', 'x'.repeat(4_000));
    const { handle, edit } = await opened([
      user('hi'),
      counted('one', 5_000),
      user('more'),
      call('a'),
      output,
      counted('two', 9_000),
    ]);
    expect(contextTokens(handle.messages())).toBe(9_000);
    await edit([output, 'dropped']);
    expect(contextTokens(handle.messages())).toBeLessThan(5_100);
    expect(contextTokens(handle.messages())).toBeGreaterThan(5_000);
    await edit([output, 'whole']);
    expect(contextTokens(handle.messages())).toBe(9_000);
    await edit([output, 'dropped']);
    await handle.append({ type: 'message', message: user('on') });
    await handle.append({
      type: 'message',
      message: { ...counted('three', 5_200), timestamp: Date.now() + 5_000 },
    });
    expect(contextTokens(handle.messages())).toBe(5_200);
    await handle.append(editDraft({ at: Date.now() + 9_000, states: new Map([[output.id, 'whole']]) }));
    expect(contextTokens(handle.messages())).toBeGreaterThan(6_000);
    await handle.close();
  });

  it('follow the branch they were made on', async () => {
    const output = result('a', 'x'.repeat(4_000));
    const { handle, edit } = await opened([user('hi'), call('a'), output]);
    const before = handle.leafId;
    await edit([output, 'dropped']);
    const after = handle.leafId;
    await handle.setLeaf(before);
    expect(handle.messages()).toHaveLength(3);
    await handle.setLeaf(after);
    expect(handle.messages()).toHaveLength(1);
    await handle.close();
  });

  it('leave a valid conversation whatever they are, and restoring all gives back every byte', async () => {
    const turn = fc.record({
      prompt: fc.string({ maxLength: 6 }),
      calls: fc.integer({ min: 0, max: 3 }),
      says: fc.boolean(),
      thinks: fc.boolean(),
      extra: fc.boolean(),
    });
    const edits = fc.array(
      fc.array(fc.tuple(fc.nat(), fc.constantFrom<EditState>('whole', 'folded', 'dropped')), {
        maxLength: 4,
      }),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 5 }), edits, async (turns, rounds) => {
        const all = turns.flatMap(conversation);
        const { store, handle, edit } = await opened(all);
        const original = handle.messages();
        for (const round of rounds) {
          const allowed = round.flatMap(([at, state]) => {
            const message = all[at % all.length];
            if (!message) return [];
            const isAllowed = state === 'whole' || (state === 'folded' ? canFold(message) : canDrop(message));
            return isAllowed ? [[message, state] as const] : [];
          });
          await edit(...allowed);
          expectValid(handle.messages(), all);
        }
        await handle.flush();
        const shown = bytes(handle.messages());
        await handle.close();
        const reopened = await store.open(handle.id);
        expect(bytes(reopened.messages())).toEqual(shown);
        const states = new Map(all.map(({ id }) => [id, 'whole'] as const));
        await reopened.append(editDraft({ at: Date.now() + 9_000, states }));
        expect(reopened.messages()).toEqual(original);
        await reopened.close();
      }),
      { numRuns: 60 },
    );
  });
});

interface Turn {
  readonly prompt: string;
  readonly calls: number;
  readonly says: boolean;
  readonly thinks: boolean;
  readonly extra: boolean;
}

/** The ids of calls are the same in every turn, as some vendors have it. */
function conversation({ prompt, calls, says, thinks, extra }: Turn): Message[] {
  const ids = ['a', 'b', 'c'].slice(0, calls);
  const content: AssistantContent[] = [
    ...(thinks ? [thought] : []),
    ...(says ? [{ type: 'text' as const, text: 'I look.' }] : []),
    ...ids.map(toolCall),
  ];
  return [
    user(`> ${prompt}`),
    ...(extra ? [user('a command of the user', { origin: 'reminder' })] : []),
    ...(ids.length > 0 ? [assistant(content), ...ids.map((id) => result(id, `output ${id}`))] : []),
    assistant('done'),
  ];
}

function expectValid(messages: readonly Message[], all: readonly Message[]): void {
  expect(repairMessages(messages)).toEqual(messages);
  const places = messages.map(({ id }) => all.findIndex((each) => each.id === id));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(messages[0]?.role).toBe('user');
  for (const message of messages) {
    expect(message.content.length).toBeGreaterThan(0);
    if (message.role !== 'assistant') continue;
    expect(message.content.at(-1)?.type).not.toBe('thinking');
    const results = messages.slice(
      messages.indexOf(message) + 1,
      messages.indexOf(message) + 1 + toolCallsOf(message).length,
    );
    expect(results.map((each) => (each.role === 'tool' ? each.toolCallId : ''))).toEqual(
      toolCallsOf(message).map(({ id }) => id),
    );
  }
}

it('reads an edit out of any data, without states that it does not know', () => {
  const change = fc.record({ messageId: fc.string(), state: fc.constantFrom('whole', 'folded', 'x', 1) });
  const edit = fc.record({
    at: fc.oneof(fc.nat(), fc.jsonValue()),
    changes: fc.array(fc.oneof(change, fc.jsonValue())),
  });
  const entry = {
    type: 'custom',
    customType: 'robota.context',
    id: 'a',
    parentId: null,
    timestamp: '',
  } as const;
  fc.assert(
    fc.property(fc.oneof(edit, fc.jsonValue()), (value) => {
      const read = editOf({ ...entry, data: JSON.parse(JSON.stringify(value)) });
      if (!read) return;
      expect(typeof read.at).toBe('number');
      for (const state of read.states.values()) expect(['whole', 'folded', 'dropped']).toContain(state);
    }),
  );
});
