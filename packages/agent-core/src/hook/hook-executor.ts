import type { JsonObject } from '../shape/json.ts';
import type { HookAnswer } from './hook-answer.ts';
import type { HookProcesses } from './hook-processes.ts';

/** A hook as a settings file describes it: its `type` names the executor, the rest is for the executor. */
export type HookDefinition = JsonObject & { readonly type: string };

/** One hook about to run. */
export interface HookCall {
  readonly definition: HookDefinition;
  /** The input of the hook: the fields of its event, in snake case. */
  readonly payload: JsonObject;
  readonly cwd: string;
  /** The environment of its processes, without provider keys. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborted when the run is interrupted or the hook's time is up. */
  readonly signal: AbortSignal;
  readonly processes: HookProcesses;
  /** Wraps a command line so that it runs in a sandbox. */
  readonly enclose?: ((argv: readonly string[]) => string[]) | undefined;
}

/** Runs hooks of one type. Throws if the hook could not be run or its answer is invalid. */
export interface HookExecutor {
  /** Default time limit in seconds. */
  readonly timeout: number;
  run(call: HookCall): Promise<HookAnswer>;
}

/** Executors by the `type` of a hook. */
export type HookExecutors = Readonly<Record<string, HookExecutor>>;
