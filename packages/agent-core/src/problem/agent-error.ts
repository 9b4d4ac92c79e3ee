import { getSystemErrorMap } from 'node:util';
import type { RunOutcome } from '../message/run-outcome.ts';
import { fullOrReadOnly } from './disk-advice.ts';
import { orElse } from './or-else.ts';
import {
  describeHint,
  describeProblem,
  messageParts,
  type Problem,
  type ProblemDetails,
  type ProblemText,
} from './problem.ts';

/** Groups of codes, for programs that handle errors. */
export type AgentErrorKind =
  | 'usage'
  | 'setup'
  | 'provider'
  | 'limit'
  | 'run'
  | 'session'
  | 'aborted'
  | 'internal';

/** All error codes and their groups. */
const kinds = {
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
} as const satisfies Readonly<Record<string, AgentErrorKind>>;

/** An error code for programs. */
export type AgentErrorCode = keyof typeof kinds;

/** Codes of failures that may succeed on retry. */
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
  /** Problems found before the failure, reported only with it. */
  readonly problems?: readonly Problem[] | undefined;
  /** True if a retry may succeed. Default: depends on the code. */
  readonly retryable?: boolean | undefined;
  /** Partial result of the run that ended with this error. */
  readonly result?: PartialResult | undefined;
}

/** The part of a run's result that always exists. */
export type PartialResult = Pick<RunOutcome, 'status' | 'text' | 'turns' | 'usage' | 'cost'> & {
  readonly sessionId?: string;
};

const brand = Symbol.for('robota.agent-error');

/** The only error class: a code for programs, and a message for users with the fix. */
export class AgentError extends Error {
  readonly code: AgentErrorCode;
  readonly kind: AgentErrorKind;
  readonly retryable: boolean;
  /** The error as data, with text, source and hint separate. */
  readonly problem: Problem;
  /** Problems found before the failure, reported only with it. */
  readonly problems: readonly Problem[];
  readonly [brand] = true;

  constructor(code: AgentErrorCode, message: string | ProblemText, options: AgentErrorOptions = {}) {
    if (typeof code !== 'string' || !Object.hasOwn(kinds, code)) {
      const known = Object.keys(kinds).join(', ');
      throw new AgentError('usage', `new AgentError: unknown code. The codes are ${known}.`);
    }
    if (!orElse(() => typeof (typeof message === 'string' ? message : message.message) === 'string', false))
      throw new AgentError('usage', 'new AgentError: the message must be a text.');
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

  /** Also recognizes instances from another copy of this package. */
  static is(value: unknown): value is AgentError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** Stored outside the errors, so that printing one does not print a whole run. */
const results = new WeakMap<AgentError, PartialResult | undefined>();

/** The text of any thrown value; a failed call on a file is shown without its code and name. */
export function errorMessage(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown === 'string' ? thrown : String(thrown);
  const { errno, syscall = '', path } = thrown as NodeJS.ErrnoException;
  const known = errno === undefined || otherCalls.test(syscall) ? undefined : getSystemErrorMap().get(errno);
  if (known === undefined) return thrown.message;
  return path === undefined ? known[1] : `${known[1]}: ${path}`;
}

/** Their messages name an address or a program. */
const otherCalls = /^$|^(?:spawn|connect|listen|bind|getaddrinfo|kill|uv_)/;

/** Converts any thrown value to a problem; foreign ones have the code `internal` and no source. */
export function problemOf(thrown: unknown): Problem {
  if (AgentError.is(thrown)) return thrown.problem;
  return { code: 'internal', severity: 'error', message: errorMessage(thrown), hint: fullOrReadOnly(thrown) };
}

/** The text of any thrown value, with the problems found before it. */
export function errorReport(thrown: unknown, program?: string): string {
  const before = AgentError.is(thrown) ? thrown.problems : [];
  const warnings = before.map((problem) => `warning: ${describeProblem(problem, program)}`);
  return [describeProblem(problemOf(thrown), program), ...warnings].join('\n');
}
