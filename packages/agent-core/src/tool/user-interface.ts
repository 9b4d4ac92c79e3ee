import type { Risk } from '@robota-sdk/agent-shell';
import type { ToolCallContent } from '../message/content.ts';
import type { Display } from '../message/display.ts';
import type { PermissionMode } from '../permission/policy/mode.ts';
import { describeProblem, type Problem } from '../problem/problem.ts';
import type { JsonObject } from '../shape/json.ts';
import type { Access } from './access.ts';

/** One of several answers to a question. */
export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
  /** An example of the choice, in the format that the front end asked for. */
  readonly preview?: string;
  /** The answer it stands for if the user types yes or no. */
  readonly means?: 'yes' | 'no';
  /** Asks for text after this choice, with this prompt. */
  readonly asks?: string;
  /** Shown after it is chosen, instead of question and answer; nothing if the text is empty. */
  readonly done?: { readonly text: string; readonly isRefusal?: boolean };
}

/** A single command of a line that runs several. */
export interface AskedCommand {
  /** Its words, without redirections. */
  readonly text: string;
  readonly isAllowed: boolean;
  /** The rule that allows it or requires asking; absent if only the mode or its effect decides. */
  readonly rule?: string;
  /** The question's rules that would allow it. */
  readonly needs?: readonly string[];
}

/** The call that a question is about, for front ends that show more than text. */
export interface AskedCall {
  readonly call: ToolCallContent;
  readonly access: readonly Access[];
  /** The effect of the call, as far as the tool knows. */
  readonly display?: Display;
  /** The interpreter of a command that only runs a script. */
  readonly program?: string;
  /** Why the user is asked, and the rules that would avoid the question. */
  readonly reason: string;
  /** The dangerous parts: allowing must not be the default. */
  readonly dangers?: readonly Risk[];
  /** Parts that deserve attention, such as network use. */
  readonly cautions?: readonly Risk[];
  readonly rules: readonly string[];
  /** The commands of a line that runs several, in order. */
  readonly commands?: readonly AskedCommand[];
  /** The permission mode that an approval for the session switches to, instead of adding the rules. */
  readonly sessionMode?: PermissionMode;
  /** How many other calls wait for an answer. */
  readonly waiting?: number;
  /** How many calls of the same message were already asked about. */
  readonly asked?: number;
  /** How long the approval of each option lasts, in the order of the options. */
  readonly holds: readonly ('once' | 'session' | 'project' | 'deny')[];
}

/** A question to the user. `detail` is shown in full above the choices. */
export type Question =
  | {
      readonly kind: 'select';
      readonly title: string;
      /** Shown beside the title: a position or a count. */
      readonly note?: string;
      readonly detail?: string;
      /** Label of the answer in the transcript. Default: the title. */
      readonly trail?: string;
      /** Label for dismissing it. Default: `cancel`. */
      readonly dismissal?: string;
      /** The line of the transcript if it is dismissed. */
      readonly dismissed?: QuestionOption['done'];
      readonly options: readonly QuestionOption[];
      readonly multiple?: boolean;
      /** Label for a typed answer; without it, only choices are answers. */
      readonly words?: string;
      /** Set if allowing it runs a call. */
      readonly about?: AskedCall;
      /** Set by a tool whose own result shows the answer. */
      readonly isShownByCall?: boolean;
      /** The call of the tool that asks. */
      readonly callId?: string;
    }
  | {
      readonly kind: 'confirm';
      readonly title: string;
      readonly detail?: string;
      /** Confirming loses something: No is selected first. */
      readonly prefersNo?: boolean;
      /** Set by a command whose own output shows the choice. */
      readonly isShownByCall?: boolean;
    }
  | {
      readonly kind: 'text';
      readonly title: string;
      readonly detail?: string;
      /** Label of the answer in the transcript. Default: the title. */
      readonly trail?: string;
      readonly masked?: boolean;
      /** The meaning of an empty answer. */
      readonly fallback?: string;
      /** Set by a tool whose own result shows the answer. */
      readonly isShownByCall?: boolean;
      /** The call of the tool that asks. */
      readonly callId?: string;
    };

/** `unavailable`: no user is present; `dismissed`: the user declined to answer. */
export type Answer =
  /**
   * `text` without an index was typed instead of a choice. With `input`, the call may run only with these arguments.
   */
  | {
      readonly kind: 'selected';
      readonly indexes: readonly number[];
      readonly text?: string;
      readonly input?: JsonObject;
    }
  | { readonly kind: 'confirmed'; readonly yes: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'dismissed' }
  | {
      readonly kind: 'unavailable' /** Why there can be no answer, in a sentence. */;
      readonly reason?: string;
    };

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** The problem that the text describes. */
  readonly problem?: Problem;
}

/** Converts a problem to a notice. */
export function problemNotice(problem: Problem): Notice {
  return { level: problem.severity, text: describeProblem(problem), problem };
}

/** Interface to the user: questions and notices that every front end supports. */
export interface UserInterface {
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  notify(notice: Notice): void;
}

/** No user: every question is unavailable, notices are dropped. */
export const silentInterface: UserInterface = {
  ask: async () => ({ kind: 'unavailable' }),
  notify: () => {},
};
