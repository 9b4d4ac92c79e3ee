import { randomFillSync } from 'node:crypto';

/** The functions and classes of one interface, by the names that bindings give them. */
export type ImportedInterface = Readonly<Record<string, unknown>>;

export interface WasiOptions {
  /** Told of what the component prints. */
  print(text: string): void;
  readonly environment: readonly (readonly [name: string, value: string])[];
}

/**
 * The little of WASI that compilers put into every component: clocks, random numbers, output, variables that were granted.
 * There are no files and no sockets in it; what is not here is refused when it is called.
 */
export function wasiImports(options: WasiOptions): Readonly<Record<string, ImportedInterface>> {
  const { Pollable, InputStream, OutputStream, StreamError } = streamClasses(options);
  const stdout = () => new OutputStream();
  return {
    'wasi:cli/environment': {
      getEnvironment: () => options.environment.map((pair) => [...pair]),
      getArguments: () => [],
      initialCwd: () => undefined,
    },
    'wasi:cli/exit': { exit: leave, exitWithCode: leave },
    'wasi:cli/stdin': { getStdin: () => new InputStream() },
    'wasi:cli/stdout': { getStdout: stdout },
    'wasi:cli/stderr': { getStderr: stdout },
    'wasi:cli/terminal-input': { TerminalInput: class {} },
    'wasi:cli/terminal-output': { TerminalOutput: class {} },
    'wasi:cli/terminal-stdin': { getTerminalStdin: () => undefined },
    'wasi:cli/terminal-stdout': { getTerminalStdout: () => undefined },
    'wasi:cli/terminal-stderr': { getTerminalStderr: () => undefined },
    'wasi:clocks/monotonic-clock': {
      now: () => process.hrtime.bigint(),
      resolution: () => 1000n,
      subscribeDuration: (length: bigint) => new Pollable(process.hrtime.bigint() + length),
      subscribeInstant: (when: bigint) => new Pollable(when),
    },
    'wasi:clocks/wall-clock': { now: wallClock, resolution: () => ({ seconds: 0n, nanoseconds: 1_000_000 }) },
    'wasi:filesystem/preopens': { getDirectories: () => [] },
    'wasi:filesystem/types': { Descriptor: class {}, filesystemErrorCode: () => undefined },
    'wasi:io/error': { Error: StreamError },
    'wasi:io/poll': {
      Pollable,
      poll: (list: readonly InstanceType<typeof Pollable>[]) => {
        if (!list.some((each) => each.ready())) firstOf(list)?.block();
        return Uint32Array.from(list.flatMap((each, at) => (each.ready() ? [at] : [])));
      },
    },
    'wasi:io/streams': { InputStream, OutputStream },
    ...randomImports(),
  };
}

/** An unsupported interface: a component may import it, but calls fail. */
export function refusedInterface(name: string): ImportedInterface {
  const refuse = (member: string) =>
    function refused(): never {
      throw new Error(`it used ${name} (${member}), which plugins cannot use`);
    };
  return new Proxy({}, { get: (_, member) => (typeof member === 'string' ? refuse(member) : undefined) });
}

function leave(): never {
  throw new Error('it wanted to end the program');
}

function wallClock() {
  const now = Date.now();
  return { seconds: BigInt(Math.floor(now / 1000)), nanoseconds: (now % 1000) * 1_000_000 };
}

function firstOf<T extends { readonly when: bigint }>(list: readonly T[]): T | undefined {
  return [...list].sort((a, b) => (a.when < b.when ? -1 : 1))[0];
}

function streamClasses({ print }: WasiOptions) {
  class Pollable {
    readonly when: bigint;

    constructor(when = 0n) {
      this.when = when;
    }

    ready(): boolean {
      return process.hrtime.bigint() >= this.when;
    }

    block(): void {
      const nanoseconds = this.when - process.hrtime.bigint();
      if (nanoseconds > 0n)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(nanoseconds / 1_000_000n) + 1);
    }
  }

  class StreamError extends Error {
    toDebugString(): string {
      return this.message;
    }
  }

  class InputStream {
    read = atEnd;
    blockingRead = atEnd;
    skip = atEnd;
    blockingSkip = atEnd;

    subscribe(): Pollable {
      return new Pollable();
    }
  }

  class OutputStream {
    checkWrite(): bigint {
      return 65_536n;
    }

    write(bytes: Uint8Array): void {
      print(Buffer.from(bytes).toString('utf8'));
    }

    blockingWriteAndFlush(bytes: Uint8Array): void {
      this.write(bytes);
    }

    writeZeroes(): void {}
    blockingWriteZeroesAndFlush(): void {}
    flush(): void {}
    blockingFlush(): void {}

    splice(): bigint {
      return 0n;
    }

    blockingSplice(): bigint {
      return 0n;
    }

    subscribe(): Pollable {
      return new Pollable();
    }
  }
  return { Pollable, StreamError, InputStream, OutputStream };
}

/** Bindings take the `payload` of what is thrown for the error of the interface. */
function atEnd(): never {
  throw Object.assign(new Error('there is no input'), { payload: { tag: 'closed' } });
}

/** More at once is no use to anybody. */
const maxRandomBytes = 1024 * 1024;

function randomImports(): Readonly<Record<string, ImportedInterface>> {
  const bytes = (length: bigint) => {
    if (length > maxRandomBytes) throw new Error('it wanted too many random bytes at once');
    return randomFillSync(new Uint8Array(Number(length)));
  };
  const number = () => randomFillSync(new BigUint64Array(1))[0] ?? 0n;
  return {
    'wasi:random/random': { getRandomBytes: bytes, getRandomU64: number },
    'wasi:random/insecure': { getInsecureRandomBytes: bytes, getInsecureRandomU64: number },
    'wasi:random/insecure-seed': { insecureSeed: () => [number(), number()] },
  };
}
