import { loadKeybindings } from '@robota-sdk/agent-screen';
import { processHost } from '@robota-sdk/agent-sdk/front-end';
import { type Capabilities, detectCapabilities } from '@robota-sdk/agent-tui';
import type { Arguments } from '../arguments/args.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { type GuidedTour, TuiRun } from './tui-run.ts';

/** A conversation in a terminal that can move its cursor: the prompt is painted at once, everything else comes after. */
export async function tuiMode(
  args: Arguments,
  capabilities: Capabilities,
  tour?: GuidedTour,
): Promise<number> {
  const interrupts = watchInterrupts();
  const host = await processHost();
  const bindings = await loadKeybindings(host);
  const run = new TuiRun(args, { capabilities, host, bindings, tour, hangUp: () => interrupts.hangUp() });
  interrupts.signal.addEventListener('abort', () => run.end());
  try {
    const code = await run.converse();
    return interrupts.exitCode ?? code;
  } finally {
    await run.close();
    interrupts.stop();
  }
}

/** The terminal's capabilities; undefined if it cannot move its cursor. */
export function tuiCapabilities(): Capabilities | undefined {
  const capabilities = detectCapabilities(process.env);
  return capabilities.isDumb ? undefined : capabilities;
}
