import {
  AgentError,
  createInteractiveSession,
  findSession,
  type InteractiveSession,
  type InteractiveSessionOptions,
  KeptSessions,
  processHost,
  type UserInterface,
  userPaths,
} from '@robota-sdk/agent-sdk';
import type { Output } from '@robota-sdk/agent-transport-headless';
import { followSession } from './follow-session.ts';
import type { LineReader } from './line-interface.ts';

/** Where a person sits: what to ask them with, and where to show it. */
export interface Desk {
  readonly options: InteractiveSessionOptions;
  readonly terminal: UserInterface;
  readonly reader: LineReader;
  readonly output: Output;
}

/** A session; `watched` where the person only had a look at one; nothing where they would have none. */
export type Opened = InteractiveSession | 'watched' | undefined;

/** Opens a session with a person at hand, who can choose another way where it can not be had. */
export async function openSession(options: InteractiveSessionOptions, desk: Desk): Promise<Opened> {
  try {
    return await createInteractiveSession(options);
  } catch (thrown) {
    if (!AgentError.is(thrown)) throw thrown;
    if (thrown.code === 'no-provider' && options.model === undefined)
      return offerOffline(thrown.message, options, desk);
    if (thrown.code === 'session-in-use') return offerOtherWays(thrown.message, options, desk);
    throw thrown;
  }
}

/** Without a model there is still something to try. */
async function offerOffline(
  problem: string,
  options: InteractiveSessionOptions,
  desk: Desk,
): Promise<Opened> {
  await desk.output.write(`${problem}\n\n`);
  const answer = await desk.reader.ask(
    'Try the offline model now? It follows simple rules and is not AI. [Y/n] ',
  );
  if (answer === undefined || /^\s*n/i.test(answer)) return undefined;
  return openSession({ ...options, model: 'offline' }, desk);
}

/** Another process writes the session: a copy and a look at it are still to be had. */
async function offerOtherWays(
  problem: string,
  options: InteractiveSessionOptions,
  desk: Desk,
): Promise<Opened> {
  const ways = [
    { label: 'Go on in a copy', run: () => openSession({ ...options, fork: true }, desk) },
    { label: 'Watch it without writing', run: () => watch(options, desk) },
    { label: 'Choose another session', run: () => chooseAnother(options, desk) },
    { label: 'Start a new session', run: () => openSession({ ...options, store: 'new', fork: false }, desk) },
  ];
  // Who has it comes first; the advice behind it is what the choices are, and more concerns other machines only.
  const [title = problem, , ...more] = problem.split(/(?<=\.) (?=[A-Z])/);
  const answer = await desk.terminal.ask({
    kind: 'select',
    title,
    ...(more.length === 0 ? {} : { detail: more.join(' ') }),
    options: ways.map(({ label }) => ({ label })),
  });
  if (answer.kind !== 'selected' || answer.text !== undefined) return undefined;
  return ways[answer.indexes[0] ?? -1]?.run();
}

async function chooseAnother(options: InteractiveSessionOptions, desk: Desk): Promise<Opened> {
  const { chooseSession } = await import('./sessions/choose-session.ts');
  const open = await chooseSession(options.cwd ?? process.cwd(), desk.terminal);
  return openSession({ ...options, store: { open } }, desk);
}

async function watch(options: InteractiveSessionOptions, desk: Desk): Promise<Opened> {
  const host = options.host ?? (await processHost());
  const kept = new KeptSessions({ home: userPaths(host).root, cwd: options.cwd ?? process.cwd() });
  const reference = await referenceOf(options, kept, desk);
  if (reference !== undefined) await followSession(kept.store, reference, desk);
  return 'watched';
}

async function referenceOf(
  { store }: InteractiveSessionOptions,
  kept: KeptSessions,
  { terminal }: Desk,
): Promise<string | undefined> {
  if (store === 'latest') return (await kept.store.latest(kept.cwd))?.path;
  if (typeof store !== 'object') return undefined;
  return 'path' in store ? store.path : (await findSession(store.open, kept, terminal)).path;
}
