import type { ToolCallContent } from '../message/content.ts';
import type { Display } from '../message/display.ts';
import type { JsonObject } from '../shape/json.ts';
import type { Access } from './access.ts';

/** One of several answers to a question. */
export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
  /** What a bare yes or no means. */
  readonly means?: 'yes' | 'no';
  /** Who chooses it is asked for words with this. */
  readonly asks?: string;
  /** What stays on the screen once it is chosen, in the place of question and answer. */
  readonly done?: { readonly text: string; readonly isRefusal?: boolean };
}

/** The call that a question is about, for front ends that show more of it than words. */
export interface AskedCall {
  readonly call: ToolCallContent;
  readonly access: readonly Access[];
  /** What the call would do, as far as the tool can tell. */
  readonly display?: Display;
  /** Why it is asked, and the rules that would spare the question. */
  readonly reason: string;
  /** What makes it dangerous, one phrase each: a yes must not be the answer at hand. */
  readonly dangers?: readonly string[];
  readonly rules: readonly string[];
  /** How long the yes of each option holds, in the order of the options. */
  readonly holds: readonly ('once' | 'session' | 'project' | 'deny')[];
}

/** A question to the person. `detail` is shown in full above the choices. */
export type Question =
  | {
      readonly kind: 'select';
      readonly title: string;
      readonly detail?: string;
      readonly options: readonly QuestionOption[];
      readonly multiple?: boolean;
      /** What a person may type in the place of a choice; where nothing is said, only choices are answers. */
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
    }
  | {
      readonly kind: 'text';
      readonly title: string;
      readonly detail?: string;
      readonly masked?: boolean;
      /** What an empty answer means. */
      readonly fallback?: string;
      /** Set by a tool whose own result shows the answer. */
      readonly isShownByCall?: boolean;
    };

/** `unavailable`: there is nobody to ask; `dismissed`: the person declined to answer. */
export type Answer =
  /**
   * `text` without an index is what was typed in the place of a choice. `input` are the only arguments with which a call
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
}

/** The port to the person: questions and notices every front end can answer. */
export interface UserInterface {
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  notify(notice: Notice): void;
}

/** Nobody is there: every question is unavailable, notices vanish. */
export const silentInterface: UserInterface = {
  ask: async () => ({ kind: 'unavailable' }),
  notify: () => {},
};
