import { spawn } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atExit, randomUuid } from '@robota-sdk/agent-sdk/front-end';

/** As long as the token in the address works. */
const keptMs = 60_000;

/**
 * Opens an address in the default browser. Other users can read the arguments of a process, so the browser is given a file
 * that only we can read and that leads to the address.
 */
export function openBrowser(
  address: string,
  { folder, onFailure }: { readonly folder: string; readonly onFailure: (text: string) => void },
): void {
  removeOld(folder);
  const file = join(folder, `open-${randomUuid()}.html`);
  const markup = `<!doctype html><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${address}">`;
  writeFileSync(file, markup, { mode: 0o600, flag: 'wx' });
  const remove = () => rmSync(file, { force: true });
  atExit(remove);
  setTimeout(remove, keptMs).unref();
  const [program, ...words] = opener();
  const child = spawn(String(program), [...words, pathToFileURL(file).href], {
    detached: true,
    stdio: 'ignore',
  });
  const advice = 'Open the address above in a browser.';
  child.on('error', () => onFailure(`No browser found: ${program} cannot be started. ${advice}`));
  child.on('exit', (code) => {
    if (code !== 0 && process.platform !== 'win32')
      onFailure(`${program} could not open a browser (exit code ${code ?? 'none'}). ${advice}`);
  });
  child.unref();
}

/** Removes the files of killed servers, whose tokens ended with them. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const isOld = (stats = statSync(file, { throwIfNoEntry: false })) =>
      stats !== undefined && Date.now() - stats.mtimeMs > keptMs;
    if (/^open-[\w-]+\.html$/.test(name) && isOld()) rmSync(file, { force: true });
  }
}

function opener(): readonly string[] {
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['explorer.exe'] : ['xdg-open'];
}
