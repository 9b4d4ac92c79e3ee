/** A part of a glob, with an equivalent regular expression. */
export type GlobToken =
  | { readonly kind: 'character'; readonly source: string; matches(one: string): boolean }
  | { readonly kind: 'choice'; readonly source: string; readonly branches: readonly (readonly GlobToken[])[] }
  | {
      /** `*`; a slash; `**` at the start, at the end after a slash, and between slashes. */
      readonly kind: 'star' | 'separator' | 'prefix' | 'suffix' | 'between';
      readonly source: string;
    };

const wild: ReadonlySet<GlobToken['kind']> = new Set(['star', 'prefix', 'suffix', 'between']);

/** Number of parts that match texts of any length. */
export function wildcardsIn(tokens: readonly GlobToken[]): number {
  const counts = tokens.map((token) => {
    if (token.kind === 'choice') return wildcardsIn(token.branches.flat());
    return wild.has(token.kind) ? 1 : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * True if the tokens match a whole path. Follows all alternatives at once, so the cost is at most path length times
 * number of tokens.
 */
export function matchesTokens(tokens: readonly GlobToken[], path: string): boolean {
  const start = new Uint8Array(path.length + 1);
  start[0] = 1;
  return reached(tokens, path, start)[path.length] === 1;
}

/** Maps possible start positions in the path to possible end positions of the tokens. */
function reached(tokens: readonly GlobToken[], path: string, from: Uint8Array): Uint8Array {
  let places = from;
  for (const token of tokens) {
    const next = new Uint8Array(path.length + 1);
    step(token, { path, places, next });
    places = next;
  }
  return places;
}

interface Step {
  readonly path: string;
  readonly places: Uint8Array;
  readonly next: Uint8Array;
}

function step(token: GlobToken, { path, places, next }: Step): void {
  if (token.kind === 'choice') {
    if (token.branches.length === 0) next.set(places);
    for (const branch of token.branches)
      for (const [at, isReached] of reached(branch, path, places).entries()) if (isReached) next[at] = 1;
    return;
  }
  let isOpen = false;
  for (let at = 0; at <= path.length; at++) {
    const before = path[at - 1];
    if (token.kind === 'character')
      next[at] = at > 0 && places[at - 1] && token.matches(before ?? '') ? 1 : 0;
    else if (token.kind === 'separator') next[at] = places[at - 1] && before === '/' ? 1 : 0;
    else if (token.kind === 'star') {
      isOpen = places[at] === 1 || (isOpen && before !== '/');
      next[at] = isOpen ? 1 : 0;
    } else {
      const isBehindSlash = before === '/';
      isOpen ||= at > 0 && places[at - 1] === 1 && (token.kind === 'prefix' || isBehindSlash);
      const isWithin = isOpen && (isBehindSlash || token.kind === 'suffix');
      next[at] = isWithin || (token.kind === 'prefix' && places[at] === 1) ? 1 : 0;
    }
  }
}
