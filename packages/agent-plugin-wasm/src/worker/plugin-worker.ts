import { hearParent, tellParent } from './parent-line.ts';
import { type ImportedInterface, refusedInterface, wasiImports } from './wasi-imports.ts';
import type {
  HostAnswer,
  HostRequest,
  WorkerAnswer,
  WorkerCall,
  WorkerMessage,
  WorkerStart,
} from './worker-messages.ts';

/** Maximum output of a call; the rest is dropped, so that it cannot flood the host. */
const maxPrinted = 64 * 1024;
/** Maximum length of the last output reported after a crash. */
const maxLastWords = 400;

type PluginFunction = (...args: readonly string[]) => unknown;
type Instance = Readonly<Record<string, Readonly<Record<string, PluginFunction>>>>;
type Instantiate = (
  getModule: (name: string) => Promise<unknown>,
  imports: Readonly<Record<string, ImportedInterface>>,
) => Promise<Instance>;

/** The types of Node leave it out. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };

/** One plugin at work: the component and nothing else runs in this process. */
class PluginWorker {
  readonly #start: WorkerStart;
  readonly #budget: TextBudget = { bytes: 0 };
  #printed = 0;
  #lastWords = '';
  #instance: Instance = {};

  constructor(start: WorkerStart) {
    this.#start = start;
  }

  async begin(): Promise<WorkerAnswer> {
    const { script, modules } = this.#start;
    this.#renew();
    try {
      globalThis.TextDecoder = limitedTextDecoder(this.#budget);
      const { instantiate } = (await import(
        `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`
      )) as { readonly instantiate: Instantiate };
      this.#instance = await instantiate(
        async (name) => WebAssembly.compile(bytesOf(modules, name)),
        this.#imports(),
      );
      return { kind: 'ready' };
    } catch (thrown) {
      return this.#broken(thrown);
    }
  }

  async run({ name, args }: WorkerCall): Promise<WorkerAnswer> {
    this.#renew();
    const prefix = name === 'selfTest' ? 'robota:plugin/self-check@' : 'robota:plugin/plugin@';
    const key = Object.keys(this.#instance).find((each) => each.startsWith(prefix)) ?? '';
    const called = this.#instance[key]?.[name];
    if (called === undefined) return { kind: 'failed', error: `it has no function ${name}` };
    try {
      return { kind: 'value', value: await called(...args) };
    } catch (thrown) {
      return isOwnError(thrown) ? { kind: 'failed', error: thrown.payload } : this.#broken(thrown);
    }
  }

  #renew(): void {
    this.#budget.bytes = this.#start.maxTextBytes;
    this.#printed = 0;
    this.#lastWords = '';
  }

  #imports(): Record<string, ImportedInterface> {
    const { imports, environment } = this.#start;
    const print = (text: string) => this.#print(text);
    const served: Record<string, ImportedInterface> = {
      ...wasiImports({ print, environment }),
      'robota:plugin/host': this.#countedApart(hostImports({ print })),
    };
    return Object.fromEntries(imports.map((name) => [name, served[name] ?? refusedInterface(name)]));
  }

  /** Requests to the host are limited per call, apart from the limit of results. */
  #countedApart(functions: ImportedInterface): ImportedInterface {
    const entries = Object.entries(functions).map(([name, served]) => {
      const counted = (...args: readonly unknown[]): unknown => {
        this.#budget.bytes = this.#start.maxTextBytes;
        return (served as (...given: readonly unknown[]) => unknown)(...args);
      };
      return [name, counted] as const;
    });
    return Object.fromEntries(entries);
  }

  #print(text: string): void {
    this.#lastWords = (this.#lastWords + text).slice(-maxLastWords);
    const rest = maxPrinted - this.#printed;
    if (rest <= 0 || text === '') return;
    this.#printed += text.length;
    tellParent({ kind: 'log', text: text.slice(0, rest) } satisfies WorkerMessage);
  }

  #broken(thrown: unknown): WorkerAnswer {
    const words = this.#lastWords.trim();
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { kind: 'broken', reason: words === '' ? reason : `${reason} (its last words: ${words})` };
  }
}

function bytesOf(modules: WorkerStart['modules'], name: string): Uint8Array {
  const bytes = modules.get(name);
  if (!bytes) throw new Error(`its module ${name} is missing`);
  return bytes;
}

/** Bindings throw what a plugin returned as its error. */
function isOwnError(thrown: unknown): thrown is { readonly payload: unknown } {
  return thrown instanceof Error && Object.hasOwn(thrown, 'payload');
}

const worker = new PluginWorker(hearParent() as WorkerStart);
tellParent(await worker.begin());
for (;;) tellParent(await worker.run(hearParent() as WorkerCall));

/** The host functions of a plugin. The component and this process wait for each answer. */
function hostImports({ print }: { print(text: string): void }): ImportedInterface {
  return {
    config: () => ask('config'),
    log: (text: string) => print(`${text}\n`),
    environment: (name: string) => ask('environment', name),
    readFile: (path: string) => ask('readFile', path),
    writeFile: (path: string, content: Uint8Array) => void ask('writeFile', path, content),
    listFiles: (path: string) => ask('listFiles', path),
    fetch: (request: unknown) => ask('fetch', request),
  };
}

function ask(name: string, ...args: readonly unknown[]): unknown {
  tellParent({ kind: 'ask', name, args } satisfies HostRequest);
  const answer = hearParent() as HostAnswer;
  if (answer.kind === 'value') return answer.value;
  // Bindings take the `payload` of what is thrown for the error of the interface.
  throw Object.assign(new Error('refused'), { payload: answer.reason });
}

/** The text a call may give back. */
interface TextBudget {
  bytes: number;
}

/**
 * A decoder that bindings use instead of the usual one: text that is no UTF-8, or more than a call may give back, is an
 * error before a string is made of it.
 */
function limitedTextDecoder(budget: TextBudget): typeof TextDecoder {
  return class extends TextDecoder {
    constructor(label?: string) {
      super(label, { fatal: true, ignoreBOM: true });
    }

    override decode(input: Uint8Array): string {
      budget.bytes -= input.byteLength;
      if (budget.bytes < 0) throw new Error('it returned more text than allowed');
      try {
        return super.decode(input);
      } catch {
        throw new Error('it returned text that is not UTF-8');
      }
    }
  } as typeof TextDecoder;
}
