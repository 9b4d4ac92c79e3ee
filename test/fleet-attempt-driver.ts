import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AttemptHandlers,
  type AttemptOrder,
  type AttemptProcess,
  type AttemptRunnerOptions,
  attemptRunner,
  type TaskSpec,
  type WorkOutcome,
} from '@robota-sdk/agent-fleet';
import {
  type AnthropicAnswer,
  anthropicReply,
  type ModelServer,
  type RecordedRequest,
  sharedCode,
  startModelServer,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { expect } from 'vitest';

type OrderChange = Partial<Omit<AttemptOrder, 'spec'>> & { readonly spec?: Partial<TaskSpec> };

export interface Reservation {
  readonly amount: number;
  readonly model: string;
  /** Undefined while it is not settled. */
  cost?: number;
}

/** A worker in small: starts attempts of one task, and answers them. */
export class AttemptDriver {
  readonly server: ModelServer;
  readonly home: string;
  readonly directory: string;
  readonly reservations: Reservation[] = [];
  readonly snapshots: string[] = [];
  readonly differences: (string | undefined)[] = [];
  readonly activities: string[] = [];
  readonly usedAnswers: string[] = [];
  readonly #started: AttemptProcess[] = [];

  private constructor(server: ModelServer, home: string, directory: string) {
    this.server = server;
    this.home = home;
    this.directory = directory;
  }

  static async create(): Promise<AttemptDriver> {
    const home = join(await temporaryDirectory('robota-fleet-home'), '.robota');
    mkdirSync(home, { recursive: true });
    return new AttemptDriver(await startModelServer(), home, await temporaryDirectory('robota-fleet-work'));
  }

  /** Starts a process of the attempt, as its worker would in one round. */
  start(
    change: OrderChange = {},
    handlers: Partial<AttemptHandlers> = {},
    more: Partial<AttemptRunnerOptions> = {},
  ): AttemptProcess {
    const { options, order } = this.order(change);
    const started = attemptRunner({ ...options, ...more }).start(order, { ...this.#handlers(), ...handlers });
    this.#started.push(started);
    return started;
  }

  /** The order of a round, and the options of the runner. */
  order(change: OrderChange = {}): {
    readonly options: AttemptRunnerOptions;
    readonly order: AttemptOrder;
  } {
    const { spec, ...about } = change;
    const env = {
      PATH: process.env['PATH'],
      HOME: join(this.home, '..'),
      ANTHROPIC_API_KEY: 'sk-ant-test-key-0123456789',
      ANTHROPIC_BASE_URL: this.server.url,
      DEPLOY_TOKEN: 'secret-of-the-worker',
      ...sharedCode(),
    };
    return {
      options: { home: this.home, env, restarts: 0 },
      order: {
        type: 'start',
        taskId: 't1',
        spec: { ...plainSpec, repo: this.directory, ...spec },
        attempt: 1,
        lease: { taskId: 't1', worker: 'w1', epoch: 1 },
        sessionId: 'session-of-t1',
        sessions: { kind: 'files' },
        directory: this.directory,
        notes: [],
        answers: [],
        spent: 0,
        ...about,
      },
    };
  }

  /** Kills a process as the kernel would, and waits until it is gone. */
  async kill(attempt: AttemptProcess): Promise<void> {
    process.kill(attempt.pid, 'SIGKILL');
    expect(await attempt.outcome).toMatchObject({ kind: 'failed', reason: { code: 'internal' } });
  }

  /** Answers the requests for a model in order; the last answer stays. */
  script(...answers: readonly AnthropicAnswer[]): void {
    let next = 0;
    this.server.handle(() => anthropicReply(answers[Math.min(next++, answers.length - 1)] ?? { text: '' }));
  }

  file(name: string): string {
    return join(this.directory, name);
  }

  write(name: string, text: string): void {
    writeFileSync(this.file(name), text);
  }

  read(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  /** The lines of the session's file. */
  session(): string {
    const folder = join(this.home, 'sessions');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const file = files.find((name) => name.endsWith('session.jsonl'));
    return file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  }

  async close(): Promise<void> {
    for (const attempt of this.#started) {
      try {
        process.kill(attempt.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
      await attempt.outcome;
    }
    await this.server.close();
  }

  #handlers(): AttemptHandlers {
    return {
      reserve: async (amount = 0, model) => {
        this.reservations.push({ amount, model });
        return { kind: 'reserved', id: String(this.reservations.length - 1) };
      },
      settle: async (id, cost) => {
        const reservation = this.reservations[Number(id)];
        if (reservation) reservation.cost = cost;
      },
      snapshot: async () => {
        this.snapshots.push(`tree-${this.snapshots.length + 1}`);
        return this.snapshots.at(-1) ?? '';
      },
      difference: async (tree) => {
        this.differences.push(tree);
        return 'M effects.txt\n+once';
      },
      progress: ({ activity }) => void this.activities.push(activity),
      answerUsed: async (hash) => void this.usedAnswers.push(hash),
    };
  }
}

const plainSpec: Omit<TaskSpec, 'repo'> = {
  name: 'a task',
  prompt: 'Do it.',
  baseline: 'skip',
  attempts: 1,
  keep: 'first',
  after: [],
  permissions: { mode: 'bypassPermissions' },
  ask: 'park',
  deliver: 'none',
  sandbox: false,
  labels: [],
  priority: 100,
  origin: { kind: 'command' },
};

/** The results that a request tells the model, by the ids of their calls. */
export function resultsIn({ body }: RecordedRequest): Readonly<Record<string, string>> {
  const { messages } = body as { readonly messages: readonly { readonly content: unknown }[] };
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return Object.fromEntries(
    blocks.flatMap((block: Readonly<Record<string, unknown>>) =>
      block['type'] === 'tool_result' ? [[String(block['tool_use_id']), textIn(block['content'])]] : [],
    ),
  );
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return String(content);
  return content.map((block: { readonly text?: string }) => block.text ?? '').join('');
}

/** Fails unless the outcome is of this kind. */
export async function outcomeOf<K extends WorkOutcome['kind']>(
  attempt: AttemptProcess,
  kind: K,
): Promise<Extract<WorkOutcome, { kind: K }>> {
  const outcome = await attempt.outcome;
  expect(outcome.kind, JSON.stringify(outcome)).toBe(kind);
  return outcome as Extract<WorkOutcome, { kind: K }>;
}
