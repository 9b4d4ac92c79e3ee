import { describeProblem, isMissing, type Problem, problemOf } from '@robota-sdk/agent-core';
import { readJsonFile } from '../file/read-json.ts';
import { userPaths } from '../host/paths.ts';
import { type LayerCandidate, layerCandidates, readLayers, type SettingsContext } from './read-layers.ts';

/** A file that settings are looked for in. */
export interface SettingsFile {
  readonly path: string;
  readonly what: 'settings' | 'profiles' | 'keys' | 'models';
  readonly owner: 'project' | 'user';
  readonly state: 'used' | 'missing' | 'ignored' | 'broken';
  /** Why it is ignored or broken. */
  readonly why?: string;
  /** The same as data where it is broken. */
  readonly problem?: Problem;
}

/** Every file that is looked for, the strongest first, and what became of it. */
export async function settingsFiles(place: SettingsContext): Promise<readonly SettingsFile[]> {
  const layers = await Promise.all([fileStates('settings', place), fileStates('profiles', place)]);
  const { auth, models } = userPaths(place.host);
  const own = await Promise.all([
    stateOf({ path: auth, what: 'keys', owner: 'user' }),
    stateOf({ path: models, what: 'models', owner: 'user' }),
  ]);
  return [...layers.flat(), ...own];
}

async function fileStates(what: 'settings' | 'profiles', place: SettingsContext): Promise<SettingsFile[]> {
  const used = await readLayers(what, place, []).then(
    (layers) => new Set(layers.map(placeOf)),
    () => undefined,
  );
  const candidates = layerCandidates(what, place);
  return Promise.all(
    candidates.map(async (candidate) => {
      const { source, fromProject } = candidate;
      const owner = fromProject ? 'project' : 'user';
      const file = await stateOf({ path: source, what, owner });
      if (file.state !== 'used' || !used || used.has(placeOf(candidate))) return file;
      return { ...file, state: 'ignored' as const, why: 'it is the file of the user, which counts below' };
    }),
  );
}

/** In the home directory, one file is both the project's and the user's. */
function placeOf({ source, fromProject }: LayerCandidate): string {
  return `${fromProject ? 'project' : 'user'} ${source}`;
}

type FileFacts = Pick<SettingsFile, 'path' | 'what' | 'owner'>;

async function stateOf(file: FileFacts): Promise<SettingsFile> {
  if (isMissing(file.path)) return { ...file, state: 'missing' };
  return readJsonFile(file.path).then(
    () => ({ ...file, state: 'used' as const }),
    (thrown: unknown) => {
      const problem = problemOf(thrown);
      return { ...file, state: 'broken' as const, why: describeProblem(problem), problem };
    },
  );
}
