import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BoardRow, SessionSnapshot, StreamEvent, WebQuestion, WebRoute } from '@robota-sdk/agent-web';
import { openServer, type RunningWeb } from '../packages/agent-web/src/server/open-server.ts';

/** A change that the page asked the server for. */
interface AskedChange {
  readonly path: string;
  readonly body: unknown;
}

const minute = 60_000;
const began = Date.now();
/** Entries of the long session. */
export const manyEntries = 10_000;
const usage = { input: 100, cacheRead: 900, cacheWrite: 0, output: 50 };

/**
 * A real server with sessions that exist only in memory: the page is the one that is shipped, and its policy the one that is
 * served. A test pushes events and cuts connections.
 */
export class WebPageStage {
  readonly changes: AskedChange[] = [];
  /** The status of the reply to a change, once it is known; the usual one if it is undefined. */
  status: Promise<number | undefined> | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), 'robota-web-page-'));
  readonly #streams = new Set<(event: StreamEvent | 'cut') => void>();
  #web: RunningWeb | undefined;
  #board = board();
  state: SessionSnapshot = sessionState();
  /** Last-Event-ID of every stream that was opened, for a session. */
  readonly opened: (string | undefined)[] = [];
  /** The entry before which each window was asked for. */
  readonly windows: string[] = [];
  /** Entries that a stream gives first, by the last one that the page has. */
  missed: readonly StreamEvent[] = [];

  async open(port = 0): Promise<void> {
    this.#web = await openServer({
      target: { kind: 'loopback', port },
      folder: this.#folder,
      routes: this.#routes(),
      streams: { open: (options) => this.#stream(options) },
      log: (text) => {
        throw new Error(text);
      },
    });
  }

  get port(): number {
    return Number(new URL(this.#running.origin).port);
  }

  /** An address that lets a browser in. */
  address(): string {
    return this.#running.createAddress();
  }

  at(path: string): string {
    return `${this.#running.origin}${path}`;
  }

  /** Sends an event to every page. */
  push(event: StreamEvent): void {
    if (event.type === 'board') {
      const changed = new Set([...event.gone, ...event.rows.map(({ id }) => id)]);
      const rows = [...this.#board.rows.filter(({ id }) => !changed.has(id)), ...event.rows];
      const { cost } = this.#board.today;
      const today = { ...this.#board.today, cost: event.spent ?? cost };
      this.#board = { ...this.#board, rows, today };
    }
    for (const stream of this.#streams) stream(event);
  }

  /** Sends the state with changes. */
  change(changes: Partial<SessionSnapshot>): void {
    this.state = { ...this.state, ...changes };
    this.push({ type: 'state', state: this.state });
  }

  /** Ends every stream, as a lost connection does. */
  cut(): void {
    for (const stream of this.#streams) stream('cut');
  }

  async stop(): Promise<void> {
    this.cut();
    await this.#web?.close();
    this.#web = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #running(): RunningWeb {
    if (!this.#web) throw new Error('The server is not open.');
    return this.#web;
  }

  /** Hears everything from this call on, also before it is read for the first time. */
  #stream(options: {
    readonly session: string | undefined;
    readonly lastEntry: string | undefined;
    readonly signal: AbortSignal;
  }): AsyncGenerator<StreamEvent> {
    const waiting: (StreamEvent | 'cut')[] = [];
    const arrived = new EventTarget();
    const take = (event: StreamEvent | 'cut') => {
      waiting.push(event);
      arrived.dispatchEvent(new Event('event'));
    };
    this.#streams.add(take);
    options.signal.addEventListener('abort', () => take('cut'));
    waiting.push({ type: 'board', rows: this.#board.rows, gone: [] });
    if (options.session !== undefined) {
      this.opened.push(options.lastEntry);
      waiting.push(...this.missed, { type: 'live', events: [] }, { type: 'state', state: this.state });
    }
    const streams = this.#streams;
    return (async function* () {
      try {
        for (;;) {
          const next = waiting.shift();
          if (next === 'cut') return;
          if (next) yield next;
          else await once(arrived, 'event');
        }
      } finally {
        streams.delete(take);
      }
    })();
  }

  #routes(): WebRoute[] {
    const change = (path: WebRoute['path'], json: unknown = {}, status = 200): WebRoute => ({
      method: 'POST',
      path,
      handle: async ({ body, params }) => {
        this.changes.push({ path: path.replace(':id', params.id ?? ''), body });
        const given = await this.status;
        if (given !== undefined) return { json: { code: 'failed', message: 'Not now.' }, status: given };
        const { text } = body as { readonly text?: string };
        if (text === '/fork') return { json: { message: 'Forked.', open: 'run2', edit: 'Tax per line' } };
        return { json: text?.startsWith('/') ? { message: `Result of ${text}` } : json, status };
      },
    });
    return [
      { method: 'GET', path: '/api/board', handle: () => ({ json: this.#board }) },
      {
        method: 'GET',
        path: '/api/models',
        handle: () => ({ json: { models: ['anthropic/sonnet', 'offline'] } }),
      },
      {
        method: 'GET',
        path: '/api/sessions/:id',
        handle: ({ params }) => ({ json: this.#page(params.id ?? '') }),
      },
      {
        method: 'GET',
        path: '/api/sessions/:id/entries',
        handle: ({ query }) => {
          this.windows.push(query.get('before') ?? '');
          const all = longSession();
          const end = all.findIndex(({ id }) => id === query.get('before'));
          const start = Math.max(0, end - Number(query.get('limit')));
          return { json: { entries: all.slice(start, end), earlier: start } };
        },
      },
      ...(['prompt', 'stop', 'model', 'mode', 'queue/remove', 'take-over'] as const).map((name) =>
        change(`/api/sessions/:id/${name}`),
      ),
      change('/api/sessions/:id/rewind', {
        message: 'Back to before prompt 1.',
        edit: 'Fix the failing test',
      }),
      {
        method: 'POST',
        path: '/api/sessions/:id/complete',
        handle: ({ body }) => {
          const { text } = body as { readonly text: string };
          const items = ['/review', '/rewind', '@src/cart.ts'].map((value) => ({ value }));
          const typed = text.split(' ').at(-1) ?? '';
          const found = items.filter(({ value }) => value.startsWith(typed));
          return { json: { start: text.length - typed.length, items: found } };
        },
      },
      {
        method: 'POST',
        path: '/api/sessions/:id/answers',
        handle: ({ body }) => {
          this.changes.push({ path: 'answers', body });
          const isLate = (body as { questionId: string }).questionId === 'late';
          if (!isLate) return { json: {} };
          const text = 'Already answered in the terminal: allowed once.';
          const settled = { by: 'terminal', text };
          return { json: { code: 'question-settled', message: text, settled, questions: [] }, status: 409 };
        },
      },
    ];
  }

  #page(id: string) {
    const all = id === 'long' ? longSession() : shortSession();
    const entries = all.slice(-200);
    const head = {
      id,
      title: this.state.title,
      cwd: '/home/user/shop',
      created: began - 9 * minute,
      modified: began,
      exported: began,
      models: ['anthropic/sonnet'],
      totals: { usage, cost: 0.12, modelCalls: 4 },
      leafId: entries.at(-1)?.id ?? null,
      redacted: true,
      problems: [],
    };
    return {
      head,
      entries,
      earlier: all.length - entries.length,
      lastId: entries.at(-1)?.id,
      state: this.state,
    };
  }
}

/** A row of the board. */
export function row(id: string, column: BoardRow['column'], more: Partial<BoardRow>): BoardRow {
  return {
    id,
    kind: 'session',
    column,
    title: id,
    cwd: '/home/user/shop',
    model: 'anthropic/sonnet',
    cost: 0.12,
    lastLine: '',
    modified: began,
    holder: 'here',
    questions: 0,
    ...more,
  };
}

function board() {
  const asks = {
    tag: 'Run command?',
    text: 'git push origin tax-rates',
    isCode: true,
    since: began - 6 * minute,
  };
  return {
    rows: [
      row('ask', 'needs-you', { title: 'Publish tax rates', questions: 1, asks, cwd: '/home/user/shop-api' }),
      row('run', 'running', { title: 'Cart total leaves out tax', todos: { done: 3, total: 5 }, turn: 4 }),
      row('run2', 'running', { title: 'Speed up product search', model: 'openai/gpt' }),
      row('review', 'to-review', { title: 'Round prices', changes: { added: 57, removed: 21, files: 3 } }),
      row('done', 'done', { title: 'Explain the stock', lastLine: '<img src=x onerror=alert(1)>' }),
    ],
    more: 0,
    directories: ['/home/user/shop'],
    today: { cost: 9.42, budget: 15 },
  };
}

function sessionState(): SessionSnapshot {
  return {
    title: 'Cart total leaves out tax',
    holder: 'here',
    branch: 'fix/cart-tax',
    runningSince: began,
    cost: 0.12,
    model: 'anthropic/sonnet',
    models: ['anthropic/sonnet', 'anthropic/haiku'],
    mode: 'default',
    todos: [
      { text: 'Reproduce the failing test', status: 'completed' },
      { text: 'Run the tests again', status: 'in-progress' },
    ],
    context: { used: 90_000, max: 200_000, parts: [{ name: 'Tools', tokens: 10_000 }] },
    queue: [],
    questions: [],
    changes: [{ path: 'src/cart.ts', added: 4, removed: 1 }],
    tree: [
      { id: 'a', parent: null, text: 'Fix the failing test', time: began, isOnBranch: true },
      { id: 'b', parent: 'a', text: 'Tax per line instead', time: began, isOnBranch: false },
      { id: 'c', parent: 'a', text: 'Now', time: began, isOnBranch: true },
    ],
  };
}

/** A question about a command, as the server describes it. */
export function commandQuestion(id: string, digest = `digest of ${id}`): WebQuestion {
  return {
    id,
    digest,
    kind: 'permission',
    title: 'Run this command?',
    asked: began,
    call: {
      tool: 'Bash',
      input: { command: '' },
      command: "npm run build && git commit -am 'Tax' && git push origin tax-rates",
      commands: [
        { text: 'npm run build', outcome: 'allowed', rule: 'Bash(npm run *)' },
        { text: 'git commit -am Tax', outcome: 'asks' },
        {
          text: 'git push origin tax-rates',
          outcome: 'asks',
          needs: ['Bash(git push origin tax-rates)'],
        },
      ],
    },
    reasons: [{ label: 'Why you are asked', text: 'No rule matches `git push`.' }],
    dangers: [],
    choices: [
      { id: 'once', label: 'Allow once' },
      { id: 'session', label: 'Allow for this session' },
      {
        id: 'project',
        label: 'Allow for this project',
        saves: { file: '.robota/settings.local.json', rules: ['Bash(git push origin tax-rates)'] },
      },
      { id: 'deny', label: 'Deny, and say what to do instead', text: 'The reason' },
    ],
  };
}

/** A question about a change of 200 lines. */
export function changeQuestion(id: string): WebQuestion {
  const lines = Array.from({ length: 200 }, (_, index) => ({
    kind: 'added' as const,
    text: `line ${index}`,
    newLine: index + 1,
  }));
  const call = { tool: 'Write', input: {}, diff: { path: '/home/user/shop/long.ts', lines } };
  return { ...commandQuestion(id), title: 'Create a file?', call };
}

function answer(id: string, parentId: string | null, text: string) {
  const blocks = [{ type: 'text' as const, text }];
  return {
    id,
    parentId,
    time: began,
    kind: 'answer' as const,
    model: 'm',
    usage,
    cost: 0,
    blocks,
  };
}

/** The entry of an answer, as the stream sends it. */
export function answerEvent(id: string, parentId: string, text: string): StreamEvent {
  return { type: 'entry', id, entry: answer(id, parentId, text) };
}

function shortSession() {
  const call = { type: 'call' as const, id: 'c1', name: 'Bash', input: { command: 'npm publish' } };
  return [
    {
      id: 'e1',
      parentId: null,
      time: began,
      kind: 'prompt' as const,
      blocks: [{ type: 'text' as const, text: 'Fix it' }],
    },
    { ...answer('e2', 'e1', ''), blocks: [call] },
    {
      id: 'e3',
      parentId: 'e2',
      time: began,
      kind: 'result' as const,
      callId: 'c1',
      tool: 'Bash',
      state: 'denied' as const,
      end: 'denied by a rule',
      blocks: [],
    },
    answer('e4', 'e3', '| file | lines |\n|---|--:|\n| cart.ts | 12 |\n\n<img src=x onerror=alert(1)>'),
  ];
}

function longSession() {
  return Array.from({ length: manyEntries }, (_, index) =>
    answer(
      `n${index}`,
      index === 0 ? null : `n${index - 1}`,
      `Answer number ${index}. ${'word '.repeat(index % 60)}`,
    ),
  );
}
