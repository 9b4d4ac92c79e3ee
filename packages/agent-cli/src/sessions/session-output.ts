import { createRedactor, pluralize, type UnreadableSession } from '@robota-sdk/agent-sdk/front-end';
import { type Output, redactedOutput } from '@robota-sdk/agent-transport-headless';
import { terminalOutput } from '../terminal/terminal-output.ts';

interface Hidden {
  readonly elsewhere: number;
  readonly unreadable: readonly UnreadableSession[];
}

/** Text besides the answer, on standard error. */
interface Note {
  (text: string): Promise<void>;
  /** Says what a list or search left out, and how to see it. */
  hidden(hidden: Hidden): Promise<void>;
}

const shownUnreadable = 5;

/** The outputs of session commands, with keys redacted. */
export function sessionOutput(): { readonly stdout: Output; readonly note: Note } {
  const redact = createRedactor();
  const hide = (text: string) => redact(text) as string;
  const stdout = redactedOutput(terminalOutput(process.stdout), hide);
  const stderr = redactedOutput(terminalOutput(process.stderr), hide);
  const say = async (text: string) => {
    await stderr.say(text);
  };
  const hidden = async ({ elsewhere, unreadable }: Hidden) => {
    if (elsewhere > 0) await say(`${sessions(elsewhere)} of other directories: add --all.`);
    if (unreadable.length === 0) return;
    await say(`${sessions(unreadable.length)} can't be read:`);
    for (const { path, why } of unreadable.slice(0, shownUnreadable)) await say(`  ${path}: ${why}`);
    if (unreadable.length > shownUnreadable)
      await say(`  and ${unreadable.length - shownUnreadable} more; --json names them all.`);
  };
  return { stdout, note: Object.assign(say, { hidden }) };
}

function sessions(count: number): string {
  return pluralize(count, 'session');
}
