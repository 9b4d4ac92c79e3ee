import path from 'node:path';
import { matchGlob, openGlob } from '../path/glob-match.ts';
import type { PolicyFiles } from '../path/policy-files.ts';

/** The target of a name: as spelled, and with symlinks resolved. */
export interface GlobTarget {
  readonly path: string;
  readonly real: string;
}

interface Match extends GlobTarget {
  /** True if a link is on the way, so that the text does not show the target. */
  readonly isLinked: boolean;
}

const maximumEntries = 20_000;
const maximumMatches = 5_000;
/** Maximum matches listed besides links; the pattern itself covers the rest. */
const maximumPlain = 200;

/** The files that a shell glob matches, links first; undefined if there are too many. */
export function expandGlob(directory: string, glob: string, files: PolicyFiles): GlobTarget[] | undefined {
  const isAbsolute = glob.startsWith('/');
  const start = isAbsolute ? '/' : directory;
  const budget = { entries: maximumEntries };
  let matches: Match[] = [{ path: start, real: isAbsolute ? '/' : files.realPath(start), isLinked: false }];
  for (const name of glob.split('/').filter((one) => one !== '' && one !== '.')) {
    matches = /[*?[]/.test(name)
      ? matches.flatMap((match) => entriesOf(match, name, { files, budget }))
      : matches.map((match) => step(match, name, files));
    if (budget.entries < 0 || matches.length > maximumMatches) return undefined;
  }
  const plain = matches.filter((match) => !match.isLinked).slice(0, maximumPlain);
  return [...matches.filter((match) => match.isLinked), ...plain];
}

function step(match: Match, name: string, files: PolicyFiles): Match {
  const plain = path.posix.join(match.real, name);
  const real = files.realPath(`${match.real}/${name}`);
  return { path: `${match.path}/${name}`, real, isLinked: match.isLinked || real !== plain };
}

function entriesOf(
  match: Match,
  glob: string,
  { files, budget }: { readonly files: PolicyFiles; readonly budget: { entries: number } },
): Match[] {
  if (budget.entries < 0) return [];
  const entries = files.entries(match.real) ?? [];
  budget.entries -= entries.length;
  const open = openGlob(glob);
  return entries.flatMap(({ name, kind }) => {
    // A leading dot is only matched by a dot.
    if ((name.startsWith('.') && !glob.startsWith('.')) || !matchGlob(open, name)) return [];
    if (kind === 'link') return [{ ...step(match, name, files), isLinked: true }];
    return [
      { path: `${match.path}/${name}`, real: path.posix.join(match.real, name), isLinked: match.isLinked },
    ];
  });
}
