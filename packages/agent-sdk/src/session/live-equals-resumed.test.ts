import type { AgentEvent, Extension, Hook, Tool, ToolOutput } from '@robota-sdk/agent-core';
import { type Item, ItemReducer, isStored, lastItems, readItems } from '@robota-sdk/agent-sessions';
import { type ScriptedCall, type ScriptedTurn, testTool } from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { dispatchInput } from '../input/dispatch-input.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** The results of the model's calls, by the way they are made. */
const calls = {
  ok: { name: 'Bash', input: { command: 'echo hi' } },
  silent: { name: 'Bash', input: { command: 'true' } },
  failed: { name: 'Bash', input: { command: 'echo no >&2; exit 3' } },
  denied: { name: 'Bash', input: { command: 'touch denied' } },
  blocked: { name: 'Blocked', input: {} },
  misleading: { name: 'Misleading', input: {} },
  changed: { name: 'Changed', input: { n: 1 } },
  unknown: { name: 'Nothing', input: {} },
  invalid: { name: 'Bash', input: {}, invalid: 'Unexpected end' },
  agent: { name: 'Agent', input: { prompt: 'look', subagent_type: 'Explore', description: 'look' } },
  noAgent: { name: 'Agent', input: { prompt: 'look', subagent_type: 'Nobody', description: 'look' } },
  steer: { name: 'Steer', input: {} },
  shell: { name: 'Shell', input: {} },
  abort: { name: 'Abort', input: {} },
} as const satisfies Record<string, ScriptedCall>;

type CallKind = keyof typeof calls;

interface Turn {
  readonly thinking: string | undefined;
  readonly text: readonly string[] | undefined;
  readonly calls: readonly CallKind[];
  /** Of one attempt, of the model, or of its fallback, too. */
  readonly failure: 'attempt' | 'model' | 'fallback' | undefined;
  /** The answer is cut off, refused, or nothing but blanks. */
  readonly ending: 'length' | 'refusal' | 'empty' | undefined;
  /** So many tokens that the conversation is compacted before the next turn. */
  readonly isLarge: boolean;
}

type Step =
  | { readonly kind: 'prompt'; readonly turns: readonly Turn[] }
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'pin' | 'compact' | 'image' };

/** A piece of an answer at which the user interrupts. */
const interruption = 'stop';
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Long enough that there is something to summarise. */
const long = 'word '.repeat(2000);
const text = fc.array(fc.constantFrom('one ', 'two', '  ', '\n\n', '# x\n', '`a`', interruption), {
  minLength: 1,
  maxLength: 4,
});
const rarely = <T>(value: fc.Arbitrary<T>, weight = 3): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: weight });

const turn: fc.Arbitrary<Turn> = fc.record({
  thinking: rarely(fc.constantFrom('hm', 'let me see', ' ')),
  text: fc.option(text, { nil: undefined }),
  calls: fc.array(fc.constantFrom(...(Object.keys(calls) as CallKind[])), { maxLength: 3 }),
  failure: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant('attempt' as const) },
    { weight: 1, arbitrary: fc.constant('model' as const) },
    { weight: 1, arbitrary: fc.constant('fallback' as const) },
  ),
  ending: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('length' as const, 'refusal' as const, 'empty' as const) },
  ),
  isLarge: fc.oneof(
    { weight: 6, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('prompt' as const), turns: fc.array(turn, { maxLength: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        '!echo a',
        '!exit 3',
        '!!echo private',
        '!touch denied',
        '!true',
        '!echo b; exit 7',
        '/greet you',
        '/model claude-opus-4-6',
        '/model claude-sonnet-4-6',
        '/btw what is this?',
        '/goal tests that pass',
        '/recall begin',
        '/unpin 1',
        '/context fold 1',
        '/context drop 2',
        '/plan',
        '/mode bypassPermissions',
      )
      .map((typed) => ({ kind: 'input' as const, text: typed })),
  },
  { weight: 1, arbitrary: fc.constantFrom('pin', 'compact', 'image').map((kind) => ({ kind }) as const) },
);

it('shows of a resumed session what was shown live: states, durations, exit codes', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const { live, printed, own, resumed, last } = await play(steps);
      expect(resumed).toEqual(live);
      expect(own).toEqual(live);
      expect(last).toEqual(live);
      expect(factsIn(printed)).toEqual(factsIn(live));
      for (const item of live) seen.add(describe(item));
    }),
    { numRuns: 100 },
  );
  // The random runs are of use only if they bring everything about.
  expect([...seen].sort()).toEqual(expect.arrayContaining(everything));
});

const everything = [
  ...['done', 'failed', 'denied', 'stopped'].map((state) => `tool ${state}`),
  ...['success', 'error', 'denied'].map((status) => `shell ${status}`),
  'tool Agent done',
  'tool Agent failed',
  'tool changed',
  'shell private',
  'compaction manual',
  'compaction threshold',
  'cut',
  'cut by an error',
  'cut by a limit',
  'note',
  'notice',
  'thinking',
  'user [image]',
  'user look left',
  'user /greet you',
];

function describe(item: Item): string {
  switch (item.kind) {
    case 'tool':
      if (item.name === 'Agent') return `tool Agent ${item.state}`;
      return item.name === 'Changed' ? 'tool changed' : `tool ${item.state}`;
    case 'shell':
      return item.isPrivate ? 'shell private' : `shell ${item.status}`;
    case 'compaction':
      return `compaction ${item.reason}`;
    case 'cut':
      if (item.error?.startsWith('Stopped after')) return 'cut by a limit';
      return item.error === undefined ? 'cut' : 'cut by an error';
    case 'user':
      if (item.text.includes('[image]')) return 'user [image]';
      return `user ${(item.shown ?? item.text).slice(0, 10).trim()}`;
    default:
      return item.kind;
  }
}

async function play(steps: readonly Step[]) {
  const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
  await place.put('~/.robota/settings.json', { compaction: { keepRecentTokens: 20 } });
  await place.put('~/.robota/commands/greet.md', 'Say hello to $ARGUMENTS');
  const waiting: ScriptedTurn[] = [];
  const script = ({ system }: { readonly system: string }): ScriptedTurn => {
    if (system.startsWith('You write handover notes')) return { text: '## Goal\nto be tested' };
    if (system.includes('You work for another agent')) return { text: 'a report' };
    return waiting.shift() ?? { text: 'done' };
  };
  let session: InteractiveSession | undefined;
  const options = {
    rules: { deny: ['Bash(touch:*)'] },
    permissionMode: 'bypassPermissions',
    maxTurns: 2,
    fallbackModels: ['claude-haiku-4-5'],
    extensions: [oddTools(() => session)],
  } as const;
  const opened = await openScripted(place, script, { ...options, store: 'new' });
  session = opened.session;
  const reducer = new ItemReducer();
  const printer = new ItemReducer();
  const printed: Item[] = [];
  session.on('event', (event: AgentEvent) => {
    reducer.apply({ event, at: Date.now() });
    printer.apply({ event, at: Date.now() });
    printed.push(...printer.takeFinished());
    if (event.type === 'text-delta' && event.text === interruption) void opened.session.abort();
  });
  for (let prompts = 0; prompts < 2; prompts++) await session.submit(`begin ${long}`);
  for (const each of steps) await take(session, each, waiting);
  const own = stored(readItems(session.getSession()).items);
  const { id } = session.getSession();
  await session.shutdown();
  const again = await openScripted(place, script, { ...options, store: { open: id } });
  const resumed = stored(readItems(again.session.getSession()).items);
  const last = stored(lastItems(again.session.getSession(), Number.POSITIVE_INFINITY).items);
  await again.session.shutdown();
  return { live: stored(reducer.items), printed: stored(printed), own, resumed, last };
}

async function take(session: InteractiveSession, each: Step, waiting: ScriptedTurn[]): Promise<void> {
  switch (each.kind) {
    case 'prompt':
      waiting.splice(0, waiting.length, ...each.turns.flatMap(scripted));
      await session.submit(`go on ${long}`);
      return;
    case 'input':
      await dispatchInput(session, each.text);
      return;
    case 'pin':
      await session.getSession().context.pinText('keep this');
      return;
    case 'image':
      await session.submit([{ type: 'image', mimeType: 'image/png', data: onePixel }]);
      return;
    case 'compact':
      await session.getSession().compact();
  }
}

function scripted({
  thinking,
  text: deltas,
  calls: kinds,
  failure,
  ending,
  isLarge,
}: Turn): readonly ScriptedTurn[] {
  if (ending === 'empty') return [{ text: ' ' }];
  const said: ScriptedTurn = {
    ...(ending === undefined ? {} : { stopReason: ending }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(deltas === undefined ? {} : { text: deltas }),
    ...(kinds.length === 0 ? {} : { toolCalls: kinds.map((kind) => calls[kind]) }),
    ...(isLarge ? { usage: { input: 5_000_000 } } : {}),
  };
  const broken: ScriptedTurn = {
    ...said,
    failure: failure === 'attempt' ? {} : { code: 'quota', retryable: false },
  };
  if (failure === undefined) return [said];
  return failure === 'fallback' ? [broken, broken] : [broken];
}

/** Tools that act on the session in the middle of its run, or say what is not so. */
function oddTools(session: () => InteractiveSession | undefined): Extension {
  const tools: Record<string, (signal: AbortSignal) => Promise<string | ToolOutput>> = {
    Blocked: async () => 'never',
    Changed: async () => 'changed',
    Misleading: async () => ({
      content: [{ type: 'text', text: 'Permission denied: /etc/shadow' }],
      isError: true,
    }),
    Steer: async () => {
      session()
        ?.getSession()
        .steer([{ type: 'text', text: 'look left' }]);
      return 'steered';
    },
    Shell: async () => {
      const own = session();
      if (own) await dispatchInput(own, '!echo beside; exit 5');
      return 'ran';
    },
    Abort: async (signal) => {
      void session()?.abort();
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 'stopped';
    },
  };
  const beforeTool: Hook<'tool-before'> = ({ call }) => {
    if (call.name === 'Blocked') return { block: 'not today' };
    return call.name === 'Changed' ? { input: { n: 2 } } : undefined;
  };
  return {
    name: 'odd tools',
    setup: (host) => {
      for (const [name, execute] of Object.entries(tools))
        host.tool(testTool(name, { execute: (_, { signal }) => execute(signal) }) as Tool);
      host.hook('tool-before', beforeTool);
    },
  };
}

function stored(items: readonly Item[]): readonly Item[] {
  return items.filter(isStored);
}

/** Facts printed once per item; streamed text may be repeated by a retry. */
function factsIn(items: readonly Item[]): readonly string[] {
  return items
    .flatMap((item) => (item.kind === 'answer' || item.kind === 'thinking' ? [] : [JSON.stringify(item)]))
    .sort();
}
