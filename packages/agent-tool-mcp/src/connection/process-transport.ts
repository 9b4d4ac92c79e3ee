import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/client';
import {
  AgentError,
  either,
  exactly,
  type GroupWatchdog,
  groupOptions,
  guard,
  guarded,
  type HookProcesses,
  isProgram,
  number,
  object,
  parseJson,
  programWords,
  type Shape,
  startGroupWatchdog,
  text,
} from '@robota-sdk/agent-core';
import type { McpEnclosure } from '../contract/mcp-servers-options.ts';
import { maxMessageBytes, messageTooLarge } from './message-limit.ts';
import { OutputLineReader, type OversizeLine } from './output-line-reader.ts';

export interface ProcessTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Follows the processes, so that none outlives the session. */
  readonly processes: HookProcesses;
  /** The sandbox of the process; created at each start. */
  enclose?(): Promise<McpEnclosure | undefined>;
}

/** Keeps `cmd` from starting a program of the project that has the name of the server's. */
const searchVariables = process.platform === 'win32' ? { NoDefaultCurrentDirectoryInExePath: '1' } : {};

type TrackedProcess = ReturnType<HookProcesses['track']>;

const tailLength = 4000;
/** How long output may still come from a server that has ended. */
const outputGraceMs = 250;

/**
 * Talks to a server over its standard input and output. The server leads a process group that ends with the
 * session, even after a crash. Output that is no message is kept as a hint.
 */
export class ProcessTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #options: ProcessTransportOptions;
  readonly #stderr = new TextTail(tailLength);
  #started: Promise<void> | undefined;
  #child: ChildProcessWithoutNullStreams | undefined;
  #process: TrackedProcess | undefined;
  #enclosure: McpEnclosure | undefined;
  #rubbish: string | undefined;
  #end: string | undefined;
  #isClosed = false;
  /** We end it ourselves, which is no reason for anything. */
  #isEnding = false;

  constructor(options: ProcessTransportOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get stderrTail(): string {
    return this.#stderr.text;
  }

  /** The first line on standard output that was no message. */
  get rubbish(): string | undefined {
    return this.#rubbish;
  }

  /** How the server ended by itself, such as "ended with code 1". */
  get end(): string | undefined {
    return this.#end;
  }

  /** Starts the server; a second time does nothing. */
  start(): Promise<void> {
    this.#started ??= this.#spawn();
    return this.#started;
  }

  async #spawn(): Promise<void> {
    const [{ spawn }, watchdog] = await Promise.all([import('node:child_process'), startGroupWatchdog()]);
    if (this.#isClosed) throw new Error('closed before it was started');
    this.#enclosure = await this.#options.enclose?.();
    if (this.#isClosed) {
      this.#enclosure?.end();
      throw new Error('closed before it was started');
    }
    const [file = '', ...args] = programWords(this.#commandLine(watchdog));
    const child = spawn(file, args, {
      cwd: this.#options.cwd,
      env: { ...this.#options.env, ...this.#enclosure?.env, ...searchVariables },
      ...groupOptions(),
      windowsVerbatimArguments: true,
      stdio: ['pipe', 'pipe', 'pipe', ...(watchdog ? [watchdog.channel] : [])],
    }) as ChildProcessWithoutNullStreams;
    const { pid } = child;
    if (pid === undefined) throw await new Promise<Error>((resolve) => child.once('error', resolve));
    this.#child = child;
    const letGo = watchdog?.guard(pid);
    this.#process = this.#options.processes.track(Object.assign(child, { pid }), letGo);
    this.#listen(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable || this.#isClosed) throw new Error(this.#end ?? 'not running');
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        stdin.off('drain', done).off('close', done);
        resolve();
      };
      stdin.on('drain', done).on('close', done);
    });
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    this.#child?.stdin.end();
    await this.#process?.terminate();
    if (this.#process) this.#options.processes.release(this.#process);
    this.#closed();
  }

  /** An idle server must not keep this process alive. */
  unref(): void {
    const { stdin, stdout, stderr } = this.#child ?? {};
    this.#child?.unref();
    for (const stream of [stdin, stdout, stderr]) (stream as { unref?: () => void } | undefined)?.unref?.();
  }

  #commandLine(watchdog: GroupWatchdog | undefined): readonly string[] {
    const { command, args } = this.#options;
    if (!watchdog && !this.#enclosure) return [command, ...args];
    const program = programOf(this.#options);
    if (program === undefined) throw new AgentError('config', notFound(command));
    const argv = this.#enclosure?.wrap([program, ...args]) ?? [program, ...args];
    return watchdog ? guarded(argv) : argv;
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const reader = new OutputLineReader({
      maxBytes: maxMessageBytes,
      onLine: (line) => this.#receive(line),
      onOversize: (line) => this.#refuse(line),
      onEndless: () => this.#process?.kill(),
    });
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    const drained = new Promise<void>((resolve) => child.stdout.once('close', resolve));
    child.once('exit', (code, signal) => {
      if (!this.#isEnding)
        this.#end ??= signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
      // Orphaned children may hold its output open forever.
      const timer = setTimeout(() => this.#closed(), outputGraceMs);
      void drained.then(() => {
        clearTimeout(timer);
        this.#closed();
      });
    });
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#process?.kill();
    this.#enclosure?.end();
    this.onclose?.();
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    const message = messageOf(line);
    if (message) this.onmessage?.(message);
    else this.#rubbish ??= line.slice(0, 200);
  }

  /** Fails the call of an oversized answer; the server keeps running. */
  #refuse({ head, tail, bytes }: OversizeLine): void {
    const id = idIn(head) ?? idIn(tail);
    const message = messageTooLarge(bytes);
    if (id === undefined) return this.onerror?.(new Error(message));
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
  }
}

function messageOf(line: string): JSONRPCMessage | undefined {
  const value = parseJson(line);
  return isMessage(value) ? value : undefined;
}

/** The library checks the other fields. */
const isMessage = guard<JSONRPCMessage>(() => object({ jsonrpc: exactly('2.0') }));
const requestId: Shape<RequestId> = either(text, number);

function idIn(line: string): RequestId | undefined {
  const [, found] = /"id"\s*:\s*(\d+|"[^"\\]*")\s*[,}]/.exec(line) ?? [];
  return requestId.parse(parseJson(found ?? ''));
}

function notFound(command: string): string {
  return `the command "${command}" was not found; install it, or correct "command" in its configuration`;
}

/** The file that the command of a configuration means; undefined if there is none that can be run. */
function programOf({ command, cwd, env }: ProcessTransportOptions): string | undefined {
  if (isAbsolute(command) || command.includes('/')) {
    const path = resolve(cwd, command);
    return isProgram(path) ? path : undefined;
  }
  const directories = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => join(resolve(cwd, directory), command)).find(isProgram);
}

/** The end of a text that may be of any length. */
class TextTail {
  readonly #decoder = new StringDecoder('utf8');
  readonly #limit: number;
  #text = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    this.#text = (this.#text + this.#decoder.write(chunk)).slice(-this.#limit);
  }

  /** The kept text, without a partial first line. */
  get text(): string {
    const isCut = this.#text.length === this.#limit;
    const start = isCut ? this.#text.indexOf('\n') + 1 : 0;
    return this.#text.slice(start).trim();
  }
}
