import { spawn } from 'node:child_process';
import { findProgram, helperEnvironment } from '@robota-sdk/agent-sdk/front-end';
import type { ClipboardHost } from './clipboard-image.ts';

interface Writer {
  readonly command: string;
  readonly args: readonly string[];
  /** The bytes that the program expects; UTF-8 by default. */
  encode?(text: string): Buffer;
}

const patienceMs = 3000;

/** Puts a text into the clipboard of this machine with the program it has for that; false if none did. */
export async function writeClipboard(text: string, host: ClipboardHost): Promise<boolean> {
  for (const writer of writersOf(host)) if (await run(writer, text, host.env)) return true;
  return false;
}

function writersOf({ platform, env }: ClipboardHost): readonly Writer[] {
  const windows: Writer = {
    command: 'clip.exe',
    args: [],
    // Without the mark at its start the text would be read in the code page of the console.
    encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  };
  // Over SSH these programs would reach the clipboard of the other machine.
  const isRemote = Boolean(env['SSH_CONNECTION'] || env['SSH_TTY']);
  if (platform === 'win32') return isRemote ? [] : [windows];
  if (platform === 'darwin') return isRemote ? [] : [{ command: 'pbcopy', args: [] }];
  return [
    ...(env['WAYLAND_DISPLAY'] ? [{ command: 'wl-copy', args: [] }] : []),
    ...(env['DISPLAY']
      ? [
          { command: 'xclip', args: ['-selection', 'clipboard'] },
          { command: 'xsel', args: ['--clipboard', '--input'] },
        ]
      : []),
    ...(env['WSL_DISTRO_NAME'] && !isRemote ? [windows] : []),
  ];
}

/** Runs a program with the text as its input; true if it took it. */
function run({ command, args, encode }: Writer, text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const program = findProgram(command, { env });
  if (program === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    // Some of them stay, to hand the text out: nothing of theirs is waited for but their first process.
    const child = spawn(program, [...args], {
      env: helperEnvironment({ env }),
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: patienceMs,
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => {});
    child.stdin.end(encode ? encode(text) : text);
  });
}
