import { execFile } from 'node:child_process';
import { findProgram, isSingleExecutable } from '@robota-sdk/agent-core';

/** The line of a syntax error in a module, which Node reports only when it checks the file. Runs nothing of it. */
export async function syntaxLine(path: string, message: string): Promise<string | undefined> {
  const node = isSingleExecutable() ? findProgram('node') : process.execPath;
  if (node === undefined) return undefined;
  const said = await new Promise<string>((resolve) => {
    const options = { env: {}, timeout: 5_000, windowsHide: true };
    execFile(node, ['--check', path], options, (_error, _stdout, stderr) => resolve(stderr));
  });
  const line = said.startsWith(`${path}:`) ? /^:(\d+)/.exec(said.slice(path.length))?.[1] : undefined;
  return said.includes(message) ? line : undefined;
}
