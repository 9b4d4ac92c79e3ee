import { statSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve, sep } from 'node:path';
import {
  type CommandOutcome,
  errorMessage,
  type InteractiveSession,
  type InteractiveSessionOptions,
  sessionConfig,
  type TrustGate,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import { keepDirectories, keepModel } from './keep-choices.ts';
import { openSession, type SessionUi } from './open-session.ts';
import { isNew } from './resumed-session.ts';

/** `/cd DIR`: checks the directory; the front end opens the session there. */
export async function changeDirectory(session: InteractiveSession, written: string): Promise<CommandOutcome> {
  const { cwd, host } = session.place;
  if (written === '') return { kind: 'notice', text: cwd, data: { cwd } };
  const directory = resolve(cwd, withHome(written, host.home));
  if (directory.includes('\0') || !isDirectory(directory))
    return { kind: 'error', text: `No directory ${directory}. Nothing changed.` };
  const real = await realpath(directory);
  if (real === (await realpath(cwd))) return { kind: 'notice', text: `Already in ${real}.` };
  return openIn(session, real);
}

/** `/trust`: the front end asks about items that are not decided, and opens the session with those that are trusted. */
export function reviewTrust(session: InteractiveSession): CommandOutcome {
  const { withheld = [] } = session.live?.config.trust ?? {};
  if (withheld.length === 0)
    return { kind: 'notice', text: 'Nothing of this project waits for your decision.' };
  return openIn(session, session.place.cwd);
}

function openIn(session: InteractiveSession, cwd: string): CommandOutcome {
  const running = session.tasks.list().filter(({ status }) => status === 'running').length;
  if (running > 0)
    return {
      kind: 'error',
      text: `Stop background tasks first (${running}): /tasks. It would end.`,
    };
  return { kind: 'switch', to: { open: session.id, cwd, moves: true }, notice: '' };
}

/** Directories that a text may become, for completion. */
export async function completeDirectory(
  session: InteractiveSession,
  typed: string,
): Promise<readonly string[]> {
  const { cwd, host } = session.place;
  const folder = typed.slice(0, Math.max(typed.lastIndexOf('/'), typed.lastIndexOf(sep)) + 1);
  const entries = await readdir(resolve(cwd, withHome(folder === '' ? '.' : folder, host.home)), {
    withFileTypes: true,
  }).catch(() => []);
  const isShown = (name: string) => !name.startsWith('.') || typed.slice(folder.length).startsWith('.');
  return entries
    .filter((entry) => entry.isDirectory() && isShown(entry.name))
    .map(({ name }) => `${folder}${name}/`)
    .filter((path) => path.startsWith(typed))
    .toSorted();
}

function withHome(path: string, home: string): string {
  return path.replace(/^~(?=$|[\\/])/, home === '' ? homedir() : home);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Opens a session again in another directory, or in its own once more is trusted: settings, trust, instructions, permissions and sandbox are those of the
 * directory, the conversation stays. The user is asked about trust first. Returns the same session if nothing changed.
 */
export async function moveSession(
  old: InteractiveSession,
  directory: string,
  services: SessionUi,
): Promise<InteractiveSession> {
  const { options } = services;
  const from = old.place.cwd;
  const store = await storeOf(old, options);
  const trust = await trustOf(directory, services);
  if (trust === 'cancelled') {
    await services.say(directory === from ? 'Nothing changed.' : `Stayed in ${from}.`);
    return old;
  }
  const next: InteractiveSessionOptions = { ...options, cwd: directory, trust };
  // The file of a session has one writer, so it is closed before it is opened there.
  await old.shutdown();
  const opened = await openThere({ ...next, store, fork: false }, services);
  if (opened === undefined)
    return openAgain({ ...options, store, fork: false, trust: old.live?.config.trust }, services);
  services.options = next;
  keepMode(old, opened);
  keepDirectories(old, opened);
  if (store !== 'new' || modelSetting(old) === modelSetting(opened)) await keepModel(old, opened);
  if (store !== 'new' && directory !== from)
    opened.queue.remind([{ type: 'text', text: reminderOf(from, directory) }]);
  return opened;
}

/** A session in which nothing was said has no file yet. */
async function storeOf(
  session: InteractiveSession,
  { store, record, replay }: InteractiveSessionOptions,
): Promise<NonNullable<InteractiveSessionOptions['store']>> {
  if (record !== undefined || replay !== undefined)
    throw new Error('A recording is of one directory, so it cannot continue in another.');
  if (store === 'none')
    throw new Error('This session is not saved (--no-session), so it cannot be opened elsewhere.');
  if (isNew(session)) return 'new';
  if (await session.kept.store.has(session.id)) return { open: session.id };
  if (typeof store === 'object' && 'path' in store) return store;
  throw new Error('This conversation cannot be opened in another directory.');
}

/** The user's decision about a directory. */
async function trustOf(
  directory: string,
  { options, terminal }: SessionUi,
): Promise<TrustGate | undefined | 'cancelled'> {
  let isCancelled = false;
  const ui: UserInterface = {
    notify: (notice) => terminal.notify(notice),
    ask: async (question) => {
      const answer = await terminal.ask(question);
      isCancelled ||= answer.kind !== 'selected';
      return answer;
    },
  };
  const { trust } = await sessionConfig({ ...options, cwd: directory, terminal: ui, trust: undefined });
  return isCancelled ? 'cancelled' : trust;
}

async function openThere(
  options: InteractiveSessionOptions,
  services: SessionUi,
): Promise<InteractiveSession | undefined> {
  try {
    const opened = await openSession(options, services);
    return opened === 'watched' ? undefined : opened;
  } catch (thrown) {
    await services.say(`error: ${errorMessage(thrown)}`);
    return undefined;
  }
}

/** Returns to where the session was; if even that fails, a new session takes its place. */
async function openAgain(
  options: InteractiveSessionOptions,
  services: SessionUi,
): Promise<InteractiveSession> {
  const again =
    (await openThere(options, services)) ?? (await openThere({ ...options, store: 'new' }, services));
  if (again === undefined) throw new Error('The session is closed. Start again to resume it.');
  await services.say(`Stayed in ${again.place.cwd}.`);
  return again;
}

/** The model that the settings of the directory name. */
function modelSetting({ live }: InteractiveSession): string | undefined {
  return live?.config.settings.model;
}

/** A mode that the user chose stays, unless the directory forbids it. */
function keepMode(old: InteractiveSession, next: InteractiveSession): void {
  const { mode } = old.permissions;
  if (mode === old.settings?.permissionMode || mode === next.permissions.mode) return;
  try {
    next.permissions.mode = mode;
  } catch {
    // The stricter mode of the directory holds.
  }
}

function reminderOf(from: string, to: string): string {
  return `<system-reminder>The user changed the working directory from ${from} to ${to}. Relative paths now mean files in ${to}. Instructions, permissions and tools are those of ${to}; files in ${from} are outside the workspace, unless they were added to it.</system-reminder>`;
}
