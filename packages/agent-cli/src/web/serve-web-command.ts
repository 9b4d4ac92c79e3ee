import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { spareMemory } from '@robota-sdk/agent-screen';
import {
  AgentError,
  errorMessage,
  processHost,
  type ReadOptions,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { refuseWords } from '../arguments/row-options.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { openBrowser } from './open-browser.ts';

type WebTarget = Parameters<typeof import('@robota-sdk/agent-web').serveWeb>[0]['target'];

/** The port of the browser where a socket is forwarded to, unless given. */
const socketPort = 7_870;

/** `robota web`: serves the page until it is interrupted. */
export async function serveWebCommand(options: ReadOptions): Promise<number> {
  refuseWords(options, 'robota web');
  const target = targetOf(options);
  spareMemory();
  const { serveWeb } = await import('@robota-sdk/agent-web');
  const stderr = terminalOutput(process.stderr);
  const say = (text: string) => void stderr.say(text);
  const interrupts = watchInterrupts();
  try {
    const host = await processHost();
    const log = (text: string) => say(`robota: ${text}`);
    const web = await serveWeb({
      target,
      host,
      cwd: process.cwd(),
      shell: options.has('shell'),
      log,
    });
    // Standard output has the address and nothing else, for programs.
    const print = () => {
      const address = web.createAddress();
      process.stdout.write(`${address}\n`);
      return address;
    };
    const address = print();
    if (options.has('open')) openBrowser(address, { folder: userPaths(host).web, onFailure: say });
    const stopReading = printOnEnter(print);
    say(adviceFor(target));
    if (!interrupts.signal.aborted)
      await new Promise((done) => interrupts.signal.addEventListener('abort', done, { once: true }));
    stopReading();
    await web.close();
    return interrupts.exitCode ?? 0;
  } finally {
    interrupts.stop();
  }
}

function adviceFor(target: WebTarget): string {
  const again = process.stdin.isTTY ? ' Enter prints a new one.' : '';
  const advice = `The address works once, within a minute.${again} Ctrl+C stops the server.`;
  if (target.kind !== 'socket') return advice;
  return `${advice}\nForward the socket to the browser: ssh -L ${target.port}:${target.path} HOST`;
}

/** A user at a terminal asks for another address by Enter. */
function printOnEnter(print: () => void): () => void {
  if (!process.stdin.isTTY) return () => {};
  process.stdin.on('data', print);
  return () => {
    process.stdin.off('data', print);
    process.stdin.pause();
  };
}

function targetOf(options: ReadOptions): WebTarget {
  const port = portOf(options);
  const socket = options.value('socket');
  const isLan = options.has('lan');
  if (isLan && options.has('shell'))
    throw new AgentError('usage', '--shell and --lan cannot be used together: no network may run commands.', {
      hint: 'Leave out one of them.',
    });
  if (isLan && socket !== undefined)
    throw new AgentError(
      'usage',
      '--lan and --socket cannot be used together: a socket is of this machine.',
      {
        hint: 'Leave out one of them.',
      },
    );
  if (!isLan && (options.has('cert') || options.has('key')))
    throw new AgentError('usage', '--cert and --key are for --lan.', {
      hint: 'Add --lan, or leave them out.',
    });
  if (isLan) return { kind: 'lan', port, cert: pemOf(options, 'cert'), key: pemOf(options, 'key') };
  if (socket === undefined) return { kind: 'loopback', port };
  if (process.platform === 'win32')
    throw new AgentError('usage', '--socket is not supported on Windows.', { hint: 'Leave it out.' });
  return { kind: 'socket', path: resolve(socket), port: port === 0 ? socketPort : port };
}

function portOf(options: ReadOptions): number {
  const given = options.value('port') ?? '0';
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port < 65_536) return port;
  throw new AgentError('usage', `--port ${given}: expected a number from 0 to 65535.`, {
    hint: 'Leave it out for a free port.',
  });
}

const needsPair = 'For example: robota web --lan --cert devbox.pem --key devbox-key.pem (docs/web.md)';

function pemOf(options: ReadOptions, name: 'cert' | 'key'): string {
  const file = options.value(name);
  if (file === undefined)
    throw new AgentError(
      'usage',
      '--lan needs --cert and --key: without TLS a network could read everything.',
      {
        hint: needsPair,
      },
    );
  try {
    return readFileSync(resolve(file), 'utf8');
  } catch (thrown) {
    throw new AgentError('usage', `--${name} ${file} cannot be read: ${errorMessage(thrown)}.`, {
      hint: 'Give the path of a PEM file.',
    });
  }
}
