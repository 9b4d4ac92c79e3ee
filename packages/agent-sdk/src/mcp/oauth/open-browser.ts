import { spawn } from 'node:child_process';

/** Opens a page in the person's browser; false where there is none on this machine. */
export function openBrowser(page: URL, env: Readonly<Record<string, string | undefined>>): boolean {
  const program = programFor(env);
  if (program === undefined) return false;
  const [command = '', ...words] = program;
  const child = spawn(command, [...words, page.href], { stdio: 'ignore', detached: true });
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
