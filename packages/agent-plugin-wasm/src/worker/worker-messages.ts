/** The input of a worker: a transpiled component and its limits. */
export interface WorkerStart {
  /** The module that puts the component together, as text. */
  readonly script: string;
  /** Its core modules by the names that the script calls them. */
  readonly modules: ReadonlyMap<string, Uint8Array>;
  /** The interfaces the component imports. */
  readonly imports: readonly string[];
  /** Text that one call may give back, in bytes. */
  readonly maxTextBytes: number;
  /** Variables that were granted. */
  readonly environment: readonly (readonly [name: string, value: string])[];
}

/** A function of the plugin to be called. */
export interface WorkerCall {
  readonly name: 'name' | 'tools' | 'commands' | 'executeTool' | 'executeCommand' | 'selfTest';
  readonly args: readonly string[];
}

/** `failed`: the plugin said so itself; `broken`: it came to its end, and nothing more can be asked of it. */
export type WorkerAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'broken'; readonly reason: string };

/** A message of a worker: an answer, printed text, or a request to the host that it waits for. */
export type WorkerMessage = WorkerAnswer | { readonly kind: 'log'; readonly text: string } | HostRequest;

/** A request of the plugin to the host. */
export interface HostRequest {
  readonly kind: 'ask';
  readonly name: string;
  readonly args: readonly unknown[];
}

export type HostAnswer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly reason: string };
