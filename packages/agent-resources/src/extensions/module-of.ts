import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readProjectFile } from '@robota-sdk/agent-config';
import { isJsonObject, isMissing, isWithin, type JsonValue, orElse, parseJson } from '@robota-sdk/agent-core';

const extensionFile = /^(?!\.).*(?<!\.d)(?<!\.test)\.(?:js|mjs|ts|mts)$/;
const indexNames = ['index.js', 'index.mjs', 'index.ts', 'index.mts'];

/** The module of an entry in a folder of extensions; undefined if the entry is not one. */
export async function moduleOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return extensionFile.test(basename(path)) ? path : undefined;
  if (!found?.isDirectory() || /^\.|^node_modules$/.test(basename(path))) return undefined;
  const named = namedModule(path);
  const candidates = [...(named === undefined ? [] : [named]), ...indexNames.map((name) => join(path, name))];
  return candidates.find((candidate) => isWithin(path, candidate) && !isMissing(candidate));
}

/** The entry point in `package.json`. */
function namedModule(folder: string): string | undefined {
  const written = orElse(() => readProjectFile(join(folder, 'package.json'), undefined), '');
  const manifest = parseJson(written);
  if (!isJsonObject(manifest)) return undefined;
  const name = exported(manifest.exports) ?? textIn(manifest.module) ?? textIn(manifest.main);
  return name === undefined ? undefined : join(folder, name);
}

const conditions = ['.', 'node', 'import', 'module-sync', 'default', 'require'];

function exported(exports: JsonValue | undefined): string | undefined {
  if (typeof exports === 'string') return exports;
  if (Array.isArray(exports)) return exports.map(exported).find((name) => name !== undefined);
  if (!isJsonObject(exports)) return undefined;
  for (const [key, value] of Object.entries(exports)) {
    const name = conditions.includes(key) ? exported(value) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function textIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
