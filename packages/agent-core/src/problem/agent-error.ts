import type { RunOutcome } from '../message/run-outcome.ts';
import { fullOrReadOnly } from './disk-advice.ts';
import {
  describeHint,
  describeProblem,
  messageParts,
  type Problem,
  type ProblemDetails,
  type ProblemText,
} from './problem.ts';

/** Everything that can go wrong, by the name a program can act on. */
export type AgentErrorCode =
  | 'aborted'
  | 'auth'
  | 'blocked'
  | 'budget'
  | 'certificate'
  | 'config'
  | 'context-overflow'
  | 'internal'
  | 'invalid-request'
  | 'max-cost'
  | 'max-time'
  | 'max-turns'
  | 'model-not-found'
  | 'network'
  | 'no-progress'
  | 'no-provider'
  | 'not-event-stream'
  | 'outside-workspace'
  | 'overloaded'
  | 'protocol'
  | 'quota'
  | 'rate-limit'
  | 'refusal'
  | 'replay'
  | 'refused-url'
  | 'schema'
  | 'server'
  | 'session'
  | 'session-closed'
  | 'session-in-use'
  | 'stalled'
  | 'tool'
  | 'unknown-command'
  | 'unknown-model'
  | 'unproven'
  | 'usage';

/** Groups of codes, for programs that decide what to do next. */
export type AgentErrorKind =
  | 'usage'
  | 'setup'
  | 'provider'
  | 'limit'
  | 'run'
  | 'session'
  | 'aborted'
  | 'internal';

const kinds: Readonly<Record<AgentErrorCode, AgentErrorKind>> = {
  aborted: 'aborted',
  auth: 'setup',
  blocked: 'run',
  budget: 'limit',
  certificate: 'setup',
  config: 'setup',
  'context-overflow': 'provider',
  internal: 'internal',
  'invalid-request': 'provider',
  'max-cost': 'limit',
  'max-time': 'limit',
  'max-turns': 'limit',
  'model-not-found': 'setup',
  network: 'provider',
  'no-progress': 'limit',
  'no-provider': 'setup',
  'not-event-stream': 'provider',
  'outside-workspace': 'usage',
  overloaded: 'provider',
  protocol: 'provider',
  quota: 'provider',
  'rate-limit': 'provider',
  refusal: 'provider',
  replay: 'session',
  'refused-url': 'setup',
  schema: 'run',
  server: 'provider',
  session: 'session',
  'session-closed': 'session',
  'session-in-use': 'session',
  stalled: 'provider',
  tool: 'run',
  'unknown-command': 'usage',
  'unknown-model': 'usage',
  unproven: 'run',
  usage: 'usage',
};

/** Codes of failures that may pass without a change. */
const transient: ReadonlySet<AgentErrorCode> = new Set([
  'network',
  'overloaded',
  'rate-limit',
  'server',
  'stalled',
  'session-in-use',
]);

export interface AgentErrorOptions extends ProblemDetails {
  readonly cause?: unknown;
  /** Problems noticed before it failed, which are reported only with it. */
  readonly problems?: readonly Problem[] | undefined;
  /** True if the same may succeed later; known from the code unless given. */
  readonly retryable?: boolean | undefined;
  /** Partial result of the run that ended with this error. */
  readonly result?: PartialResult | undefined;
}

/** The part of a run that exists however it ended. */
export type PartialResult = Pick<RunOutcome, 'status' | 'text' | 'turns' | 'usage' | 'cost'> & {
  readonly sessionId?: string;
};

const brand = Symbol.for('robota.agent-error');

/** The only error class: a code for programs, and a message for users with the fix. */
export class AgentError extends Error {
  readonly code: AgentErrorCode;
  readonly kind: AgentErrorKind;
  readonly retryable: boolean;
  /** The same as data: text, source and hint apart. */
  readonly problem: Problem;
  /** Problems noticed before it failed, which are reported only with it. */
  readonly problems: readonly Problem[];
  readonly [brand] = true;

  constructor(code: AgentErrorCode, message: string | ProblemText, options: AgentErrorOptions = {}) {
    const { cause, problems = [], retryable, result, ...details } = options;
    const problem: Problem = { ...details, code, severity: 'error', ...messageParts(message) };
    super(describeProblem(problem), 'cause' in options ? { cause } : {});
    // Programs recognise an interruption by this name.
    this.name = code === 'aborted' ? 'AbortError' : 'AgentError';
    this.code = code;
    this.kind = kinds[code];
    this.problem = problem;
    this.problems = problems;
    this.retryable = retryable ?? transient.has(code);
    results.set(this, result);
  }

  /** Advice for the user. */
  get hint(): string | undefined {
    return this.problem.hint === undefined ? undefined : describeHint(this.problem.hint);
  }

  /** Partial result of the run that ended with this error. */
  get result(): PartialResult | undefined {
    return results.get(this);
  }

  /** For programs in other processes; without the partial result. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { kind, code, message, hint, retryable } = this;
    return { kind, code, message, ...(hint === undefined ? {} : { hint }), retryable };
  }

  /** Recognises the class also when two copies of this package are loaded. */
  static is(value: unknown): value is AgentError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** Beside the errors, so that printing one does not print a whole run. */
const results = new WeakMap<AgentError, PartialResult | undefined>();

/** The text of anything that was thrown. */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === 'string' ? thrown : String(thrown);
}

/** Anything that was thrown as a problem; what is not ours has the code `internal` and no source. */
export function problemOf(thrown: unknown): Problem {
  if (AgentError.is(thrown)) return thrown.problem;
  return { code: 'internal', severity: 'error', message: errorMessage(thrown), hint: fullOrReadOnly(thrown) };
}

/** The text of anything that was thrown, with the problems that were noticed before it. */
export function errorReport(thrown: unknown, program?: string): string {
  const before = AgentError.is(thrown) ? thrown.problems : [];
  const warnings = before.map((problem) => `warning: ${describeProblem(problem, program)}`);
  return [describeProblem(problemOf(thrown), program), ...warnings].join('\n');
}
