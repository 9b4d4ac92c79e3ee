import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  anthropicReply,
  createPostgresDatabase,
  robotaBin,
  runRobota,
  sharedCode,
  startModelServer,
  temporaryDirectory,
  withoutPostgres,
} from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect, onTestFinished } from 'vitest';
import { applyCommands } from '../packages/agent-fleet/src/database/apply-commands.ts';
import { openPostgres } from '../packages/agent-fleet/src/database/open-postgres.ts';
import { readTask } from '../packages/agent-fleet/src/database/read-fleet.ts';
import { giveDatabase } from '../packages/agent-fleet/src/fixtures/migrated-database.ts';
import { taskSpec } from '../packages/agent-fleet/src/fixtures/task-spec.ts';
import { gone } from './fleet-workers.ts';
import { openTerminal } from './terminal.ts';

/** A way to a server that can be cut and given back. */
class Way {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(port: number) {
    this.#server = createServer((socket) => {
      const there = connect(port, '127.0.0.1');
      for (const [one, other] of [
        [socket, there],
        [there, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => {}).on('close', () => other.destroy());
        one.pipe(other);
      }
    });
  }

  async open(port = 0): Promise<number> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }
}

describe.skipIf(withoutPostgres !== '')(`a worker on Postgres${withoutPostgres}`, () => {
  stillOpen('lives on while the database is away for a moment', {
    observe: async () => {
      const url = await createPostgresDatabase();
      const database = await openPostgres(url);
      onTestFinished(() => database.close());
      const way = new Way(Number(new URL(url).port));
      const port = await way.open();
      const { home, cwd } = await makePlace();
      const through = new URL(url);
      through.port = String(port);
      const spec = taskSpec({
        name: 'one',
        prompt: 'run sleep 600',
        repo: cwd,
        model: 'offline',
        permissions: { allow: ['Bash(sleep *)'] },
      });
      const at = new Date().toISOString();
      await database.transaction((connection) =>
        applyCommands(connection, [{ type: 'add', id: 'one', spec, at }]),
      );
      const { PATH = '' } = process.env;
      const child = spawn(process.execPath, [robotaBin, 'worker', '--jobs', '1'], {
        cwd,
        env: { PATH, HOME: home, LANG: 'C.UTF-8', ...sharedCode(), ROBOTA_FLEET: through.href },
        stdio: 'ignore',
      });
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await gone(child);
        await way.cut().catch(() => {});
      });
      const beats = async (since: Date) => {
        const { rows } = await database.query('select from fleet.worker where beat_at > $1', [since]);
        return rows.length;
      };
      await expect.poll(async () => (await readTask(database, 'one'))?.activity).toContain('sleep 600');
      await way.cut();
      const ended = gone(child).then(() => `ended with ${child.exitCode}`);
      // Far longer than a worker takes to notice; waited for only where it does not end.
      const waited = new Promise((resolve) => setTimeout(resolve, 30_000).unref()).then(() => 'waits');
      if ((await Promise.race([ended, waited])) === 'waits') {
        const since = new Date();
        await way.open(port);
        while (child.exitCode === null && (await beats(since)) === 0);
      }
      return child.exitCode === null ? 'lives' : ended;
    },
    today: 'ended with 1',
    wanted: (outcome) => expect(outcome).toBe('lives'),
  });
});

describe('the table of a run', () => {
  stillOpen('stays whole when Node prints a warning', {
    observe: async () => {
      const { home, cwd } = await makePlace();
      await writeFile(
        join(cwd, 'slow.md'),
        '---\nmodel: offline\nsandbox: off\npermissions: { allow: ["Bash(sleep *)"] }\n---\nrun sleep 600\n',
      );
      await giveDatabase(join(home, '.robota'));
      const warns = join(home, 'warns.cjs');
      await writeFile(warns, `process.on('SIGUSR2', () => process.emitWarning('from a library'));\n`);
      const env = { NODE_OPTIONS: `--require=${warns}` };
      const terminal = openTerminal(['run', 'slow.md'], { cwd, home, columns: 100, rows: 20, env });
      onTestFinished(async () => {
        terminal.kill('SIGKILL');
        await terminal.exit;
      });
      await terminal.shows(/Fleet .* 1 running[\s\S]*sleep 600/);
      terminal.kill('SIGUSR2');
      await terminal.shows(/from a library|trace-warnings/);
      const from = terminal.raw.length;
      // The table is drawn again with another time.
      await expect.poll(() => terminal.raw.slice(from)).toMatch(/\ds/);
      const heads = (await terminal.screen()).match(/^Fleet /gm)?.length;
      terminal.send('\x03');
      await terminal.exit;
      return { heads };
    },
    today: { heads: 2 },
    wanted: ({ heads }) => expect(heads).toBe(1),
  });
});

describe('a full disk', () => {
  stillOpen('parks a task that was at work when nothing could be stored any more', {
    observe: async () => {
      const { home, cwd } = await makePlace();
      const server = await startModelServer();
      onTestFinished(() => server.close());
      const isFull = join(home, 'is-full');
      const write = { name: 'Write', input: { file_path: 'one.txt', content: 'one' } };
      let requests = 0;
      server.handle(() => {
        requests += 1;
        writeFileSync(isFull, '');
        return anthropicReply(requests === 1 ? { toolCalls: [write] } : { text: 'Done.' });
      });
      const full = join(home, 'full.cjs');
      writeFileSync(full, fullDisk(isFull));
      writeFileSync(
        join(home, 'one.md'),
        `---\nrepo: ${cwd}\nsandbox: off\npermissions: { mode: acceptEdits }\n---\nmake one.txt\n`,
      );
      const { stdout } = await runRobota(
        ['run', join(home, 'one.md'), '--json', '--model', 'claude-sonnet-4-6'],
        {
          cwd,
          home,
          env: {
            ANTHROPIC_API_KEY: 'sk-test',
            ANTHROPIC_BASE_URL: server.url,
            NODE_OPTIONS: `--require=${full}`,
          },
        },
      );
      const { state, receipt } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
      return { requests, state, files: receipt?.filesChanged };
    },
    today: { requests: 2, state: 'done', files: 0 },
    wanted: ({ state }) => expect(state).toBe('parked'),
  });
});

/** Lets the process of an attempt write no file while another file is there, as on a full disk. */
function fullDisk(isFull: string): string {
  return `
if (process.send) {
  const fs = require('node:fs');
  const isFull = () => fs.existsSync(${JSON.stringify(isFull)});
  const fail = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
  for (const name of ['writeSync', 'writevSync', 'writeFileSync', 'appendFileSync']) {
    const original = fs[name];
    fs[name] = (target, ...rest) => {
      if (isFull() && !(target <= 2)) throw fail();
      return original(target, ...rest);
    };
  }
  for (const name of ['writeFile', 'appendFile']) {
    const original = fs.promises[name];
    fs.promises[name] = async (...args) => {
      if (isFull()) throw fail();
      return original(...args);
    };
  }
  const { open } = fs.promises;
  fs.promises.open = async (...args) => {
    const handle = await open(...args);
    for (const name of ['write', 'writev', 'writeFile', 'appendFile']) {
      const original = handle[name].bind(handle);
      handle[name] = async (...rest) => {
        if (isFull()) throw fail();
        return original(...rest);
      };
    }
    return handle;
  };
  require('node:module').syncBuiltinESMExports();
}
`;
}

/** A home, and a repository with one commit. */
async function makePlace() {
  const home = await temporaryDirectory('robota-home');
  const cwd = await temporaryDirectory('robota-repo');
  const git = (...words: string[]) => execFileSync('git', words, { cwd });
  git('init', '-q');
  await writeFile(join(cwd, 'a.txt'), 'a\n');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'first');
  return { home, cwd };
}
