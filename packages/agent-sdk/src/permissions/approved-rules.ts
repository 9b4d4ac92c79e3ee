import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { readJsonFile } from '../config/read-json.ts';
import type { HostEnvironment } from '../dialects.ts';
import { userPaths } from '../paths.ts';

/**
 * Allow rules the user gave for a project in person. They are kept beside the user's own files, because a rule that
 * stands only in the repository may have come with it.
 */
export async function loadApprovedRules(cwd: string, host: HostEnvironment): Promise<readonly string[]> {
  const trust = await readTrust(host);
  // Most users have none, and need not wait for the real path of the directory.
  return isJsonObject(trust.projects) ? rulesOf(trust, await realpath(cwd).catch(() => cwd)) : [];
}

/** Notes rules as given by the user for a project, which is known by its real path. */
export async function approveRules(
  cwd: string,
  rules: readonly string[],
  host: HostEnvironment,
): Promise<void> {
  const trust = await readTrust(host);
  const known = rulesOf(trust, cwd);
  const allow = [...new Set([...known, ...rules])];
  if (allow.length === known.length) return;
  const projects = { ...(isJsonObject(trust.projects) ? trust.projects : {}), [cwd]: { allow } };
  const path = userPaths(host).trust;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify({ ...trust, projects }, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, path);
}

async function readTrust(host: HostEnvironment): Promise<JsonObject> {
  return (await readJsonFile(userPaths(host).trust))?.value ?? {};
}

function rulesOf({ projects }: JsonObject, cwd: string): readonly string[] {
  const project = isJsonObject(projects) ? projects[cwd] : undefined;
  const allow = isJsonObject(project) ? project.allow : undefined;
  return Array.isArray(allow) ? allow.filter((rule): rule is string => typeof rule === 'string') : [];
}
