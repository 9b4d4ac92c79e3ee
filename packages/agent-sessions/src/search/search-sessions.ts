import { existsSync } from 'node:fs';
import { setImmediate as nextTick } from 'node:timers/promises';
import { errorMessage, foldText } from '@robota-sdk/agent-core';
import { type SessionMatch, SessionMatcher, type TextFilter } from './match-session.ts';
import { parseQuery, type SearchTerm } from './search-query.ts';
import { byRecency, type SessionFile, type UnreadableSession } from './session-files.ts';
import { sessionTexts } from './session-texts.ts';
import { gramsOf, mayContain, SignatureBuilder } from './signature.ts';
import type { SignatureIndex } from './signature-index.ts';

export interface SearchRequest extends TextFilter {
  /** Words that must all occur, phrases in double quotes. */
  readonly query: string;
  /** Only sessions used at or after this moment, Unix milliseconds. */
  readonly since?: number;
  /** Maximum number of results. Default: all. */
  readonly limit?: number;
}

export interface SearchAnswer {
  /** Best first. */
  readonly found: readonly Ranked<SessionFile>[];
  /** Number of matching sessions, as far as counted. */
  readonly matched: number;
  /** True if all were counted; with a limit, older sessions that could not be among the results are skipped. */
  readonly complete: boolean;
  /** Files that could not be read. */
  readonly unreadable: readonly UnreadableSession[];
}

const filesPerTick = 64;

/** Searches sessions from new to old. An index only spares reading: with and without it the answer is the same. */
export async function searchSessions(
  files: readonly SessionFile[],
  request: SearchRequest,
  indexOf: (project: string) => SignatureIndex,
): Promise<SearchAnswer> {
  const search = new SessionSearch(request);
  const ranked = await rankSessions([...files].sort(byRecency), request, (file) => {
    const match = search.look(file, indexOf(file.project));
    return search.reads % filesPerTick === 0 ? nextTick(match) : match;
  });
  return { ...ranked, unreadable: search.unreadable };
}

interface Ranked<S> {
  readonly session: S;
  readonly match: SessionMatch;
  readonly score: number;
}

type Look<S> = (session: S) => SessionMatch | undefined | Promise<SessionMatch | undefined>;

/** Searches sessions, newest first, until no older one can be among the best. */
export async function rankSessions<S extends { readonly modified: number }>(
  sessions: readonly S[],
  { since = Number.NEGATIVE_INFINITY, limit = Number.POSITIVE_INFINITY }: SearchRequest,
  look: Look<S>,
): Promise<{ found: Ranked<S>[]; matched: number; complete: boolean }> {
  const recent = sessions.filter(({ modified }) => modified >= since);
  const newest = recent[0]?.modified ?? 0;
  const best: Ranked<S>[] = [];
  let matched = 0;
  let looked = 0;
  for (const session of recent) {
    const agePenalty = (newest - session.modified) / millisecondsPerPoint;
    const worst = matched > limit ? (best.at(-1)?.score ?? 0) : Number.NEGATIVE_INFINITY;
    if (bestScore - agePenalty < worst) break;
    looked++;
    const answer = look(session);
    const match = answer instanceof Promise ? await answer : answer;
    if (!match) continue;
    matched++;
    insert(best, { session, match, score: scoreOf(match) - agePenalty });
    if (best.length > limit) best.pop();
  }
  return { found: best, matched, complete: looked === recent.length };
}

class SessionSearch {
  readonly #terms: readonly SearchTerm[];
  readonly #grams: readonly number[];
  readonly #filter: TextFilter;
  readonly #builder = new SignatureBuilder();
  readonly unreadable: UnreadableSession[] = [];
  /** How many files had to be read. */
  reads = 0;

  constructor({ query, ...filter }: SearchRequest) {
    this.#terms = parseQuery(query);
    this.#grams = this.#terms.flatMap(({ words }) => words.flatMap(gramsOf));
    this.#filter = filter;
  }

  look(file: SessionFile, index: SignatureIndex): SessionMatch | undefined {
    const signature = index.get(file);
    if (signature && !mayContain(signature, this.#grams)) return undefined;
    this.reads++;
    const matcher = new SessionMatcher(this.#terms, this.#filter);
    try {
      for (const text of sessionTexts(file.path)) {
        const folded = foldText(text.text);
        matcher.add(text, folded);
        if (!signature) this.#builder.add(folded);
      }
    } catch (thrown) {
      this.#builder.finish();
      // It may have been deleted just now.
      if (existsSync(file.path)) this.unreadable.push({ path: file.path, why: errorMessage(thrown) });
      return undefined;
    }
    if (!signature) index.set(file, this.#builder.finish());
    return matcher.finish();
  }
}

/** A fortnight weighs as much as twice the hits. */
const millisecondsPerPoint = 14 * 24 * 3_600_000;
const countedHits = 15;
const bestScore = Math.log2(1 + countedHits) + 2;

function scoreOf({ hits, together, inName }: SessionMatch): number {
  return Math.log2(1 + Math.min(hits, countedHits)) + (together ? 1 : 0) + (inName ? 1 : 0);
}

/** Keeps the best first; the earlier of equals. */
function insert<S>(best: Ranked<S>[], found: Ranked<S>): void {
  let at = best.length;
  while (at > 0 && (best[at - 1]?.score ?? 0) < found.score) at--;
  best.splice(at, 0, found);
}
