import type { Message } from '@robota-sdk/agent-sdk/front-end';
import { deniedCommand, tourPrompts } from './tour-project.ts';

type ToolMessage = Extract<Message, { readonly role: 'tool' }>;

/** Something that may complete a stop. */
export type TourSignal =
  /** A run is over; these are the results of its calls. */
  | { readonly kind: 'run'; readonly results: readonly ToolMessage[] }
  /** A text that was entered is carried out. */
  | { readonly kind: 'entered'; readonly text: string }
  /** A full screen was closed. */
  | { readonly kind: 'closed' };

/** An explanation in one line, and what to press. */
export interface TourHint {
  readonly what: string;
  readonly press: string;
}

/** A stop of the tour. */
export interface TourStop extends TourHint {
  readonly title: string;
  /** The text in the editor; nothing where a key is to be pressed. */
  readonly prompt?: string;
  /** The explanation while the model works. */
  readonly during?: string;
  /** The hint while a question is open, by the tool it is about. */
  readonly asking?: Readonly<Record<string, TourHint>>;
  /** The hint while a list is open instead of the editor. */
  readonly choosing?: TourHint;
  /** Shown in place of `what` where the stop was not completed. */
  readonly again?: string;
  isDone(signal: TourSignal): boolean;
}

const sendIt = 'Press enter to send the prompt below.';

const editQuestion: TourHint = {
  what: 'The change is a diff. It is written only if you allow it; no rule does.',
  press: 'Press enter to allow it once, or choose another answer.',
};

/** The stops, in order. */
export const tourStops: readonly TourStop[] = [
  {
    title: 'Streaming',
    what: 'A small project with a failing test waits for you. Ask about it.',
    press: sendIt,
    prompt: tourPrompts.explain,
    during: 'The answer streams. The tests run unasked: a rule allows exactly this command.',
    isDone: (signal) => hasResult(signal, 'Bash', 'error'),
  },
  {
    title: 'A diff and its question',
    what: 'Robota ran a command and read a file. Reading needs no permission; writing does.',
    press: sendIt,
    prompt: tourPrompts.fix,
    during: 'The tests run again after the edit: first they failed, now they pass.',
    asking: { Edit: editQuestion },
    again: 'Nothing was written, because you did not allow it. Try again.',
    isDone: (signal) => hasResult(signal, 'Edit', 'success'),
  },
  {
    title: 'A denied command',
    what: `The tests pass. Now a limit: the settings of this tour deny ${deniedCommand}.`,
    press: sendIt,
    prompt: tourPrompts.push,
    during: 'Deny wins: no answer, mode or model can override the rule.',
    isDone: (signal) => hasResult(signal, 'Bash', 'denied'),
  },
  {
    title: 'Plan mode',
    what: 'Denied, and the rule is named. Next: in plan mode the model only reads.',
    press: 'Press enter to ask for a plan.',
    prompt: `/plan ${tourPrompts.plan}`,
    during: 'It reads first. Nothing is changed before you approve the plan.',
    asking: {
      ExitPlanMode: {
        what: 'This is the plan. You can approve it, comment on a step, or edit it.',
        press: 'Press enter to approve it and accept its edits.',
      },
      Edit: editQuestion,
    },
    again: 'The plan was not carried out. Ask for it again.',
    isDone: (signal) => hasResult(signal, 'Edit', 'success'),
  },
  {
    title: 'Rewind',
    what: 'The plan is carried out. Changed your mind? Each prompt has a checkpoint.',
    press: 'Press enter to list them.',
    prompt: '/rewind',
    choosing: {
      what: 'The last prompt changed two files. Going back restores them, and the chat.',
      press: 'Press enter twice: first the prompt, then what to restore.',
    },
    again: 'Nothing was rewound. Try again.',
    isDone: (signal) => signal.kind === 'entered' && /^\/rewind \d/.test(signal.text),
  },
  {
    title: 'Pager',
    what: 'The discount is gone, files and all; /rewind undo would bring it back.',
    press: 'Press ctrl+o for the whole conversation: scroll, / searches, q closes.',
    isDone: (signal) => signal.kind === 'closed',
  },
  {
    title: 'A new session',
    what: 'The pager has it all. The conversation is also on disk, as it happened.',
    press: 'Press enter to start another session.',
    prompt: '/new',
    isDone: (signal) => signal.kind === 'entered' && signal.text.trim() === '/new',
  },
  {
    title: 'The stored session',
    what: 'This session is empty. In a shell, robota -c or robota -r resumes the other.',
    press: 'Press enter to list the stored sessions.',
    prompt: '/resume',
    choosing: {
      what: 'The list has every session of this folder; typing searches their texts.',
      press: 'Press enter to resume the one you left.',
    },
    isDone: (signal) => signal.kind === 'entered' && /^\/resume ./.test(signal.text),
  },
];

function hasResult(signal: TourSignal, tool: string, status: ToolMessage['status']): boolean {
  if (signal.kind !== 'run') return false;
  return signal.results.some((result) => result.toolName === tool && result.status === status);
}
