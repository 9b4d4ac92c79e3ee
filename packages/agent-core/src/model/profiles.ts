import type { ApiKind } from '../message/model-ref.ts';
import { isJsonObject } from '../shape/json.ts';
import { FieldReader } from './field-reader.ts';
import { given } from './given.ts';
import { type ToolProtocol, toolProtocols } from './model.ts';

/** A named way to reach a model: the model and what the user says about its server. */
export interface Profile {
  readonly name: string;
  /** Found by the model's name where absent. */
  readonly vendor?: string;
  readonly model: string;
  /** As written; resolved when connecting. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly api?: ApiKind;
  readonly maxOutput?: number;
  /** How many characters of a message are sent at most. */
  readonly maxInputCharacters?: number;
  readonly toolProtocol?: ToolProtocol;
}

/** The profiles of one or more files. */
export interface ProfileSet {
  readonly profiles: readonly Profile[];
  /** The name of the profile to use. */
  readonly active?: string;
  /** One line each, beginning with the path of the field. */
  readonly problems: readonly string[];
}

/** The name given to the only profile of the older form, which has none. */
const legacyName = 'default';

/**
 * Reads `{models: {active, profiles: […]}}`, or the older `{model: {…}}` with one profile. A bad profile is reported and
 * left out; the others count.
 */
export function parseProfiles(value: unknown): ProfileSet {
  if (!isJsonObject(value)) return { profiles: [], problems: ['The file must be an object.'] };
  const problems: string[] = [];
  const root = new FieldReader(value, '', problems);
  const models = root.part('models');
  if (models) {
    const profiles = models
      .items('profiles')
      .flatMap((fields) => parseProfile(fields, fields.requiredText('name')) ?? []);
    return {
      profiles: withoutRepeats(profiles, problems),
      ...given('active', models.text('active')),
      problems,
    };
  }
  const single = root.part('model');
  const profile = single && parseProfile(single, single.text('name') ?? legacyName);
  return { profiles: profile ? [profile] : [], ...given('active', profile?.name), problems };
}

/** Joins the profiles of several files, the later over the earlier: project over user. */
export function mergeProfiles(...sets: readonly ProfileSet[]): ProfileSet {
  const byName = new Map<string, Profile>();
  let active: string | undefined;
  for (const set of sets) {
    for (const profile of set.profiles) byName.set(profile.name, profile);
    active = set.active ?? active;
  }
  const problems = sets.flatMap((set) => set.problems);
  return { profiles: [...byName.values()], ...given('active', active), problems };
}

/**
 * The profile to use. Without `active` that is the first one. An `active` that names none is an error: falling back
 * would send the conversation to a server the user did not choose.
 */
export function activeProfile(
  set: ProfileSet,
):
  | { readonly ok: true; readonly profile: Profile | undefined }
  | { readonly ok: false; readonly error: string } {
  if (set.active === undefined) return { ok: true, profile: set.profiles[0] };
  const profile = set.profiles.find(({ name }) => name === set.active);
  if (profile) return { ok: true, profile };
  const names = set.profiles.map(({ name }) => name).join(', ');
  const known = names === '' ? 'There are no profiles' : `The profiles are ${names}`;
  const why = set.problems.length === 0 ? '' : ` (${set.problems.join('; ')})`;
  return {
    ok: false,
    error: `models.active names the profile "${set.active}", which does not exist. ${known}${why}.`,
  };
}

function parseProfile(fields: FieldReader, name: string): Profile | undefined {
  const profile: Profile = {
    name,
    model: fields.requiredText('model'),
    ...given('vendor', fields.text('provider')),
    ...given('apiKey', fields.text('apiKey')),
    ...given('baseUrl', fields.url('baseUrl')),
    ...given('api', fields.apiKind('apiKind')),
    ...given('maxOutput', fields.count('maxOutputTokens')),
    ...given('maxInputCharacters', fields.count('maxInputChars')),
    ...given('toolProtocol', fields.oneOf('toolProtocol', toolProtocols)),
  };
  return fields.isSound ? profile : undefined;
}

function withoutRepeats(profiles: readonly Profile[], problems: string[]): readonly Profile[] {
  const names = new Set<string>();
  return profiles.filter(({ name }) => {
    if (names.has(name)) problems.push(`models.profiles has two profiles named "${name}"; the first counts`);
    return names.size < names.add(name).size;
  });
}
