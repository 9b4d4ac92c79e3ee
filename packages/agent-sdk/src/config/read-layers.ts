import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Dialect, dialects, type HostEnvironment, readsFilesOf, userFolder } from '../dialects.ts';
import { readJsonFile } from './read-json.ts';
import type { SettingsLayer } from './settings.ts';

/** A project and its user. */
export interface SettingsPlace {
  readonly cwd: string;
  readonly host: HostEnvironment;
}

export type LayerKind = 'settings' | 'profiles';

/** A place where a file may be. */
export type LayerCandidate = Pick<SettingsLayer, 'source' | 'dialect' | 'fromProject'>;

/** Where files of one kind may be, the strongest first: those of the project, then those of the user. */
export function layerCandidates(kind: LayerKind, { cwd, host }: SettingsPlace): LayerCandidate[] {
  const project = dialects.flatMap((dialect) =>
    projectFiles(dialect, kind)
      .filter(isRead(host))
      .map((file) => ({
        source: join(cwd, dialect.projectFolder, file),
        dialect: dialect.name,
        fromProject: true,
      })),
  );
  const user = dialects.flatMap((dialect) =>
    userFiles(dialect, kind).map((file) => ({
      source: join(userFolder(dialect, host), file),
      dialect: dialect.name,
      fromProject: false,
    })),
  );
  return [...project, ...(readsFilesOf(host, 'user') ? user : [])];
}

function isRead(host: HostEnvironment): (file: string) => boolean {
  return (file) => readsFilesOf(host, file.includes('.local.') ? 'local' : 'project');
}

/** The files of one kind that were found, the strongest first. */
export async function readLayers(kind: LayerKind, place: SettingsPlace): Promise<SettingsLayer[]> {
  const layers = await Promise.all(layerCandidates(kind, place).map(readLayer));
  return withoutRepeats(layers.filter((layer) => layer !== undefined));
}

/** A session started in the home directory must not see the user's files as a project's. */
async function withoutRepeats(layers: readonly SettingsLayer[]): Promise<SettingsLayer[]> {
  const real = await Promise.all(layers.map(({ source }) => realpath(source)));
  const ofUser = new Set(real.filter((_, index) => !layers[index]?.fromProject));
  return layers.filter(({ fromProject }, index) => !fromProject || !ofUser.has(real[index] ?? ''));
}

function projectFiles({ projectSettings, profiles }: Dialect, kind: LayerKind) {
  return kind === 'settings' ? projectSettings : profiles;
}

function userFiles({ userSettings, profiles }: Dialect, kind: LayerKind) {
  return kind === 'settings' ? userSettings : profiles;
}

/** Reads one file; nothing where there is none, an error where it is broken. */
async function readLayer(file: LayerCandidate): Promise<SettingsLayer | undefined> {
  const content = await readJsonFile(file.source);
  return content && { ...file, text: content.text, value: content.value };
}
