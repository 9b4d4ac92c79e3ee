import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sharedCode } from '@robota-sdk/agent-testing';
import { transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const execute = promisify(execFile);

/** How an example is run: where, with which environment, and what stands for names that it only mentions. */
export interface ExampleOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly replace?: Readonly<Record<string, string>>;
}

/** Runs an example of the repository with the packages as they are built, and returns what it printed. */
export async function runExample(path: string, { cwd, env, replace = {} }: ExampleOptions): Promise<string> {
  let source = await readFile(join(root, 'examples', path), 'utf8');
  for (const [name, value] of Object.entries(replace)) source = source.replaceAll(name, value);
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'node20.19' });
  // Inside the repository, so that the packages are found as installed ones are.
  const cache = join(root, 'node_modules/.cache/robota');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'example-'));
  const file = join(folder, `${basename(path, '.ts')}.mjs`);
  try {
    await writeFile(file, code);
    const { stdout, stderr } = await execute(process.execPath, [file], {
      cwd,
      env: { ...sharedCode(), ...env },
    });
    if (/Error|Warning/.test(stderr)) throw new Error(stderr);
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
