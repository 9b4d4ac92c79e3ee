import {
  AgentError,
  type Config,
  createInteractiveSession,
  describeProblem,
  describeProblems,
  explainSettings,
  findSession,
  type InteractiveSession,
  type InteractiveSessionOptions,
  KeptSessions,
  keyOrigins,
  type Problem,
  processHost,
  type SessionStorePort,
  type UserInterface,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { programName } from '../arguments/program-name.ts';

/** The user interface for opening sessions. */
export interface SessionUi {
  /** Replaced when the user continues in another directory. */
  options: InteractiveSessionOptions;
  readonly terminal: UserInterface;
  say(text: string): Promise<void> | void;
  /** Shows what was said in a session that is resumed; without it, the last exchange is told in words. */
  replay?(session: InteractiveSession): Promise<void>;
  /** Puts a text into the editor. */
  giveBack(text: string): void;
  /** Runs the tour, where there is a screen for it. */
  tour?(): Promise<void>;
  /** Shows a session as another process writes it, until the user closes it. */
  follow(store: SessionStorePort, reference: string): Promise<void>;
}

/** A session; `watched` if the user only viewed one; undefined if cancelled. */
export type Opened = InteractiveSession | 'watched' | undefined;

/** Opens a session; if it is locked, lets the user choose an alternative. */
export async function openSession(options: InteractiveSessionOptions, services: SessionUi): Promise<Opened> {
  let config: Config | undefined;
  const onConfig = (read: Config) => {
    config = read;
    options.onConfig?.(read);
  };
  try {
    return await createInteractiveSession({ ...options, onConfig });
  } catch (thrown) {
    if (!AgentError.is(thrown)) throw thrown;
    // The user's decision about the project holds when the session is opened again.
    const decided = { ...options, trust: config?.trust ?? options.trust };
    if (config && thrown.code === 'no-provider' && options.model === undefined)
      return setUp(thrown, config, decided, services);
    if (thrown.code === 'session-in-use') return offerOtherWays(thrown.problem, decided, services);
    throw thrown;
  }
}

/** Lets the user choose a model where none is configured, or where the configured one has no key. */
async function setUp(
  problem: AgentError,
  config: Config,
  options: InteractiveSessionOptions,
  services: SessionUi,
): Promise<Opened> {
  const cwd = options.cwd ?? process.cwd();
  if (keyOrigins(config).some(({ origin }) => origin !== undefined)) throw problem;
  const { firstRun } = await import('../first-run/first-run.ts');
  for (const text of describeProblems(config.problems, programName()))
    services.terminal.notify({ level: 'warning', text });
  const unusable = await unusableModel(problem, config, cwd);
  const { terminal: ui, tour } = services;
  const setup = await firstRun(config, { cwd, ui, ...(unusable && { unusable }), ...(tour && { tour }) });
  if (setup === undefined) {
    await services.say(`\n${unusable ?? describeProblem(problem.problem, programName())}`);
    return undefined;
  }
  const asConfigured = unusable && (await openIfModel(options));
  if (asConfigured) return asConfigured;
  const next = { ...options, model: setup.model };
  return openSession(next, { ...services, options: next });
}

/** Opens with the configured model if the key that was just entered is for it. */
async function openIfModel(options: InteractiveSessionOptions): Promise<InteractiveSession | undefined> {
  try {
    return await createInteractiveSession(options);
  } catch (thrown) {
    if (AgentError.is(thrown) && thrown.code === 'no-provider') return undefined;
    throw thrown;
  }
}

/** The configured model, the line that names it, and why it cannot be used; nothing if no model is configured. */
async function unusableModel(
  problem: AgentError,
  { settings, host }: Config,
  cwd: string,
): Promise<string | undefined> {
  if (settings.model === undefined) return undefined;
  const [report] = await explainSettings([['model']], { cwd, host }).catch(() => []);
  const found = report?.sources.find(({ value }) => value === settings.model);
  const line = found?.line === undefined ? '' : `:${found.line}`;
  const place = found === undefined ? '' : ` (${found.source}${line})`;
  return `"model" is ${settings.model}${place}. ${problem.message}`;
}

/** Another process writes the session: a copy and a look at it are still to be had. */
async function offerOtherWays(
  { message, details = [] }: Problem,
  options: InteractiveSessionOptions,
  services: SessionUi,
): Promise<Opened> {
  const { holderOf, takeOver } = await import('./take-over-session.ts');
  const holder = await holderOf(await referenceOf(options, await keptFor(options), services));
  const take = async () => {
    if (holder) await takeOver(holder, services.terminal);
    // Without a hand-over the other ways are offered again.
    return openSession(options, services);
  };
  const ways = [
    ...(holder ? [{ label: `Take it over from ${holder.name}`, run: take }] : []),
    { label: 'Continue in a copy', run: () => openSession({ ...options, fork: true }, services) },
    { label: 'Watch it without writing', run: () => watch(options, services) },
    { label: 'Choose another session', run: () => chooseAnother(options, services) },
    {
      label: 'Start a new session',
      run: () => openSession({ ...options, store: 'new', fork: false }, services),
    },
  ];
  // The first sentence names the holder; the second repeats the choices; the rest concerns other machines.
  const answer = await services.terminal.ask({
    kind: 'select',
    title: message,
    trail: 'Session in use',
    ...(details.length === 0 ? {} : { detail: details.join('\n') }),
    options: ways.map(({ label }) => ({ label })),
  });
  const way = answer.kind === 'selected' ? ways[answer.indexes[0] ?? -1] : undefined;
  if (way) return way.run().finally(() => holder?.close());
  holder?.close();
  await services.say('No session was opened.');
  return undefined;
}

async function chooseAnother(options: InteractiveSessionOptions, services: SessionUi): Promise<Opened> {
  const { chooseSession } = await import('./choose-session.ts');
  const kept = await keptFor(options);
  const except = await referenceOf(options, kept, services);
  try {
    const open = await chooseSession({ kept, except }, services.terminal);
    return openSession({ ...options, store: { open } }, services);
  } catch (thrown) {
    if (!AgentError.is(thrown)) throw thrown;
    services.terminal.notify({ level: 'error', text: thrown.message });
    return openSession(options, services);
  }
}

async function watch(options: InteractiveSessionOptions, services: SessionUi): Promise<Opened> {
  const kept = await keptFor(options);
  const reference = await referenceOf(options, kept, services);
  if (reference !== undefined) await services.follow(kept.store, reference);
  return 'watched';
}

/** The kept sessions that a session of these options would be one of. */
export async function keptFor(options: InteractiveSessionOptions): Promise<KeptSessions> {
  const host = options.host ?? (await processHost());
  const store = await options.sessions?.(() => {});
  return new KeptSessions({ home: userPaths(host).data, cwd: options.cwd ?? process.cwd(), store });
}

async function referenceOf(
  { store }: InteractiveSessionOptions,
  kept: KeptSessions,
  { terminal }: SessionUi,
): Promise<string | undefined> {
  if (store === 'latest') {
    const latest = await kept.store.latest(kept.cwd);
    return latest?.path ?? latest?.id;
  }
  if (typeof store !== 'object') return undefined;
  return 'path' in store ? store.path : (await findSession(store.open, kept, terminal)).path;
}
