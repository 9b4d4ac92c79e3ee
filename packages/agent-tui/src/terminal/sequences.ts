import type { Capabilities } from './capabilities.ts';

const stringEnd = '\x1b\\';

/** The sequence that sets the window title. */
export function titleSequence(title: string): string {
  return `\x1b]0;${harmless(title)}${stringEnd}`;
}

/** How far something is: a share of 100, an error, a standstill, something without a measure, or nothing any more. */
export type Progress =
  | { readonly state: 'none' | 'indeterminate' }
  | { readonly state: 'normal' | 'error' | 'paused'; readonly percent: number };

const progressCodes = { none: 0, normal: 1, error: 2, indeterminate: 3, paused: 4 } as const;

/** The sequence that shows progress in the tab or the task bar. */
export function progressSequence(progress: Progress): string {
  const percent = 'percent' in progress ? Math.max(0, Math.min(100, Math.round(progress.percent))) : 0;
  return `\x1b]9;4;${progressCodes[progress.state]};${percent}${stringEnd}`;
}

/** A notification for a user who is looking elsewhere. */
export interface Notification {
  readonly title: string;
  readonly body: string;
}

/** The sequence that shows a notification in the terminal's way; a bell if it has none. */
export function notificationSequence(
  notification: Notification,
  { notification: kind, multiplexer }: Pick<Capabilities, 'notification' | 'multiplexer'>,
): string {
  const title = harmless(notification.title).replaceAll(';', ',');
  const body = harmless(notification.body);
  switch (kind) {
    case 'osc9':
      return passThrough(`\x1b]9;${title}: ${body}${stringEnd}`, multiplexer);
    case 'osc777':
      return passThrough(`\x1b]777;notify;${title};${body.replaceAll(';', ',')}${stringEnd}`, multiplexer);
    case 'osc99': {
      const parts = `\x1b]99;i=1:d=0;${title}${stringEnd}\x1b]99;i=1:p=body;${body}${stringEnd}`;
      return passThrough(parts, multiplexer);
    }
    case 'bell':
      return '\x07';
  }
}

/** The sequence that copies a text to the clipboard of the terminal's machine, also over SSH and out of tmux. */
export function clipboardSequence(text: string, { multiplexer }: Pick<Capabilities, 'multiplexer'>): string {
  const sequence = `\x1b]52;c;${Buffer.from(text, 'utf8').toString('base64')}${stringEnd}`;
  // tmux takes it itself or lets it through, depending on its settings.
  return multiplexer === 'tmux'
    ? sequence + passThrough(sequence, 'tmux')
    : passThrough(sequence, multiplexer);
}

/** A text that leads to an address where the terminal knows links. */
export function linkSequence(text: string, address: string): string {
  return `\x1b]8;;${harmless(address)}${stringEnd}${text}\x1b]8;;${stringEnd}`;
}

/** Marks by which a terminal jumps from prompt to prompt: the prompt, what was entered, its output, and the end. */
export const promptMarks = {
  promptStart: `\x1b]133;A${stringEnd}`,
  inputStart: `\x1b]133;B${stringEnd}`,
  outputStart: `\x1b]133;C${stringEnd}`,
  outputEnd: `\x1b]133;D${stringEnd}`,
} as const;

/** Wraps a sequence so that a multiplexer hands it on to the terminal around it. */
function passThrough(sequence: string, multiplexer: Capabilities['multiplexer']): string {
  if (multiplexer === 'tmux') return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}${stringEnd}`;
  if (multiplexer !== 'screen') return sequence;
  // GNU screen ends at the first terminator, and takes no more than 768 characters at once.
  const parts = sequence.replaceAll(stringEnd, '\x07').match(/[\s\S]{1,700}/g) ?? [];
  return parts.map((part) => `\x1bP${part}${stringEnd}`).join('');
}

/** A text without characters that could end its sequence. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
}
