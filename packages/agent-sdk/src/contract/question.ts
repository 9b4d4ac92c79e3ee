import type { ToolCallContent } from '@robota-sdk/agent-core';

/** One answer that a question offers. */
export interface QuestionChoice {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
}

/** A question to the user of a program. A permission question has the choices `once`, `session`, `project` and `deny`. */
export interface Question {
  readonly id: string;
  readonly kind: 'permission' | 'select' | 'confirm' | 'text';
  readonly title: string;
  readonly detail?: string;
  readonly choices: readonly QuestionChoice[];
  /** True if several choices may be selected. */
  readonly multiple?: boolean;
  /** The call of a permission question, and why it is asked. */
  readonly call?: ToolCallContent;
  readonly reason?: string;
  /** Reasons to be careful, one phrase each. */
  readonly dangers?: readonly string[];
}

/** An answer: choices by their ids, a text, or a refusal to answer. */
export type Answer =
  | { readonly choice: string | readonly string[]; readonly text?: string }
  | { readonly text: string }
  | { readonly dismissed: true };
