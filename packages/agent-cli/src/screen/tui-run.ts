import type { LoadedKeybindings, ScreenGuide, SessionRequest } from '@robota-sdk/agent-screen';
import {
  AppTheme,
  ForeignOutput,
  prepareRequest,
  saveMemory,
  settleMemory,
  TuiApp,
  themeFolders,
} from '@robota-sdk/agent-screen';
import {
  type Extension,
  errorMessage,
  type HostEnvironment,
  type InteractiveSession,
  type InteractiveSessionOptions,
  type Question,
  type QuestionSource,
  titleSession,
  type UserInterface,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { type Capabilities, firstModes, ProcessTerminal } from '@robota-sdk/agent-tui';
import type { Arguments } from '../arguments/args.ts';
import { sessionOptions } from '../arguments/session-options.ts';
import { version } from '../arguments/version.ts';
import { closeSession } from '../open/close-session.ts';
import type { SessionUi } from '../open/open-session.ts';
import { resumeAt } from '../open/resume-at.ts';
import { resumeParked } from '../open/resume-parked.ts';
import { shellCommands } from '../open/shell-commands.ts';

/** A program that is led through, and the model that plays its part there. */
export interface GuidedTour {
  readonly model: Extension<InteractiveSession>;
  readonly guide: ScreenGuide & {
    begin(program: {
      readonly app: TuiApp;
      readonly session: InteractiveSession;
      readonly terminal: UserInterface;
      end(): void;
    }): void;
    /** A question is open; the returned function is for its end. */
    asked(question: Question): () => void;
  };
}

export interface TuiRunOptions {
  readonly capabilities: Capabilities;
  readonly host: HostEnvironment;
  readonly bindings: LoadedKeybindings;
  readonly tour?: GuidedTour | undefined;
  /** The terminal is gone. */
  hangUp(): void;
}

/** How many of the last messages of a resumed session are shown; the pager has all. */
const resumedMessages = 100;

/** One run of the terminal UI, from the first frame to the last: opens sessions, one after the other. */
export class TuiRun {
  readonly #args: Arguments;
  readonly #app: TuiApp;
  readonly #theme: AppTheme;
  readonly #bindings: LoadedKeybindings;
  readonly #foreign = new ForeignOutput((text) =>
    this.#app.print({ kind: 'notice', level: 'warning', text: text.replace(/^robota: /, '') }),
  );
  readonly #host: HostEnvironment;
  readonly #tour: GuidedTour | undefined;
  #session: InteractiveSession | undefined;
  #services: SessionUi | undefined;
  #stopTitle = () => {};
  #stopSharing = () => {};
  #questions: QuestionSource | undefined;
  #finish: (code: number) => void = () => {};
  readonly #finished: Promise<number>;

  constructor(args: Arguments, { capabilities, host, bindings, tour, hangUp }: TuiRunOptions) {
    this.#args = args;
    this.#bindings = bindings;
    this.#host = host;
    this.#tour = tour;
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#theme = new AppTheme({
      capabilities,
      folders: themeFolders(host),
      onChange: () => this.#app.refresh(),
      onProblem: (text) => this.#app.print({ kind: 'notice', level: 'warning', text }),
    });
    this.#app = new TuiApp({
      terminal: new ProcessTerminal({ modes: firstModes(capabilities) }),
      capabilities,
      theme: this.#theme,
      keys: bindings.keys,
      isAnimated: !args.has('no-animation'),
      cwd: args.value('cwd') ?? process.cwd(),
      version,
      guide: tour?.guide,
      adviseOn: familiar,
      switchTo: (request) => this.#switch(request),
      replay: (session) => this.#replay(session),
      exit: () => this.end(),
      hangUp,
    });
  }

  /** Ends the conversation. */
  end(code = 0): void {
    this.#finish(code);
  }

  /** Talks until the user exits; resolves with the exit code. */
  async converse(): Promise<number> {
    const options = sessionOptions(this.#args);
    this.#app.start();
    this.#foreign.start();
    const opening = this.#open(options).catch((thrown: unknown) => {
      this.#failure = thrown;
      this.end(2);
    });
    const code = await this.#finished;
    if (this.#failure !== undefined) throw this.#failure;
    void opening;
    return code;
  }

  #failure: unknown;

  /** Gives the terminal back and ends the session. */
  async close(): Promise<void> {
    this.#stopTitle();
    this.#stopSharing();
    const back = await this.#wayBack();
    const unsent = this.#app.waiting.map(({ text }) => text);
    if (unsent.length > 0)
      this.#app.print({ kind: 'notice', level: 'warning', text: `Not sent:\n${unsent.join('\n')}` });
    if (this.#session?.isExecuting()) await this.#session.abort({ keepsParked: true });
    if (back !== '') this.#app.print({ kind: 'notice', level: 'info', text: back });
    await this.#app.stop();
    this.#foreign.stop();
    if (this.#session) await closeSession(this.#session, this.#args);
  }

  async #open(given: InteractiveSessionOptions): Promise<void> {
    const app = this.#app;
    const preparing = Promise.all([import('../open/open-session.ts'), app.prepare()]);
    const { terminalInterface } = await import('@robota-sdk/agent-screen');
    const [{ openSession }] = await preparing;
    // Not earlier: other flags of V8 make it reject code that was compiled for runs without a screen.
    saveMemory();
    const terminal = terminalInterface(app, {
      onQuestion: (question) => this.#questionWaits(question),
      draft: () => app.draft,
      stop: () => void app.interrupt(),
    });
    this.#questions = terminal.questions;
    const options = await this.#chosen(given);
    if (!options) return this.end(0);
    const services: SessionUi = {
      options: {
        ...options,
        terminal,
        onConfig: ({ settings }) => app.adopt(settings.terminal),
        waitsForLimits: true,
        extensions: [shellCommands, ...(this.#tour ? [this.#tour.model] : [])],
      },
      terminal,
      say: (text) => app.print({ kind: 'notice', level: 'info', text: text.trim() }),
      replay: (session) => this.#replay(session),
      giveBack: (text) => app.edit(text),
      tour: () => app.lend(async () => (await import('./start-tour.ts')).startTour()),
      follow: async (store, reference) => {
        const { followOnStage } = await import('@robota-sdk/agent-screen');
        await followOnStage(store, reference, app);
      },
    };
    this.#services = services;
    for (const text of this.#bindings.problems) app.print({ kind: 'notice', level: 'warning', text });
    const opened = await openSession(services.options, services);
    if (opened === undefined) return this.end(2);
    if (opened === 'watched') return this.end(0);
    this.#follow(opened);
    await resumeAt(opened, this.#args);
    await this.#greet(opened);
  }

  /** Notifies the user of a question; the returned function is for its end. */
  #questionWaits(question: Question): () => void {
    const over = this.#app.notifier.questionWaits(question.title);
    const guided = this.#tour?.guide.asked(question);
    return () => {
      over();
      guided?.();
    };
  }

  /** `-r` alone lets the user choose; undefined if cancelled. */
  async #chosen(given: InteractiveSessionOptions): Promise<InteractiveSessionOptions | undefined> {
    const { store } = given;
    if (typeof store !== 'object' || !('open' in store) || store.open !== '') return given;
    const { openSessionPicker } = await import('@robota-sdk/agent-screen');
    const { keptFor } = await import('../open/open-session.ts');
    const kept = await keptFor(given);
    const chosen = await new Promise<{ readonly id: string } | undefined>((resolve) => {
      void openSessionPicker(this.#app, { kept, userHome: this.#host.home, onEnd: resolve });
    });
    return chosen && { ...given, store: { open: chosen.id } };
  }

  async #greet(session: InteractiveSession): Promise<void> {
    const app = this.#app;
    const { loadedFiles } = await import('../open/loaded-files.ts');
    app.printLoaded(loadedFiles(session));
    if (session.settings?.terminal.view === 'classic') {
      const { describeSkills } = await import('../open/describe-skills.ts');
      const text = describeSkills(session).trimEnd();
      if (text !== '') app.print({ kind: 'notice', level: 'info', text });
    }
    const { tellWarnings } = await import('../open/tell-warnings.ts');
    await tellWarnings(session, {
      others: this.#bindings.foreign,
      args: this.#args,
      cwd: session.place.cwd,
      say: (text) => app.print({ kind: 'notice', level: 'warning', text }),
    });
    if (this.#args.has('continue') || this.#args.has('resume')) await this.#showPast(session);
    app.show(session);
    if (this.#services)
      this.#tour?.guide.begin({ app, session, terminal: this.#services.terminal, end: () => this.end() });
    const first = this.#args.words.join(' ').trim();
    if (first !== '') app.enter(first);
    this.#resumeParked(session, { hasPrompt: first !== '' });
    settleLater(session);
  }

  #resumeParked(session: InteractiveSession, options: { readonly hasPrompt?: boolean } = {}): void {
    const tell = (text: string) => this.#app.print({ kind: 'notice', level: 'error', text });
    resumeParked(session, { ...options, tell, giveBack: (text) => this.#app.edit(text) });
  }

  /** The last messages of a resumed session. */
  async #showPast(session: InteractiveSession): Promise<void> {
    const { describeResumed, isNew, nothingToResume } = await import('../open/resumed-session.ts');
    const app = this.#app;
    const isNone = this.#args.has('continue') && isNew(session);
    await this.#replay(session);
    const { describeAge: age } = await import('@robota-sdk/agent-screen');
    const text = isNone ? nothingToResume : describeResumed(session, { age });
    app.print({ kind: 'notice', level: 'info', text });
  }

  /** Prints the last messages of a session as they looked when they were said. */
  async #replay(session: InteractiveSession): Promise<void> {
    const app = this.#app;
    const { lastItems } = await import('@robota-sdk/agent-sessions');
    const { items, isCut } = lastItems(session, resumedMessages);
    const earlier = session.getMessages().length - resumedMessages;
    if (isCut)
      app.print({
        kind: 'notice',
        level: 'info',
        text: `… ${earlier > 0 ? `${earlier} ` : ''}earlier messages · ctrl+o shows all`,
      });
    for (const item of items) app.print(item);
  }

  async #switch(request: SessionRequest): Promise<void> {
    const old = this.#session;
    if (!old || !this.#services) return;
    const { switchSession } = await import('../open/switch-session.ts');
    const next = await switchSession(old, request, this.#services);
    if (next === old) return;
    this.#follow(next);
    this.#app.show(next);
    this.#resumeParked(next);
    settleLater(next);
    await closeSession(old, this.#args, { isFollowed: true });
  }

  /** From now on this is the session; a title is written for it, unless it is recorded or replayed. */
  #follow(session: InteractiveSession): void {
    this.#stopTitle();
    this.#stopSharing();
    this.#session = session;
    const { record, replay, store, keep } = this.#services?.options ?? {};
    if (record !== undefined || replay !== undefined) return;
    if (store !== 'none' && keep !== false && !this.#tour) void this.#share(session);
    this.#stopTitle = titleSession(session);
  }

  async #share(session: InteractiveSession): Promise<void> {
    const { shareSession } = await import('@robota-sdk/agent-screen');
    if (this.#session !== session || !this.#questions) return;
    this.#stopSharing = shareSession(session, {
      questions: this.#questions,
      folder: userPaths(this.#host).links,
      release: () => this.#handOver(session),
    });
  }

  /** A browser took the session over: the terminal continues in a new one, with the draft as it is. */
  async #handOver(session: InteractiveSession): Promise<void> {
    const { id } = session;
    const text = `This session continues in robota web. Take it back with: /resume ${id}`;
    this.#app.print({ kind: 'notice', level: 'warning', text });
    await this.#switch({ to: 'new' });
    if (this.#session === session) throw new Error('The terminal could not release the session.');
  }

  async #wayBack(): Promise<string> {
    // The command of a tour says what is left of it.
    if (!this.#session || !this.#services || this.#tour) return '';
    try {
      const { wayBack } = await import('../open/way-back.ts');
      return (await wayBack(this.#session, this.#services.options)).trim();
    } catch (thrown) {
      return errorMessage(thrown);
    }
  }
}

/** Milliseconds from the open session to its first frame, at most. */
const settleMs = 100;

/** Once the session is in sight, returns the memory of the start to the system and prepares the next request. */
function settleLater(session: InteractiveSession): void {
  const settle = () => {
    settleMemory();
    // The request itself reports what is wrong with it.
    prepareRequest(session).catch(() => {});
  };
  setTimeout(settle, settleMs).unref();
}

async function familiar(command: string): Promise<string | undefined> {
  const found = (await import('../arguments/shell-rows.ts')).commandAdvice(command);
  return found === undefined ? undefined : `Unknown command /${command}. ${found}`;
}
