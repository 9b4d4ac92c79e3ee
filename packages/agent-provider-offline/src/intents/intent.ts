import type { Plan } from '../engine/plan.ts';
import type { Captures } from '../language/pattern.ts';

/** The context of a plan, besides the text of its request. */
export interface IntentContext {
  readonly attached: readonly string[];
  readonly tools: ReadonlySet<string>;
}

/** A kind of request the model understands. */
export interface Intent {
  readonly name: string;
  /** Requests for the help text; every one of them is understood. */
  readonly examples: readonly string[];
  /** Templates of `compilePattern`, tried in order. */
  readonly patterns: readonly string[];
  plan(captures: Captures, context: IntentContext): Plan;
}
