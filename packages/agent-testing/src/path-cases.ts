import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** One path given to a tool, the files around it, and what must come of it. */
export interface PathCase {
  readonly id: string;
  readonly group: string;
  readonly layout: readonly (readonly [verb: string, path: string, argument?: string])[];
  readonly cwd: string;
  readonly root?: string;
  readonly mode: string;
  readonly tool: string;
  readonly path: string;
  readonly rules?: {
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
  };
  readonly expected: string;
  readonly code: string;
  readonly alternatives?: readonly string[];
  readonly platforms?: readonly string[];
  readonly why: string;
}

/** A case with its files on disk and its variables filled in. */
export interface LaidOutPathCase extends PathCase {
  /** Real paths, as a session has them. */
  readonly workspace: { readonly cwd: string; readonly additional: readonly string[]; readonly home: string };
  /** Removes the files. */
  dispose(): void;
}

/** The path cases for this platform. */
export function loadPathCases(): readonly PathCase[] {
  const text = readFileSync(new URL('../fixtures/paths.json', import.meta.url), 'utf8');
  const cases = JSON.parse(text) as readonly PathCase[];
  return cases.filter(({ platforms }) => !platforms || platforms.includes(process.platform));
}

/** Builds a case's files in a new temporary directory. */
export function layOutPathCase(pathCase: PathCase): LaidOutPathCase {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'robota-paths-')));
  const variables: Readonly<Record<string, string>> = {
    WS: join(base, 'ws'),
    WSLINK: join(base, 'wslink'),
    OUT: join(base, 'out'),
    // Stands behind `//`, which makes a rule's pattern absolute.
    OUT_ABS: join(base, 'out').slice(1),
    HOME: join(base, 'home', 'u'),
  };
  const fill = (text: string) =>
    text.replace(
      /\$(WSLINK|WS|OUT_ABS|OUT|HOME)(?![A-Z_])/g,
      (whole, name: string) => variables[name] ?? whole,
    );
  for (const path of ['ws', 'home/u']) mkdirSync(join(base, path), { recursive: true });
  for (const [verb, path, argument = ''] of pathCase.layout) build(verb, fill(path), fill(argument));
  const filled = JSON.parse(fill(JSON.stringify({ ...pathCase, layout: [] }))) as PathCase;
  return {
    ...filled,
    layout: pathCase.layout,
    workspace: { cwd: realpathSync(filled.cwd), additional: [], home: join(base, 'home', 'u') },
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

function build(verb: string, path: string, argument: string): void {
  mkdirSync(verb === 'dir' ? path : dirname(path), { recursive: true });
  if (verb === 'dir') return;
  if (verb === 'file') writeFileSync(path, argument);
  else if (verb === 'symlink') symlinkSync(argument, path);
  else if (verb === 'hardlink') linkSync(argument, path);
  else if (verb === 'fifo') execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
  else if (verb === 'chmod') chmodSync(path, Number.parseInt(argument, 8));
  else throw new Error(`Unknown layout verb ${verb}`);
}
