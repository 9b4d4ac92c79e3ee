import { whenTaken } from '@robota-sdk/agent-transport-headless';
import { startCli } from './start/start-cli.ts';
import { watchForNothingLeft, watchLateErrors } from './terminal/late-errors.ts';

/** Runs the command line and ends the process once every byte of output was taken. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  let failure: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error) => {
    failure ??= error;
  });
  watchLateErrors();
  watchForNothingLeft();
  const code = await startCli(argv);
  // A pipe with a slow reader still holds bytes when the run is over; exiting then would lose them.
  await Promise.all([whenTaken(process.stdout), whenTaken(process.stderr)]);
  // A reader that went away had enough; a disk that is full has not got what it should.
  if (failure === undefined || failure.code === 'EPIPE') process.exit(code);
  process.stderr.write(`robota: the output could not be written: ${failure.message}\n`);
  process.exit(code === 0 ? 1 : code);
}
