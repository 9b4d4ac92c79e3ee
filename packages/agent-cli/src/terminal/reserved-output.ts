import { Writable } from 'node:stream';
import { EscapeFilter } from '@robota-sdk/agent-tui';

type Write = NodeJS.WriteStream['write'];

let own: Write | undefined;

/**
 * Keeps standard output for an answer or a protocol: whatever else is printed there, by an extension perhaps, goes to
 * standard error. Returns the function that ends it.
 */
export function reserveOutput(): () => void {
  const { stdout, stderr } = process;
  const before = { write: stdout.write, own };
  own = stdout.write.bind(stdout);
  const filter = new EscapeFilter();
  const clean = (text: string) => (stderr.isTTY ? filter.push(text) : text);
  const divert = (chunk: string | Uint8Array, ...more: readonly unknown[]): boolean => {
    const done = more.at(-1);
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return stderr.write(clean(text), typeof done === 'function' ? () => done() : undefined);
  };
  stdout.write = divert as Write;
  return () => {
    stdout.write = before.write;
    own = before.own;
  };
}

/** Writes to standard output while it is reserved; undefined otherwise. */
export function reservedWrite(): Write | undefined {
  return own;
}

/** Reserves standard output for a protocol, until the process ends. */
export function protocolOutput(): Writable {
  reserveOutput();
  const write = own as (bytes: Buffer, done: (error?: Error | null) => void) => boolean;
  return new Writable({ write: (bytes: Buffer, _encoding, done) => void write(bytes, done) });
}
