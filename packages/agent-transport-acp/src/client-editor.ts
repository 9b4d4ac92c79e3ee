import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { ReadTextFileResponse, TerminalHandle } from '@agentclientprotocol/sdk';
import {
  AgentError,
  type EditorCommand,
  type EditorCommandEnd,
  type EditorPort,
} from '@robota-sdk/agent-sdk/front-end';
import { endProcesses, processesOf } from './command-processes.ts';
import type { EditorClient, SessionChannel } from './session-channel.ts';
import type { SessionUpdates } from './session-updates.ts';
import { unlessAborted } from './unless-aborted.ts';

/** The editor's directory: as named, and with links resolved. */
export interface EditorPaths {
  readonly named: string;
  readonly real: string;
}

interface Attached {
  readonly channel: SessionChannel;
  readonly updates: SessionUpdates;
  /** Aborts when the prompt is cancelled that is running: an editor may never answer. */
  cancellation(): AbortSignal | undefined;
}

/** Output of a command beyond this is forgotten by the editor, the oldest first. */
const keptOutputBytes = 1024 * 1024;
/** How long a command that was killed may take to end. */
const killGraceMs = 2000;

/** Lends the files and the terminal of an editor to the tools of a session, as far as the editor offers them. */
export class ClientEditor {
  readonly port: EditorPort;
  readonly #client: EditorClient;
  readonly #place: EditorPaths;
  #attached: Attached | undefined;

  constructor(client: EditorClient, place: EditorPaths) {
    this.#client = client;
    this.#place = place;
    const { fs, terminal } = client.capabilities;
    this.port = {
      ...(fs?.readTextFile ? { readText: (path: string) => this.#read(path) } : {}),
      ...(fs?.writeTextFile ? { writeText: (path: string, text: string) => this.#write(path, text) } : {}),
      ...(terminal && process.platform !== 'win32'
        ? { runCommand: (command: EditorCommand, signal: AbortSignal) => this.#run(command, signal) }
        : {}),
    };
  }

  /** From now on the editor knows the session. */
  attach(attached: Attached): void {
    this.#attached = attached;
  }

  /** Nothing where the editor refuses, as it does with files outside of its project. */
  async #read(path: string): Promise<string | undefined> {
    if (!this.#attached) return undefined;
    const params = { sessionId: this.#attached.channel.sessionId, path: this.#named(path) };
    const asked = this.#client.context.request<ReadTextFileResponse>('fs/read_text_file', params);
    return this.#answered(
      `read ${path}`,
      asked.then(({ content }) => content),
    );
  }

  async #write(path: string, content: string): Promise<boolean> {
    if (!this.#attached) return false;
    const params = { sessionId: this.#attached.channel.sessionId, path: this.#named(path), content };
    const asked = this.#client.context.request('fs/write_text_file', params);
    const isWritten = await this.#answered(
      `write ${path}`,
      asked.then(() => true),
    );
    return isWritten ?? false;
  }

  /** Nothing where the editor refuses; what was interrupted fails, since it must not be done in another way. */
  async #answered<T>(what: string, asked: Promise<T>): Promise<T | undefined> {
    const signal = this.#attached?.cancellation();
    try {
      const answer = await unlessAborted(asked, signal);
      if (answer !== undefined || !signal?.aborted) return answer;
    } catch (thrown) {
      if (!signal?.aborted) return this.#refused(what, thrown);
    }
    throw new AgentError('tool', `It was interrupted before the editor answered whether it did ${what}.`);
  }

  #refused(what: string, thrown: unknown): undefined {
    this.#client.log(
      `The editor did not ${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
    return undefined;
  }

  /** An editor knows its files by the name of its directory, which may be a link. */
  #named(path: string): string {
    const { named, real } = this.#place;
    const inside = relative(real, path);
    return inside === '..' || inside.startsWith(`..${sep}`) ? path : join(named, inside);
  }

  async #run(command: EditorCommand, signal: AbortSignal): Promise<EditorCommandEnd | undefined> {
    if (!this.#attached) return undefined;
    const { channel, updates } = this.#attached;
    const directory = await mkdtemp(join(tmpdir(), 'robota-command-'));
    try {
      // Some editors start programs, others hand words to a shell: a file means the same to both.
      const script = join(directory, 'command.sh');
      await writeFile(script, scriptOf(command), { mode: 0o600 });
      const created = this.#client.context.createTerminal({
        sessionId: channel.sessionId,
        command: 'bash',
        args: [script],
        cwd: this.#named(command.cwd),
        env: addedVariables(command.env),
        outputByteLimit: keptOutputBytes,
      });
      const terminal = await unlessAborted(created, signal).catch((thrown: unknown) =>
        this.#refused('run a command', thrown),
      );
      if (!terminal && signal.aborted) return endLate(created, script);
      if (!terminal) return undefined;
      await updates.showTerminal(command.callId, terminal.id);
      return await endOf({ terminal, script }, signal).finally(() => terminal.release().catch(() => {}));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}

/** Removes variables of the editor's environment that a command must not see. */
function scriptOf({ command, env }: EditorCommand): string {
  const hidden = Object.keys(process.env).filter((name) => !(name in env) && /^[A-Za-z_]\w*$/.test(name));
  return `${hidden.length > 0 ? `unset ${hidden.join(' ')}\n` : ''}${command}\n`;
}

function addedVariables(env: EditorCommand['env']): { name: string; value: string }[] {
  return Object.entries(env).flatMap(([name, value]) =>
    process.env[name] === value ? [] : [{ name, value }],
  );
}

/** Ends a terminal that the editor opens after the call was aborted. */
function endLate(created: Promise<TerminalHandle>, script: string): EditorCommandEnd {
  void created
    .then((terminal) => kill({ terminal, script }).finally(() => terminal.release()))
    .catch(() => {});
  return { output: '', isCut: false, exitCode: null, signal: null };
}

/** The result for a terminal that does not answer. */
const unknown = { output: '', truncated: false };

interface RunningCommand {
  readonly terminal: TerminalHandle;
  readonly script: string;
}

/** An editor may end no more than the process that it started: what that one started is ended by us. */
async function kill({ terminal, script }: RunningCommand): Promise<void> {
  const processes = await processesOf(script);
  await unlessAborted(terminal.kill(), AbortSignal.timeout(killGraceMs)).catch(() => {});
  await endProcesses(processes);
}

async function endOf(running: RunningCommand, signal: AbortSignal): Promise<EditorCommandEnd> {
  const { terminal } = running;
  const killed = whenKilled(running, signal);
  try {
    const exit = await Promise.race([terminal.waitForExit(), killed.promise]);
    const { output, truncated } = (await Promise.race([terminal.currentOutput(), killed.promise])) ?? unknown;
    return { output, isCut: truncated, exitCode: exit?.exitCode ?? null, signal: exit?.signal ?? null };
  } finally {
    await killed.stop();
  }
}

/** Kills the command when the signal aborts; resolves where it does not end by that. */
function whenKilled(running: RunningCommand, signal: AbortSignal) {
  let begin = () => {};
  let timer: NodeJS.Timeout | undefined;
  let done: Promise<void> | undefined;
  const promise = new Promise<undefined>((resolve) => {
    begin = () => {
      done = kill(running);
      timer = setTimeout(() => resolve(undefined), killGraceMs);
    };
  });
  signal.addEventListener('abort', begin, { once: true });
  if (signal.aborted) begin();
  return {
    promise,
    stop: async () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, killGraceMs).unref())]);
    },
  };
}
