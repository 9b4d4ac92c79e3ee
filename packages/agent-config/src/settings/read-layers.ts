import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { addSentence, type Problem, problemOf } from '@robota-sdk/agent-core';
import { readJsonFile } from '../file/read-json.ts';
import { type Dialect, dialects, type HostEnvironment, readsFilesOf, userFolder } from '../host/dialects.ts';
import type { SettingsLayer } from '../options/settings.ts';
import { closedLayer, closedProblem } from './closed-layer.ts';

/** A project and its user. */
export interface SettingsContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
}

export type LayerKind = 'settings' | 'profiles';

/** A place where a file may be. */
export type LayerCandidate = Pick<SettingsLayer, 'source' | 'dialect' | 'fromProject'>;

/** Possible files of one kind, strongest first: those of the project, then the user's. */
export function layerCandidates(kind: LayerKind, { cwd, host }: SettingsContext): LayerCandidate[] {
  if (host.settingFiles === false) return [];
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

/**
 * The files of one kind that were found, the strongest first. A broken file is an error; with a list of problems, one of
 * the project is reported there instead and skipped, since a repository must not be able to prevent a start.
 */
export async function readLayers(
  kind: LayerKind,
  place: SettingsContext,
  problems?: Problem[],
): Promise<SettingsLayer[]> {
  const read = (file: LayerCandidate) =>
    readLayer(file).catch((thrown: unknown) => {
      if (!file.fromProject || !problems) throw thrown;
      const stand = kind === 'settings' ? closedLayer(file) : undefined;
      const problem = { ...problemOf(thrown), code: 'settings.unreadable' };
      problems.push(stand ? closedProblem(problem) : skipped(problem));
      return stand;
    });
  const layers = await Promise.all(layerCandidates(kind, place).map(read));
  return withoutRepeats(layers.filter((layer) => layer !== undefined));
}

function skipped(problem: Problem): Problem {
  return addSentence({ ...problem, severity: 'warning', isInactive: true }, 'The file is skipped.');
}

/** A session started in the home directory must not see the user's files as a project's. */
async function withoutRepeats(layers: readonly SettingsLayer[]): Promise<SettingsLayer[]> {
  const real = await Promise.all(layers.map(({ source }) => realpath(source).catch(() => source)));
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
