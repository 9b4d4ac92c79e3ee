import { Writable } from 'node:stream';

/** Keeps standard output for a protocol: whatever else is printed there, by an extension perhaps, goes to the log. */
export function protocolOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (bytes: Buffer, done: (error?: Error | null) => void) => boolean;
  stdout.write = stderr.write.bind(stderr);
  return new Writable({ write: (bytes: Buffer, _encoding, done) => void write(bytes, done) });
}
