import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { collectGarbage } from '@robota-sdk/agent-fleet';
import { startModelServer } from '@robota-sdk/agent-testing';
import { answerOf, linesOf } from './fleet-model.mjs';

const worker = fileURLToPath(new URL('./fleet-worker.mjs', import.meta.url));
const model = 'anthropic/claude-sonnet-4-6';

/** @typedef {import('./bench.mjs').Bench} Bench */
/** @typedef {import('@robota-sdk/agent-fleet').FleetClient} FleetClient */
/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{ notDone: number, twice: number, missing: number, wrongBranches: number, processes: number, worktrees: number, refs: number, kept: number }} Findings */

/** A repository, a model that takes a counting step a turn, and the workers on it. */
export class FleetSite {
  /** @type {string} */ #root;
  /** @type {string} */ #repo;
  /** @type {string} */ #counts;
  /** @type {number} */ #steps;
  /** @type {Set<string>} */ #homes = new Set();
  /** @type {Awaited<ReturnType<typeof startModelServer>>} */ #server;

  /** @param {{ root: string, steps: number, usage?: { input: number, output: number }, server: Awaited<ReturnType<typeof startModelServer>> }} options */
  constructor({ root, steps, usage, server }) {
    this.#root = root;
    this.#repo = join(root, 'repo');
    this.#counts = join(root, 'counts');
    this.#steps = steps;
    this.#server = server;
    for (const path of [this.#repo, this.#counts]) mkdirSync(path);
    makeRepository(this.#repo);
    const work = { steps, counts: this.#counts, ...(usage === undefined ? {} : { usage }) };
    server.handle((request) => answerOf(request, work));
  }

  /** @param {Bench} bench @param {string} name @param {{ turns: number, usage?: { input: number, output: number } }} options */
  static async open(bench, name, { turns, ...more }) {
    const server = await startModelServer();
    return new FleetSite({ root: bench.directory(name), steps: turns - 1, server, ...more });
  }

  /** The home of a machine. */
  home(/** @type {string} */ machine) {
    const home = join(this.#root, machine, '.robota');
    mkdirSync(home, { recursive: true });
    this.#homes.add(home);
    return home;
  }

  adds(/** @type {number} */ count) {
    return Array.from({ length: count }, (_, index) => add(`task-${index}`, this.#repo));
  }

  /** Starts a worker. */
  start(/** @type {{ home: string } & Record<string, unknown>} */ options) {
    const env = this.#env(options.home);
    return spawn(process.execPath, [worker, JSON.stringify(options)], { stdio: 'ignore', env });
  }

  /** The lines that steps of all tasks have left so far. */
  effects() {
    return readdirSync(this.#counts).flatMap((id) => this.#effectsOf(id));
  }

  /** The same prompts without a fleet; gives the milliseconds of all. */
  async plainRuns(
    /** @type {readonly string[]} */ command,
    /** @type {number} */ tasks,
    /** @type {number} */ parallel,
  ) {
    const home = this.home('plain');
    const words = [
      ...command,
      '--model',
      model,
      '--permission-mode',
      'bypassPermissions',
      '-p',
      'Work on {}.',
    ];
    const began = performance.now();
    const child = spawn('xargs', ['-P', String(parallel), '-I', '{}', process.execPath, ...words], {
      cwd: join(home, '..'),
      env: this.#env(home),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(Array.from({ length: tasks }, (_, index) => `task-${index + 100_000}\n`).join(''));
    await gone(child);
    return performance.now() - began;
  }

  /**
   * Compares the end of all tasks with what it has to be, and looks for what was left behind.
   * @param {FleetClient} client
   * @param {{ tasks: number, random: () => number }} options
   * @returns {Promise<Findings>}
   */
  async findings(client, { tasks: count, random }) {
    const ids = Array.from({ length: count }, (_, index) => `task-${index}`);
    const tasks = new Map((await client.tasks()).map((task) => [task.id, task]));
    const steps = linesOf(this.#steps).split('\n').filter(Boolean);
    const isTwice = (/** @type {string[]} */ lines) => new Set(lines).size < lines.length;
    const branches = new Map(ids.map((id) => [id, tasks.get(id)?.branch]));
    const sample = [...ids].sort(() => random() - 0.5).slice(0, 25);
    return {
      notDone: ids.filter((id) => tasks.get(id)?.state !== 'done').length,
      twice: ids.filter((id) => isTwice(this.#effectsOf(id))).length,
      missing: ids.filter((id) => !steps.every((step) => this.#effectsOf(id).includes(step))).length,
      wrongBranches: this.#wrongBranches(branches),
      processes: await this.#orphanProcesses(),
      worktrees: this.#orphanWorktrees(new Set(ids)),
      refs: this.#orphanRefs(new Set(branches.values())),
      kept: await this.#keptWorktrees(sample),
    };
  }

  close() {
    return this.#server.close();
  }

  #env(/** @type {string} */ home) {
    return {
      PATH: String(process.env.PATH),
      HOME: join(home, '..'),
      ANTHROPIC_API_KEY: 'x',
      ANTHROPIC_BASE_URL: this.#server.url,
    };
  }

  #effectsOf(/** @type {string} */ id) {
    const file = join(this.#counts, id);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  }

  #git(/** @type {string[]} */ words, input = '') {
    return execFileSync('git', words, { cwd: this.#repo, encoding: 'utf8', input, maxBuffer: 1e9 });
  }

  /** Branches whose file has not exactly the lines of all steps. */
  #wrongBranches(/** @type {ReadonlyMap<string, string | undefined>} */ branches) {
    const names = [...branches].map(([id, branch]) => `refs/heads/${branch}:${id}.txt\n`).join('');
    const text = this.#git(['cat-file', '--batch=%(objecttype)'], names);
    const right = `blob\n${linesOf(this.#steps)}\n`;
    return branches.size - (text.split(right).length - 1);
  }

  /** Processes with a directory of the site in their environment, once all had time to end. */
  async #orphanProcesses() {
    let found = this.#processes();
    for (let tries = 0; tries < 100 && found.length > 0; tries++) {
      await sleep(100);
      found = this.#processes();
    }
    return found.length;
  }

  #processes() {
    if (!existsSync('/proc')) return [];
    return readdirSync('/proc').filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(this.#root);
      } catch {
        return false;
      }
    });
  }

  /** Directories that belong to no task: drafts, and what a removal left. */
  #orphanWorktrees(/** @type {ReadonlySet<string>} */ ids) {
    const names = [...this.#homes].flatMap((home) => namesIn(join(home, 'fleet', 'work')));
    return names.filter((name) => !ids.has(/^(.+)-\d+(?:\.\d+)?$/.exec(name)?.[1] ?? '')).length;
  }

  /** Refs of the user's repository that are neither its own branch nor one of a task. */
  #orphanRefs(/** @type {ReadonlySet<string | undefined>} */ branches) {
    const refs = this.#git(['for-each-ref', '--format=%(refname)']).split('\n').filter(Boolean);
    const known = new Set(['refs/heads/main', ...[...branches].map((branch) => `refs/heads/${branch}`)]);
    return refs.filter((ref) => !known.has(ref)).length;
  }

  /** Worktrees of some tasks that a collection does not remove. */
  async #keptWorktrees(/** @type {readonly string[]} */ only) {
    let kept = 0;
    for (const home of this.#homes) {
      const directory = join(home, 'fleet');
      const verdicts = await collectGarbage({
        home: { directory },
        dryRun: true,
        isEnded: () => true,
        isDelivered: () => true,
        only,
      });
      kept += verdicts.filter(({ action }) => action === 'kept').length;
    }
    return kept;
  }
}

function makeRepository(/** @type {string} */ repo) {
  const git = (/** @type {string[]} */ ...words) => execFileSync('git', words, { cwd: repo });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'README.md'), 'A repository.\n');
  git('add', '.');
  git('-c', 'user.name=B', '-c', 'user.email=b@example.org', 'commit', '-qm', 'Start');
}

function namesIn(/** @type {string} */ directory) {
  return existsSync(directory) ? readdirSync(directory) : [];
}

/** Waits for the end of a process. */
export async function gone(/** @type {ChildProcess} */ child) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** @param {string} id @param {string} repo */
function add(id, repo) {
  /** @type {import('@robota-sdk/agent-fleet').TaskSpec} */
  const spec = {
    name: id,
    prompt: `Work on ${id}.`,
    repo,
    baseline: 'skip',
    model,
    attempts: 1,
    keep: 'first',
    after: [],
    permissions: { mode: 'bypassPermissions' },
    ask: 'park',
    deliver: 'branch',
    sandbox: false,
    labels: [],
    priority: 100,
    origin: { kind: 'command' },
  };
  return /** @type {const} */ ({ type: 'add', id, spec, at: new Date().toISOString() });
}
