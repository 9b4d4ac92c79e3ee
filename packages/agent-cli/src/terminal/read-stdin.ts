import { isUtf8 } from 'node:buffer';
import { fstatSync } from 'node:fs';
import { AgentError } from '@robota-sdk/agent-sdk/front-end';

/** A program that starts us may leave a socket open and silent; a pipe of the shell always ends. As long as Claude Code. */
const silentSocketMs = 3_000;
const noticeAfterMs = 5_000;

/**
 * Reads what is piped in; nothing for a terminal or a closed input. With a prompt besides it, a caller that holds it open
 * without a word is waited for only so long, and told so.
 */
export async function readStdin(
  signal: AbortSignal,
  { hasPrompt }: { readonly hasPrompt: boolean } = { hasPrompt: false },
): Promise<string> {
  if (process.stdin.isTTY) return '';
  const kind = stdinKind();
  if (kind === 'none') return '';
  const chunks: Buffer[] = [];
  const stop = () => process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const giveUp = () => {
    const advice = 'End standard input, or start with < /dev/null';
    process.stderr.write(`robota: no standard input came in 3 s, so the prompt runs without it. ${advice}\n`);
    stop();
  };
  const silence = kind === 'socket' && hasPrompt ? setTimeout(giveUp, silentSocketMs) : undefined;
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
  return textOf(Buffer.concat(chunks));
}

/** Text in another encoding than UTF-8 is read as well as it can be; data that is no text is refused. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (!bytes.includes(0) || isUtf8(bytes)) return bytes.toString('utf8');
  throw new AgentError('usage', 'Standard input is binary data, not text.', {
    hint: 'Save it to a file, and name the file in the prompt: @FILE.',
  });
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
