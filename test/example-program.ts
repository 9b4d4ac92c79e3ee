import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sharedCode } from '@robota-sdk/agent-testing';
import { transform } from 'esbuild';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const script = fileURLToPath(new URL('fixtures/example-runner.mjs', import.meta.url));

/** How an example is run: where, with which environment, and what stands for names that it only mentions. */
export interface ExampleOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly replace?: Readonly<Record<string, string>>;
  /** True for one that needs a process of its own. */
  readonly isApart?: boolean;
}

interface Report {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  readonly failure?: string;
}

/** Runs examples with the packages as they are built, in one process that loads them once. */
export class ExampleRunner {
  readonly #folder: string;
  readonly #child: ChildProcess;
  #count = 0;

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.#child = child;
  }

  static async start(): Promise<ExampleRunner> {
    // Inside the repository, so that the packages are found as installed ones are.
    const cache = join(root, 'node_modules/.cache/robota');
    await mkdir(cache, { recursive: true });
    const folder = await mkdtemp(join(cache, 'example-'));
    const env = { PATH: process.env.PATH, ...sharedCode() };
    return new ExampleRunner(
      folder,
      fork(script, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    );
  }

  /** Runs a file of the folder examples, and resolves with what it printed. */
  async runFile(path: string, options: ExampleOptions): Promise<string> {
    return this.run(await readFile(join(root, 'examples', path), 'utf8'), options);
  }

  /** The same with the text of a program. */
  async run(source: string, options: ExampleOptions): Promise<string> {
    const file = await this.#compiled(source, options);
    const { cwd, env } = options;
    if (options.isApart) return (await execute(process.execPath, [file], { cwd, env })).stdout;
    const over = new AbortController();
    const ended = once(this.#child, 'exit', over).then(() => [undefined]);
    this.#child.send({ file, cwd, env });
    const [report] = (await Promise.race([once(this.#child, 'message', over), ended])) as [
      Report | undefined,
    ];
    over.abort();
    if (report === undefined) throw new Error('The program ended the process.');
    const { stdout, stderr, code, failure = `exit code ${code}: ${stderr}` } = report;
    if (report.failure !== undefined || code !== 0 || /Error|Warning/.test(stderr)) throw new Error(failure);
    return stdout;
  }

  async #compiled(source: string, { replace = {} }: ExampleOptions): Promise<string> {
    const text = Object.entries(replace).reduce(
      (rest, [name, value]) => rest.replaceAll(name, value),
      source,
    );
    const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'node20.19' });
    this.#count += 1;
    const file = join(this.#folder, `example-${this.#count}.mjs`);
    await writeFile(file, code);
    return file;
  }

  /** Ends the process, which goes by itself if no program left anything behind. */
  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
    await rm(this.#folder, { recursive: true });
  }
}
