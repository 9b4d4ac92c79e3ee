import { readFile } from 'node:fs/promises';
import { AgentError, findOptionalModule, isJsonObject, parseJson } from '@robota-sdk/agent-sdk/front-end';

const packageName = '@robota-sdk/agent-fleet';

type Fleet = typeof import('@robota-sdk/agent-fleet/command-line');

/**
 * Loads the optional package: nothing else does, and most users have no use for its database. A command that hands it
 * more than an address names its own version, with which it must fit.
 */
export async function loadFleet(command: string, version?: string): Promise<Fleet> {
  const module = findOptionalModule(`${packageName}/command-line`, { beside: import.meta.url });
  if (module === undefined)
    throw new AgentError('usage', `${command} needs the package ${packageName}, which is not installed.`, {
      hint: `Install it with: npm install -g ${packageName}`,
    });
  const installed = await versionOf(module);
  if (version !== undefined && series(installed) !== series(version))
    throw new AgentError('usage', `${packageName} ${installed} is not compatible with robota ${version}.`, {
      hint: `Install it with: npm install -g ${packageName}@${version}`,
    });
  return import(module) as Promise<Fleet>;
}

async function versionOf(module: string): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', module), 'utf8');
  const value = parseJson(manifest);
  return isJsonObject(value) ? String(value.version) : 'of an unknown version';
}

/** Releases of one series work together; before 1.0.0 each minor version is a series. */
function series(text: string): string {
  const [major = '', minor = ''] = text.split('.');
  return major === '0' ? `${major}.${minor}` : major;
}
