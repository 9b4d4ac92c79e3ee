import { execFile } from 'node:child_process';
import { findProgram, helperEnvironment } from '@robota-sdk/agent-sdk/front-end';

/** The machine whose clipboard is read. */
export interface ClipboardHost {
  readonly platform: string;
  readonly env: NodeJS.ProcessEnv;
}

/** An image from the clipboard, or the reason why there is none. */
export type ClipboardImage = { readonly data: Buffer } | 'empty' | { readonly problem: string };

interface Reader {
  readonly command: string;
  readonly args: readonly string[];
  /** Makes an image of what the command printed. */
  decode?(printed: Buffer): Buffer;
}

const largestImage = 32 * 1024 * 1024;
const patienceMs = 5_000;
const missing = 'ENOENT';

/** Reads an image from the clipboard with whatever program the machine has for that. */
export async function readClipboardImage(place: ClipboardHost): Promise<ClipboardImage> {
  const readers = readersOf(place);
  let isAnyThere = false;
  for (const reader of readers) {
    const printed = await run(reader, place.env);
    if (printed === missing) continue;
    isAnyThere = true;
    const data = printed === undefined ? undefined : decoded(reader, printed);
    if (data && data.length > 0) return { data };
  }
  if (isAnyThere) return 'empty';
  return { problem: `${adviceFor(place)} You can also type @ and the path of an image.` };
}

function readersOf({ platform, env }: ClipboardHost): readonly Reader[] {
  const windows: Reader = {
    command: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-Sta', '-Command', powershellScript],
    decode: (printed) => Buffer.from(printed.toString('latin1').trim(), 'base64'),
  };
  if (platform === 'win32') return [windows];
  if (platform === 'darwin')
    return [
      { command: 'pngpaste', args: ['-'] },
      { command: 'osascript', args: ['-e', 'get the clipboard as «class PNGf»'], decode: decodeAppleData },
    ];
  const wayland: Reader = { command: 'wl-paste', args: ['--no-newline', '--type', 'image/png'] };
  const x11: Reader = { command: 'xclip', args: ['-selection', 'clipboard', '-t', 'image/png', '-o'] };
  return [
    ...(env.WAYLAND_DISPLAY ? [wayland] : []),
    ...(env.DISPLAY ? [x11] : []),
    ...(env.WSL_DISTRO_NAME ? [windows] : []),
  ];
}

const powershellScript = [
  'Add-Type -AssemblyName System.Windows.Forms,System.Drawing',
  '$image = [System.Windows.Forms.Clipboard]::GetImage()',
  'if ($image -eq $null) { exit 1 }',
  '$stream = New-Object System.IO.MemoryStream',
  '$image.Save($stream, [System.Drawing.Imaging.ImageFormat]::Png)',
  '[Convert]::ToBase64String($stream.ToArray())',
].join('; ');

/** AppleScript prints `«data PNGf89504E…»`. */
function decodeAppleData(printed: Buffer): Buffer {
  const digits = /PNGf([0-9A-Fa-f]+)/.exec(printed.toString('latin1'))?.[1] ?? '';
  return Buffer.from(digits, 'hex');
}

function adviceFor({ platform, env }: ClipboardHost): string {
  if (platform === 'win32') return 'Pasting an image needs powershell.exe in the PATH.';
  if (platform === 'darwin') return 'Pasting an image needs osascript, or pngpaste (brew install pngpaste).';
  if (env.WAYLAND_DISPLAY) return 'Pasting an image needs wl-paste: install wl-clipboard.';
  if (env.DISPLAY) return 'Pasting an image needs xclip: install it.';
  return 'Cannot read images from the clipboard here (SSH?).';
}

function decoded({ decode }: Reader, printed: Buffer): Buffer {
  return decode ? decode(printed) : printed;
}

/** The output of a program; undefined if it fails. */
function run(
  { command, args }: Reader,
  env: NodeJS.ProcessEnv,
): Promise<Buffer | typeof missing | undefined> {
  return new Promise((resolve) => {
    const program = findProgram(command, { env });
    if (program === undefined) return resolve(missing);
    const options = {
      env: helperEnvironment({ env }),
      encoding: 'buffer',
      maxBuffer: largestImage,
      timeout: patienceMs,
    } as const;
    execFile(program, args, options, (error, printed) => {
      if (error?.code === missing) return resolve(missing);
      resolve(error ? undefined : printed);
    }).stdin?.end();
  });
}
