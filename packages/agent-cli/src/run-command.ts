import { startCli } from './start-cli.ts';

/** Runs the command line and ends the process once every byte of output was taken. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const code = await startCli(argv);
  await Promise.all([drained(process.stdout), drained(process.stderr)]);
  process.exit(code);
}

/** A pipe with a slow reader still holds bytes when the run is over; exiting then would lose them. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.errored) return resolve();
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}
