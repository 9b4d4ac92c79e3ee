import { statSync } from 'node:fs';
import { type JsonFile, readJsonFile } from '@robota-sdk/agent-config';
import { AgentError, isMissing } from '@robota-sdk/agent-core';

const maxBytes = 1024 * 1024;
const maxDepth = 64;

/** Reads a foreign JSON file within limits of size and depth. */
export async function readManifestFile(path: string): Promise<JsonFile | undefined> {
  // Most of these files are missing, and this check costs a fraction of an asynchronous read.
  if (isMissing(path)) return undefined;
  const info = statSync(path);
  if (!info.isFile()) throw new AgentError('config', `${path}: not a file.`);
  if (info.size > maxBytes)
    throw new AgentError(
      'config',
      `${path}: ${info.size} bytes are more than the ${maxBytes} such a file may have.`,
    );
  const file = await readJsonFile(path).catch((thrown: unknown) => {
    if (thrown instanceof RangeError) throw tooDeep(path);
    throw thrown;
  });
  if (file && isDeeper(file.value, maxDepth)) throw tooDeep(path);
  return file;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

function tooDeep(path: string): AgentError {
  return new AgentError('config', `${path}: its objects are nested more than ${maxDepth} levels deep.`);
}
