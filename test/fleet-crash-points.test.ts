import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import type { AttemptHandlers, AttemptProcess, FleetDatabase } from '@robota-sdk/agent-fleet';
import {
  type AnthropicAnswer,
  type PostgresServer,
  startPostgres,
  withoutPostgres,
} from '@robota-sdk/agent-testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyCommands } from '../packages/agent-fleet/src/database/apply-commands.ts';
import { openPostgres } from '../packages/agent-fleet/src/database/open-postgres.ts';
import { AttemptDriver, outcomeOf, resultsIn } from './fleet-attempt-driver.ts';

let driver: AttemptDriver;
beforeEach(async () => {
  driver = await AttemptDriver.create();
});
afterEach(() => driver.close());

const bash = (command: string) => ({ id: 'b', name: 'Bash', input: { command } });
const done = { text: 'Done.' };
const effects = () => (existsSync(driver.file('effects.txt')) ? driver.read('effects.txt') : '');

describe.skipIf(withoutPostgres !== '')(
  `kill -9 once a note is durable, before anything follows${withoutPostgres}`,
  () => {
    let postgres: PostgresServer;
    let database: FleetDatabase;
    let path: KillingPath;
    let epoch = 0;
    let sessionId = '';
    beforeEach(() => {
      sessionId = `session-${epoch}`;
    });

    beforeAll(async () => {
      postgres = await startPostgres();
      const url = await postgres.createDatabase();
      database = await openPostgres(url);
      path = await KillingPath.open(url);
      const example = await AttemptDriver.create();
      const { spec } = example.order().order;
      await example.close();
      await applyCommands(database, [{ type: 'add', id: 't1', spec, at: new Date().toISOString() }]);
    });
    afterAll(async () => {
      await path?.close();
      await database?.close();
      await postgres?.stop();
    });

    /** Starts a process of the attempt under a new lease. */
    async function start(change: Parameters<AttemptDriver['start']>[0] = {}): Promise<AttemptProcess> {
      epoch += 1;
      await database.query('update fleet.task set epoch = $1', [epoch]);
      return driver.start({
        sessions: { kind: 'postgres', url: path.url },
        sessionId,
        lease: { taskId: 't1', worker: `w${epoch}`, epoch },
        ...change,
      });
    }

    async function killAfter(
      note: RegExp,
      change: Parameters<AttemptDriver['start']>[0] = {},
    ): Promise<void> {
      const attempt = await start(change);
      path.killAfter(note, attempt.pid);
      expect(await outcomeOf(attempt, 'failed')).toMatchObject({ reason: { code: 'internal' } });
      expect(path.hasKilled).toBe(true);
    }

    /** A second process resumes; gives the results that the model is told next. */
    async function resume(change: Parameters<AttemptDriver['start']>[0] = {}) {
      const asked = driver.server.requests.length;
      driver.script(done);
      const { notes } = await outcomeOf(await start(change), 'finished');
      const request = driver.server.requests[asked];
      return { results: request ? resultsIn(request) : {}, notes };
    }

    const changes = {
      Edit: { file_path: 'a.txt', old_string: 'two', new_string: 'two and a half' },
      Write: { file_path: 'a.txt', content: 'one\ntwo and a half\n' },
    };

    it.each(['Edit', 'Write'] as const)('%s is made by the next process, once', async (name) => {
      driver.write('a.txt', 'one\ntwo\n');
      const read = { id: 'r', name: 'Read', input: { file_path: 'a.txt' } };
      driver.script({ toolCalls: [read] }, { toolCalls: [{ id: 'w', name, input: changes[name] }] });
      await killAfter(/"kind\\?":\\?"start/);
      expect(driver.read('a.txt')).toBe('one\ntwo\n');
      const { results, notes } = await resume();
      expect(results['w']).toMatch(/^(Edited a.txt at line 2|Replaced a.txt)/);
      expect(driver.read('a.txt')).toBe('one\ntwo and a half\n');
      expect(notes).toEqual([]);
    });

    it('a command is not run: it may have been', async () => {
      driver.script({ toolCalls: [bash('echo once >> effects.txt')] });
      await killAfter(/"kind\\?":\\?"start/);
      expect(effects()).toBe('');
      const { results, notes } = await resume();
      expect([effects(), results['b']?.includes('Outcome unknown'), notes.length]).toEqual(['', true, 1]);
    });

    it('a command whose approval was noted runs once with it, and no other does', async () => {
      const spec = { permissions: { mode: 'default' } } as const;
      const command = 'echo once >> effects.txt';
      driver.script({ toolCalls: [bash(command)] });
      const { question } = await outcomeOf(await start({ spec }), 'parked');
      const answers = [{ hash: question?.hash ?? '', decision: 'allow' }] as const;
      await killAfter(/"kind\\?":\\?"answer/, { spec, answers });
      expect(effects()).toBe('');
      driver.script({ toolCalls: [{ ...bash(command), id: 'again' }] });
      const parked = await outcomeOf(await start({ spec, answers }), 'parked');
      expect(effects()).toBe('once\n');
      expect(parked.question?.hash).not.toBe(question?.hash);
    });
  },
);

describe('kill -9 at the moments of a budget', () => {
  let attempt: AttemptProcess;

  /** Kills the attempt when the handlers say so. */
  async function killIn(handlers: (kill: () => void) => Partial<AttemptHandlers>): Promise<void> {
    // Requests that it sent before its death are handled after its end.
    const kill = () => void (isGone() || process.kill(attempt.pid, 'SIGKILL'));
    attempt = driver.start({}, handlers(kill));
    await outcomeOf(attempt, 'failed');
  }
  const isGone = () => {
    try {
      return !process.kill(attempt.pid, 0);
    } catch {
      return true;
    }
  };
  const script = (...answers: readonly AnthropicAnswer[]) => driver.script(...answers, done);
  const settled = () => driver.reservations.map(({ cost }) => (cost === undefined ? 'open' : cost > 0));

  it('a reservation that the process did not learn of costs nothing, and the call is made again', async () => {
    script();
    await killIn((kill) => ({
      reserve: async (amount, model) => {
        driver.reservations.push({ amount: amount ?? 0, model });
        kill();
        // The answer finds the process gone.
        await expect.poll(isGone).toBe(true);
        return { kind: 'reserved', id: '0' };
      },
    }));
    await expect.poll(settled).toEqual([false]);
    expect(driver.server.requests).toHaveLength(0);
    await outcomeOf(driver.start(), 'finished');
    expect(settled()).toEqual([false, true]);
  });

  it('a call that was settled stays so, and the next process pays for its own', async () => {
    script({ text: 'Half.', toolCalls: [bash('true')] });
    await killIn((kill) => ({
      settle: async (id, cost) => {
        kill();
        const reservation = driver.reservations[Number(id)];
        if (reservation) reservation.cost = cost;
      },
    }));
    await outcomeOf(driver.start(), 'finished');
    expect(settled()).not.toContain('open');
    expect(settled().length).toBeGreaterThanOrEqual(2);
  });
});

/** A path to a server of Postgres that kills a process when the server has answered a certain statement, and loses the answer. */
class KillingPath {
  readonly url: string;
  readonly #server: Server;
  #target: { readonly text: RegExp; readonly pid: number } | undefined;
  hasKilled = false;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(target: string): Promise<KillingPath> {
    const { hostname, port } = new URL(target);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(target);
    url.port = String((server.address() as AddressInfo).port);
    const path = new KillingPath(server, url.href);
    server.on('connection', (client) => {
      const upstream = connect(Number(port), hostname);
      let isArmed = false;
      for (const socket of [client, upstream])
        socket
          .on('error', () => {})
          .on('close', () => [client, upstream].forEach((each) => void each.destroy()));
      client.on('data', (bytes) => {
        isArmed ||= path.#target?.text.test(bytes.toString('latin1')) === true;
        upstream.write(bytes);
      });
      upstream.on('data', (bytes) => (isArmed ? path.#kill() : void client.write(bytes)));
    });
    return path;
  }

  killAfter(text: RegExp, pid: number): void {
    this.hasKilled = false;
    this.#target = { text, pid };
  }

  async close(): Promise<void> {
    this.#server.close();
  }

  #kill(): void {
    if (this.#target === undefined) return;
    process.kill(this.#target.pid, 'SIGKILL');
    this.#target = undefined;
    this.hasKilled = true;
  }
}
