import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { ImportedInterface } from './wasi-imports.ts';
import type { HostAnswer, HostRequest } from './worker-messages.ts';

export interface HostLine {
  readonly port: MessagePort;
  readonly answered: SharedArrayBuffer;
  /** Told of a line for the person. */
  print(text: string): void;
}

/** What a plugin imports of its host. The component waits for each answer, so this thread sleeps until it is there. */
export function hostImports({ port, answered, print }: HostLine): ImportedInterface {
  const count = new Int32Array(answered);
  const ask = (name: string, ...args: readonly unknown[]): unknown => {
    const before = Atomics.load(count, 0);
    port.postMessage({ name, args } satisfies HostRequest);
    Atomics.wait(count, 0, before);
    const answer = receiveMessageOnPort(port)?.message as HostAnswer | undefined;
    if (answer?.kind === 'value') return answer.value;
    // Bindings take the `payload` of what is thrown for the error of the interface.
    throw Object.assign(new Error('refused'), { payload: answer?.reason ?? 'the host gave no answer' });
  };
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
