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
  /** The meaning of a bare yes or no. */
  readonly means?: 'yes' | 'no';
  /** The prompt for text after this choice. */
  readonly asks?: string;
  /** Shown after it is chosen, instead of question and answer; nothing if the text is empty. */
  readonly done?: { readonly text: string; readonly isRefusal?: boolean };
}

/** A single command of a line that runs several. */
export interface AskedCommand {
  /** Its words, without redirections. */
  readonly text: string;
  readonly isAllowed: boolean;
  /** The rule that allows it or wants it to be asked about; absent where only the mode or its effect decides. */
  readonly rule?: string;
  /** Those of the question's rules that would allow it. */
  readonly needs?: readonly string[];
}

/** The call that a question is about, for front ends that show more of it than words. */
export interface AskedCall {
  readonly call: ToolCallContent;
  readonly access: readonly Access[];
  /** The effect of the call, as far as the tool knows. */
  readonly display?: Display;
  /** The interpreter of a command that is nothing but a script for it. */
  readonly program?: string;
  /** Why it is asked, and the rules that would spare the question. */
  readonly reason: string;
  /** The dangerous parts: a yes must not be the default. */
  readonly dangers?: readonly Risk[];
  /** Parts that are worth a look, such as use of the network. */
  readonly cautions?: readonly Risk[];
  readonly rules: readonly string[];
  /** The commands of a line that runs several, in order. */
  readonly commands?: readonly AskedCommand[];
  /** The permission mode that a yes for the session switches to, instead of adding the rules. */
  readonly sessionMode?: PermissionMode;
  /** How many other calls wait for an answer. */
  readonly waiting?: number;
  /** How many calls of the same message were asked about before. */
  readonly asked?: number;
  /** How long the yes of each option holds, in the order of the options. */
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
      /** Names the answer in the line that stays; the title unless given. */
      readonly trail?: string;
      /** The word for dismissing it; `cancel` unless given. */
      readonly dismissal?: string;
      readonly options: readonly QuestionOption[];
      readonly multiple?: boolean;
      /** Label for a typed answer; without it, only choices are answers. */
      readonly words?: string;
      /** Set where a yes lets a call run. */
      readonly about?: AskedCall;
      /** Set by a tool whose own result shows the answer. */
      readonly isShownByCall?: boolean;
    }
  | {
      readonly kind: 'confirm';
      readonly title: string;
      readonly detail?: string;
      /** A yes loses something: No is the answer that is selected first. */
      readonly prefersNo?: boolean;
      /** Set by a command whose own answer says what was chosen. */
      readonly isShownByCall?: boolean;
    }
  | {
      readonly kind: 'text';
      readonly title: string;
      readonly detail?: string;
      /** Names the answer in the line that stays; the title unless given. */
      readonly trail?: string;
      readonly masked?: boolean;
      /** The meaning of an empty answer. */
      readonly fallback?: string;
      /** Set by a tool whose own result shows the answer. */
      readonly isShownByCall?: boolean;
    };

/** `unavailable`: no user is present; `dismissed`: the user declined to answer. */
export type Answer =
  /**
   * `text` without an index is what was typed instead of a choice. `input` are the only arguments with which a call
   * may run, where they are others than it has.
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
      readonly kind: 'unavailable' /** Why no answer can be had, in a sentence. */;
      readonly reason?: string;
    };

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** The problem that the text describes. */
  readonly problem?: Problem;
}

/** A problem as a notice. */
export function problemNotice(problem: Problem): Notice {
  return { level: problem.severity, text: describeProblem(problem), problem };
}

/** The port to the user: questions and notices that every front end supports. */
export interface UserInterface {
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  notify(notice: Notice): void;
}

/** No user: every question is unavailable, notices are dropped. */
export const silentInterface: UserInterface = {
  ask: async () => ({ kind: 'unavailable' }),
  notify: () => {},
};
