import { resolve, sep } from 'node:path';
import { AgentError, foldText, nearest } from '@robota-sdk/agent-core';
import type { SessionFinder } from './session-catalogue.ts';
import type { UnreadableSession } from './session-files.ts';
import { describeSession, sessionLabel, sessionTitle } from './short-ids.ts';
import type { ListedSession } from './summary-cache.ts';

/** The result of looking up a session. */
export type SessionResolution =
  | { readonly kind: 'found'; readonly session: ListedSession; readonly by: ReferenceKind }
  | { readonly kind: 'several'; readonly sessions: readonly ListedSession[]; readonly by: ReferenceKind }
  /** `near`: names with similar spelling. */
  | { readonly kind: 'none'; readonly near: readonly string[] };

export type ReferenceKind = 'path' | 'id' | 'name' | 'title' | 'text';

export interface ResolveOptions {
  /** Texts are searched in this directory's sessions; names of others only if none matches here. */
  readonly cwd: string;
  /** Makes no difference between directories. */
  readonly all?: boolean;
}

/**
 * Finds a session by path, by id or its prefix, by name, by title as lists show it, by the prefix of a name,
 * or by words in it. The first match decides.
 */
export async function resolveSession(
  reference: string,
  catalogue: SessionFinder,
  { cwd, all = false }: ResolveOptions,
): Promise<SessionResolution> {
  const wanted = reference.trim();
  if (wanted === '') return { kind: 'none', near: [] };
  const quick = await quickly(wanted, catalogue, cwd);
  if (quick) return quick;
  const { sessions } = await catalogue.list();
  const byId = fitting(sessions, { wanted: wanted.toLowerCase(), of: ({ id }) => id.toLowerCase() });
  const named = (some: readonly ListedSession[]) =>
    fitting(some, { wanted: foldText(wanted), of: ({ name = '' }) => foldText(name) });
  const here = all ? sessions : (await catalogue.list({ cwd })).sessions;
  const namedHere = named(here);
  const byName = namedHere.length > 0 ? namedHere : named(sessions);
  const titled = here.filter((session) => isTitled(session, wanted));
  const isName = byName.some(({ name = '' }) => foldText(name) === foldText(wanted));
  if (titled.length > 0 && !isName) return outcome(titled, 'title');
  if (byName.length === 1 || (byName.length > 1 && byId.length === 0)) return outcome(byName, 'name');
  if (byId.length > 0) return outcome(byId, 'id');
  const { found } = await catalogue.search({ query: wanted, ...(all ? {} : { cwd }) });
  const byText = found.map(({ session }) => session);
  if (byText.length > 0) return outcome(byText, 'text');
  const names = sessions.flatMap(({ name }) => name ?? []);
  return { kind: 'none', near: nearNames(wanted, names) };
}

/**
 * Like `resolveSession`, for callers without a chooser: anything but one session is an error that lists the
 * candidates.
 */
export async function requireSession(
  reference: string,
  catalogue: SessionFinder,
  options: ResolveOptions,
): Promise<ListedSession> {
  const resolution = await resolveSession(reference, catalogue, options);
  if (resolution.kind === 'found') return resolution.session;
  throw resolutionProblem(reference, resolution);
}

/** Explains why a reference does not identify one session, and what to use instead. */
export function resolutionProblem(
  reference: string,
  resolution: Exclude<SessionResolution, { kind: 'found' }>,
): AgentError {
  if (reference.trim() === '') {
    const text = 'Give an id, a name or words from it. List sessions with';
    return new AgentError('session', 'Missing session.', { hint: { text, run: ['sessions', 'list'] } });
  }
  if (resolution.kind === 'none') {
    const near = resolution.near.map((name) => `"${name}"`).join(' or ');
    const hint = near === '' ? '' : ` Did you mean ${near}?`;
    return new AgentError(
      'session',
      `No session matches "${reference}" (id, name or text).${hint} robota sessions list --all shows all.`,
    );
  }
  const { sessions, by } = resolution;
  const lines = sessions.slice(0, maxShown).map((one) => `  ${one.id}  ${describeSession(one)}`);
  const more = sessions.length > maxShown ? [`  and ${sessions.length - maxShown} more`] : [];
  const how = fits[by] ?? `each ${by} starts like this`;
  return new AgentError(
    'session',
    [
      `"${reference}" could be one of ${sessions.length} sessions (${how}):`,
      ...lines,
      ...more,
      'Give the id.',
    ].join('\n'),
  );
}

const maxShown = 10;

const fits: Readonly<Partial<Record<ReferenceKind, string>>> = {
  text: 'these words are in all of them',
  title: 'all have this title',
};

/** Most references are paths or ids, for which no list is needed. */
async function quickly(
  wanted: string,
  catalogue: SessionFinder,
  cwd: string,
): Promise<SessionResolution | undefined> {
  if (wanted.includes('/') || wanted.includes(sep) || wanted.endsWith('.jsonl')) {
    const session = await catalogue.at(resolve(cwd, wanted));
    if (session && 'why' in session) throw unopenable(session);
    if (session) return { kind: 'found', session, by: 'path' };
  }
  const beginning = wanted.toLowerCase();
  const fitting = (await catalogue.paths()).filter(({ id }) => id.toLowerCase().startsWith(beginning));
  const exact = fitting.find(({ id }) => id.toLowerCase() === beginning);
  const only = exact ?? (fitting.length === 1 ? fitting[0] : undefined);
  const session = only && (await catalogue.at(only.path));
  if (session && !('why' in session)) return { kind: 'found', session, by: 'id' };
  // A full id means exactly this session, so report its problem.
  if (session && exact) throw unopenable(session);
  return undefined;
}

function unopenable({ path, why }: UnreadableSession): AgentError {
  return new AgentError('session', `${path} can't be opened as a session: ${why}.`);
}

/** Names with similar spelling, or that start with similar words. */
function nearNames(wanted: string, names: readonly string[]): string[] {
  const words = wanted.split(/\s+/).length;
  const byBeginning = new Map(names.map((name) => [name.split(/\s+/).slice(0, words).join(' '), name]));
  for (const name of names) byBeginning.set(name, name);
  return [...new Set(nearest(wanted, byBeginning.keys()).map((near) => byBeginning.get(near) ?? near))];
}

/** True if a text is the title of a session, in full or as lists shorten it. */
function isTitled(session: ListedSession, wanted: string): boolean {
  const folded = foldText(wanted);
  return foldText(sessionTitle(session)) === folded || foldText(sessionLabel(session)) === folded;
}

/** Exact matches, otherwise those with the prefix. */
function fitting(
  sessions: readonly ListedSession[],
  { wanted, of }: { readonly wanted: string; of(session: ListedSession): string },
): ListedSession[] {
  const exact = sessions.filter((session) => of(session) === wanted);
  return exact.length > 0 ? exact : sessions.filter((session) => of(session).startsWith(wanted));
}

function outcome(sessions: readonly ListedSession[], by: ReferenceKind): SessionResolution {
  const [session, other] = sessions;
  if (session && !other) return { kind: 'found', session, by };
  return { kind: 'several', sessions, by };
}
