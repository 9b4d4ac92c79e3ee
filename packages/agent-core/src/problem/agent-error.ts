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
  | 'session-in-use'
  | 'stalled'
  | 'tool'
  | 'unknown-command'
  | 'unknown-model'
  | 'usage';

const brand = Symbol.for('robota.agent-error');

/** The one error class of the project: a code for programs, a message for people that says what to do next. */
export class AgentError extends Error {
  readonly code: AgentErrorCode;
  /** What else was noticed before it came to this, and would not be said otherwise. */
  readonly warnings: readonly string[];
  readonly [brand] = true;

  constructor(
    code: AgentErrorCode,
    message: string,
    options?: { cause?: unknown; warnings?: readonly string[] | undefined },
  ) {
    super(message, options && 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'AgentError';
    this.code = code;
    this.warnings = options?.warnings ?? [];
  }

  /** Recognises the class also when two copies of this package are loaded. */
  static is(value: unknown): value is AgentError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** The text of anything that was thrown. */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === 'string' ? thrown : String(thrown);
}

/** The text of anything that was thrown, with the warnings that came before it, for people. */
export function errorReport(thrown: unknown): string {
  const warnings = AgentError.is(thrown) ? (thrown.warnings ?? []) : [];
  return [errorMessage(thrown), ...warnings.map((warning) => `warning: ${warning}`)].join('\n');
}
