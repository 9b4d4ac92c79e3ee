import { detectCapabilities } from '@robota-sdk/agent-tui';
import type { FleetConsole } from '../console/fleet-console.ts';
import type { FleetClient } from '../contract/client.ts';
import type { TaskRecord } from '../contract/task.ts';
import { ChangeLines } from './change-lines.ts';

/** Shows how the tasks of a run stand while it lasts. */
export interface FleetView {
  /** Shows the tasks as they are now. */
  update(tasks: readonly TaskRecord[]): void;
  /** Shows what is waited for, such as the start of the database; an empty text ends it. */
  status(text: string): void;
  /** Shows a line that stays. */
  say(line: string): void;
  close(): Promise<void>;
}

/** How a user ends a run: finish running tasks, stop them now, or leave them to a process in the background. */
export type RunEndChoice = 'finish' | 'stop' | 'detach';

export interface FleetViewOptions {
  readonly console: FleetConsole;
  /** Carries out what the user asks for; none for a task without a queue. */
  readonly client?: FleetClient;
  readonly database?: string | undefined;
  readonly jobs: number;
  /** A table where the terminal can show one, or a line of text or JSON for each change. */
  readonly format: 'table' | 'lines' | 'json';
  /** The user ends the run; asked for again, it has to end sooner. */
  onEnd(end: RunEndChoice): void;
}

/** A live table in a terminal that can show one, and a line for each change elsewhere. */
export async function openFleetView(options: FleetViewOptions): Promise<FleetView> {
  const { console, format } = options;
  const isLive =
    format === 'table' &&
    console.isInteractive &&
    console.columns !== undefined &&
    !detectCapabilities(console.env).isDumb;
  if (!isLive)
    return new ChangeLines({
      console,
      isJson: format === 'json',
      interruptNote: options.client ? 'Ending after the running tasks; Ctrl+C stops them now' : 'Stopping',
      onInterrupt: (count) => options.onEnd(count === 1 ? 'finish' : 'stop'),
    });
  const { openFleetScreen } = await import('./fleet-screen.ts');
  return openFleetScreen(options);
}
