import { hearParent, tellParent } from './parent-line.ts';
import type { ImportedInterface } from './wasi-imports.ts';
import type { HostAnswer, HostRequest } from './worker-messages.ts';

/** The host functions of a plugin. The component and this process wait for each answer. */
export function hostImports({ print }: { print(text: string): void }): ImportedInterface {
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
