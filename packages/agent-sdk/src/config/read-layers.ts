import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Dialect, dialects, type HostEnvironment, userFolder } from '../dialects.ts';
import { readJsonFile } from './read-json.ts';
import type { SettingsLayer } from './settings.ts';

/** The files of one kind that were found, the strongest first: those of the project, then those of the user. */
export async function readLayers(
  kind: 'settings' | 'profiles',
  { cwd, host }: { cwd: string; host: HostEnvironment },
): Promise<SettingsLayer[]> {
  const project = dialects.flatMap((dialect) =>
    projectFiles(dialect, kind).map((file) => candidate(dialect, join(cwd, dialect.projectFolder, file))),
  );
  const user = dialects.flatMap((dialect) =>
    userFiles(dialect, kind).map((file) => candidate(dialect, join(userFolder(dialect, host), file))),
  );
  const layers = await Promise.all([
    ...project.map((file) => read(file, 'project')),
    ...user.map((file) => read(file, 'user')),
  ]);
  return withoutRepeats(layers.filter((layer) => layer !== undefined));
}

/** A session started in the home directory must not see the user's files as a project's. */
async function withoutRepeats(layers: readonly SettingsLayer[]): Promise<SettingsLayer[]> {
  const real = await Promise.all(layers.map(({ source }) => realpath(source)));
  const ofUser = new Set(real.filter((_, index) => !layers[index]?.fromProject));
  return layers.filter(({ fromProject }, index) => !fromProject || !ofUser.has(real[index] ?? ''));
}

type Candidate = Pick<SettingsLayer, 'source' | 'dialect'>;

function candidate({ name }: Dialect, source: string): Candidate {
  return { source, dialect: name };
}

function projectFiles({ projectSettings, profiles }: Dialect, kind: 'settings' | 'profiles') {
  return kind === 'settings' ? projectSettings : profiles;
}

function userFiles({ userSettings, profiles }: Dialect, kind: 'settings' | 'profiles') {
  return kind === 'settings' ? userSettings : profiles;
}

async function read(file: Candidate, owner: 'project' | 'user'): Promise<SettingsLayer | undefined> {
  const content = await readJsonFile(file.source);
  return content && { ...file, fromProject: owner === 'project', text: content.text, value: content.value };
}
