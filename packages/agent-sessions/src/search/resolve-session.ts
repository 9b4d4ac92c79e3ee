import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { AgentError, nearest } from '@robota-sdk/agent-core';
import { projectIdOf } from '../store/project-id.ts';
import { foldText } from './fold-text.ts';
import type { SessionCatalogue } from './session-catalogue.ts';
import { sessionFileName } from './session-files.ts';
import { describeSession, shortIds } from './short-ids.ts';
import { type ListedSession, summarizeSession } from './summary-cache.ts';

/** What a reference to a session means. */
export type SessionResolution =
  | { readonly kind: 'found'; readonly session: ListedSession; readonly by: ReferenceKind }
  | { readonly kind: 'several'; readonly sessions: readonly ListedSession[]; readonly by: ReferenceKind }
  /** `near` are names that are spelt alike. */
  | { readonly kind: 'none'; readonly near: readonly string[] };

export type ReferenceKind = 'path' | 'id' | 'name' | 'text';

export interface ResolveOptions {
  /** Texts of this directory's sessions are meant, and names of others only where none fits here. */
  readonly cwd: string;
  /** Makes no difference between directories. */
  readonly all?: boolean;
}

/**
 * Finds the session a person means: by path, by id or its beginning, by name or its beginning, else by what was said in
 * it. The first of these that fits decides.
 */
export async function resolveSession(
  reference: string,
  catalogue: SessionCatalogue,
  { cwd, all = false }: ResolveOptions,
): Promise<SessionResolution> {
  const wanted = reference.trim();
  if (wanted === '') return { kind: 'none', near: [] };
  const quick = sessionAt(wanted, cwd) ?? sessionById(wanted, catalogue);
  if (quick) return quick;
  const { sessions } = await catalogue.list();
  const byId = fitting(sessions, { wanted: wanted.toLowerCase(), of: ({ id }) => id.toLowerCase() });
  const named = (some: readonly ListedSession[]) =>
    fitting(some, { wanted: foldText(wanted), of: ({ name = '' }) => foldText(name) });
  const project = projectIdOf(cwd);
  const namedHere = all ? [] : named(sessions.filter(({ path }) => projectOf(path) === project));
  const byName = namedHere.length > 0 ? namedHere : named(sessions);
  if (byName.length === 1 || (byName.length > 1 && byId.length === 0)) return outcome(byName, 'name');
  if (byId.length > 0) return outcome(byId, 'id');
  const { found } = await catalogue.search({ query: wanted, ...(all ? {} : { cwd }) });
  const byText = found.map(({ session }) => session);
  if (byText.length > 0) return outcome(byText, 'text');
  const names = sessions.flatMap(({ name }) => name ?? []);
  return { kind: 'none', near: nearest(wanted, names) };
}

/** As `resolveSession`, for callers that can't let a person choose: anything but one session is an error that helps. */
export async function requireSession(
  reference: string,
  catalogue: SessionCatalogue,
  options: ResolveOptions,
): Promise<ListedSession> {
  const resolution = await resolveSession(reference, catalogue, options);
  if (resolution.kind === 'found') return resolution.session;
  throw resolutionProblem(reference, resolution);
}

/** Says why a reference does not name one session, and what to give instead. */
export function resolutionProblem(
  reference: string,
  resolution: Exclude<SessionResolution, { kind: 'found' }>,
): AgentError {
  if (resolution.kind === 'none') {
    const near = resolution.near.map((name) => `"${name}"`).join(' or ');
    const hint = near === '' ? '' : ` Did you mean ${near}?`;
    return new AgentError(
      'session',
      `There is no session "${reference}": no id or name begins so, and none has these words.${hint} robota sessions list --all shows all.`,
    );
  }
  const { sessions, by } = resolution;
  const shorts = shortIds(sessions.map(({ id }) => id));
  const lines = sessions.slice(0, maxShown).map((one) => `  ${shorts.get(one.id)}  ${describeSession(one)}`);
  const more = sessions.length > maxShown ? [`  and ${sessions.length - maxShown} more`] : [];
  const how = by === 'text' ? 'these words are in all of them' : `each ${by} begins so`;
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

/** The session that a path names: its file or its directory. */
function sessionAt(wanted: string, cwd: string): SessionResolution | undefined {
  if (!wanted.includes('/') && !wanted.includes(sep) && !wanted.endsWith('.jsonl')) return undefined;
  const given = resolve(cwd, wanted);
  const inside = join(given, sessionFileName);
  const path = existsSync(inside) ? inside : given;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const session = summarizeSession({ path, id: idOf(path) });
  if ('why' in session)
    throw new AgentError('session', `${path} can't be opened as a session: ${session.why}.`);
  return { kind: 'found', session, by: 'path' };
}

/** Most references are ids, for which nothing has to be read but names of directories. */
function sessionById(wanted: string, catalogue: SessionCatalogue): SessionResolution | undefined {
  const [path, other] = catalogue.filesById(wanted.toLowerCase());
  if (path === undefined || other !== undefined) return undefined;
  const session = summarizeSession({ path, id: idOf(path) });
  return 'why' in session ? undefined : { kind: 'found', session, by: 'id' };
}

function idOf(path: string): string {
  return basename(path) === sessionFileName ? basename(dirname(path)) : basename(path, '.jsonl');
}

function projectOf(path: string): string {
  return basename(dirname(dirname(path)));
}

/** Those that are exactly what is wanted, else those that begin with it. */
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
