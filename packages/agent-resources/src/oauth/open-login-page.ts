import { spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { findProgram, helperEnvironment } from '@robota-sdk/agent-core';

/** Opens a page in the browser; returns false if this machine has none. */
export function openLoginPage(page: URL, env: Readonly<Record<string, string | undefined>>): boolean {
  const program = programFor(env);
  if (program === undefined) return false;
  const [command = '', ...words] = program;
  const file = isAbsolute(command) ? command : findProgram(command, { env });
  if (file === undefined) return false;
  const options = { stdio: 'ignore', detached: true, env: helperEnvironment({ env }) } as const;
  const child = spawn(file, [...words, page.href], options);
  // The address is shown as well.
  child.on('error', () => {});
  child.unref();
  return true;
}

function programFor(env: Readonly<Record<string, string | undefined>>): readonly string[] | undefined {
  if (env.BROWSER) return [env.BROWSER];
  if (env.SSH_CONNECTION || env.SSH_TTY) return undefined;
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
