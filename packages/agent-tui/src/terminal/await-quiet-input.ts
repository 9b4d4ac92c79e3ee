import type { ReadStream } from 'node:tty';

const quietMs = 50;
const patienceMs = 1000;
const escapeCode = '\x1b';
const deviceAttributes = new RegExp(`${escapeCode}\\[\\?[\\d;]*c`);

/** True if some input has a terminal's answer about what it is. */
export function hasDeviceAttributes(bytes: Uint8Array): boolean {
  return deviceAttributes.test(Buffer.from(bytes).toString('latin1'));
}

/**
 * Takes what was still typed for this program, such as the release of the key that ended it, so that it does not reach
 * the shell. A terminal that is known to answer is asked, and everything before its answer was meant for us; of another
 * one (no `ask`) it is enough that nothing came for a moment, since a late answer would reach the shell itself.
 */
export async function awaitQuietInput(stdin: ReadStream, ask?: (query: string) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    let received = '';
    const wait = ask ? patienceMs : quietMs;
    let quiet = setTimeout(() => finish(), wait);
    const patience = setTimeout(() => finish(), patienceMs);
    const take = (bytes: Buffer) => {
      received = (received + bytes.toString('latin1')).slice(-64);
      if (deviceAttributes.test(received)) return finish();
      clearTimeout(quiet);
      quiet = setTimeout(finish, wait);
    };
    const finish = () => {
      clearTimeout(patience);
      clearTimeout(quiet);
      stdin.off('data', take);
      stdin.off('end', finish);
      resolve();
    };
    stdin.on('data', take);
    stdin.on('end', finish);
    ask?.(`${escapeCode}[c`);
  });
}
