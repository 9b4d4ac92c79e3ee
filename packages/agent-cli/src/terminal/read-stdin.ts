import { fstatSync } from 'node:fs';

/** A program that starts us may leave a socket open and silent; a pipe of the shell always ends. */
const silentSocketMs = 500;
const noticeAfterMs = 5_000;

/** Reads what is piped in; nothing for a terminal, a closed input, or a caller that holds it open without a word. */
export async function readStdin(signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) return '';
  const kind = stdinKind();
  if (kind === 'none') return '';
  const chunks: Buffer[] = [];
  const stop = () => process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const silence = kind === 'socket' ? setTimeout(stop, silentSocketMs) : undefined;
  const notice = setTimeout(() => {
    process.stderr.write('robota: waiting for standard input; end it, or start with < /dev/null\n');
  }, noticeAfterMs);
  notice.unref();
  process.stdin.once('data', () => {
    clearTimeout(silence);
    clearTimeout(notice);
  });
  try {
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  } catch {
    // A destroyed input is one that had nothing to say.
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(silence);
    clearTimeout(notice);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function stdinKind(): 'none' | 'socket' | 'stream' {
  try {
    const stat = fstatSync(0);
    if (stat.isSocket()) return 'socket';
    return stat.isFIFO() || stat.isFile() ? 'stream' : 'none';
  } catch {
    return 'none';
  }
}
