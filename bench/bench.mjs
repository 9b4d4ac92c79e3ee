import { fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOnce } from './measure.mjs';

const cli = fileURLToPath(new URL('../packages/agent-cli/dist/bin.js', import.meta.url));
const references = {
  oneTurn: new URL('./reference/one-turn.mjs', import.meta.url),
  toolLoop: new URL('./reference/tool-loop.mjs', import.meta.url),
};
const model = 'anthropic/claude-sonnet-4-6';

/** @typedef {import('./measure.mjs').Program} Program */

/** The tools of every benchmark: temporary directories, a model server and the compared programs. */
export class Bench {
  /** @type {string} */ #url;
  /** @type {import('node:child_process').ChildProcess} */ #server;

  /** @param {{ url: string, server: import('node:child_process').ChildProcess, quick: boolean }} options */
  constructor({ url, server, quick }) {
    this.#url = url;
    this.#server = server;
    this.quick = quick;
    this.builtAt = statSync(cli).mtimeMs;
    this.root = mkdtempSync(join(tmpdir(), 'robota-bench-'));
    this.home = this.directory('home');
    this.cwd = this.directory('project');
  }

  /** Makes an empty directory that is removed at the end. */
  directory(/** @type {string} */ name) {
    const path = join(this.root, name);
    mkdirSync(path);
    return path;
  }

  /** The command line of the product. */
  robota(/** @type {string[]} */ ...args) {
    return this.node(cli, ...args);
  }

  /** The product answering one prompt by a script of the model server. */
  ask(/** @type {string} */ script, /** @type {string[]} */ ...args) {
    return this.converse(script, '-p', 'hi', ...args);
  }

  /** The product with a model that follows a script of the model server. */
  converse(/** @type {string} */ script, /** @type {string[]} */ ...args) {
    const program = this.robota('--model', model, ...args);
    return {
      ...program,
      env: { ...program.env, ANTHROPIC_API_KEY: 'x', ANTHROPIC_BASE_URL: this.#url + script },
    };
  }

  /** The same by another name of the model server's machine, which only a proxy can reach. */
  askByName(/** @type {string} */ script, /** @type {Record<string, string>} */ proxy) {
    const program = this.ask(script, '--allow-insecure-http');
    const url = this.#url.replace('127.0.0.1', proxy.HTTP_PROXY ? 'model.test' : '127.0.0.1');
    return { ...program, env: { ...program.env, ANTHROPIC_BASE_URL: url + script, ...proxy } };
  }

  /** The least program that does the same exchange, beginning with the very request that the product sends. */
  least(
    /** @type {keyof typeof references} */ name,
    /** @type {string} */ script,
    /** @type {string[]} */ ...args
  ) {
    return this.node(
      fileURLToPath(references[name]),
      this.#url + script,
      join(this.root, 'request.json'),
      ...args,
    );
  }

  /**
   * Any Node program, in the empty project and home.
   * @returns {Program}
   */
  node(/** @type {string[]} */ ...args) {
    return { args, cwd: this.cwd, env: { PATH: String(process.env.PATH), HOME: this.home, LANG: 'C.UTF-8' } };
  }

  /** Lets the product run a script once, perhaps in another home, and gives back the bodies of the requests it sent. */
  async requestsOf(/** @type {string} */ script, home = this.home) {
    const program = this.ask(`/recorded${script}`);
    await runOnce({ ...program, env: { ...program.env, HOME: home } });
    const response = await fetch(`${this.#url}/requests`);
    return /** @type {Promise<string[]>} */ (response.json());
  }

  /** Keeps the product's first request for the reference programs. */
  async prepareRequest() {
    const file = join(this.root, 'request.json');
    if (existsSync(file)) return;
    const [body = ''] = await this.requestsOf('/text/1');
    writeFileSync(file, body);
  }

  close() {
    this.#server.disconnect();
    if (statSync(cli).mtimeMs !== this.builtAt)
      process.stderr.write(
        'The command line was rebuilt meanwhile: these figures mix two builds. Run it again.\n',
      );
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Starts the model server and makes the directories. */
export async function openBench(/** @type {{ quick: boolean }} */ { quick }) {
  if (!existsSync(cli))
    throw new Error('There is no packages/agent-cli/dist/bin.js: run `npm run build` first.');
  const server = fork(new URL('./model-server.mjs', import.meta.url), { execArgv: [] });
  const url = await new Promise((resolve, reject) => server.once('message', resolve).once('exit', reject));
  return new Bench({ url, server, quick });
}
