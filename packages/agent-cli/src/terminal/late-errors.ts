import { errorMessage, extensionFileIn } from '@robota-sdk/agent-sdk/front-end';
import { terminalOutput } from './terminal-output.ts';

/**
 * Errors that an extension throws after its call has returned have no handler: they are reported with the
 * file, and the session continues. Any other unhandled error is a bug and ends the program.
 */
export function watchLateErrors(): void {
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
}

/** Nothing is left to do and there is no result: something was promised that never comes. */
export function watchForNothingLeft(): void {
  process.once('beforeExit', () => {
    say(
      'ended without a result: a pending operation never completed. Check extensions and hooks, or use --no-extensions.',
    );
    process.exit(1);
  });
}

function tell(thrown: unknown): void {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const file = extensionFileIn(stack);
  if (file !== undefined) return say(`the extension ${file} failed: ${errorMessage(thrown)}`);
  say(errorMessage(thrown));
  if (process.env.ROBOTA_DEBUG) process.stderr.write(`${stack}\n`);
  process.exit(1);
}

function say(text: string): void {
  const { clean } = terminalOutput(process.stderr);
  process.stderr.write(clean(`robota: ${text}\n`));
}
