import type { ApiKind } from '../message/model-ref.ts';
import { describeProblems, type Problem, sentence, warning } from '../problem/problem.ts';
import { lazy, whole } from '../shape/combine.ts';
import { isJsonObject, type JsonValue } from '../shape/json.ts';
import { Report } from '../shape/report.ts';
import { list, object, type TypeOf, text } from '../shape/shape.ts';
import { given, givenFields } from './given.ts';
import type { ToolProtocol } from './model.ts';
import { profileShape, singleProfileShape } from './model-shapes.ts';
import { modelProblems } from './user-models.ts';

/** A named way to reach a model: the model and the user's settings for its server. */
export interface Profile {
  readonly name: string;
  /** Default: found by the model's name. */
  readonly vendor?: string;
  readonly model: string;
  /** As written; resolved when connecting. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly api?: ApiKind;
  readonly maxOutput?: number;
  /** Maximum characters of a message to send. */
  readonly maxInputCharacters?: number;
  readonly toolProtocol?: ToolProtocol;
}

/** The profiles of one or more files. */
export interface ProfileSet {
  readonly profiles: readonly Profile[];
  /** The name of the profile to use. */
  readonly active?: string;
  /** Names of profiles that cannot be used; `problems` says why. */
  readonly invalid?: readonly string[];
  readonly problems: readonly Problem[];
}

/** Name for the only profile of the older format, which has none. */
const legacyName = 'default';

const present = lazy(() =>
  object({ models: object({}, { active: text, profiles: list(whole(profileShape)) }) }),
);
const older = lazy(() => object({}, { model: whole(singleProfileShape) }));

/**
 * Reads `{models: {active, profiles: […]}}`, or the older `{model: {…}}` with one profile. An invalid profile is
 * reported and skipped; the others are used.
 */
export function parseProfiles(value: unknown): ProfileSet {
  const report = new Report();
  if (isJsonObject(value) && value.models !== undefined) {
    const { profiles = [], active } = present.parse(value, report)?.models ?? {};
    const { problems } = modelProblems(report, 'profile');
    const set = profiles.map((each) => profileOf(each, each.name));
    const repeats = repeatsIn(set);
    const names = new Set(set.map(({ name }) => name));
    const invalid = namesIn(value.models).filter((name) => !names.has(name));
    return {
      profiles: set.filter(({ name }, index) => set.findIndex((each) => each.name === name) === index),
      ...given('active', active),
      ...(invalid.length === 0 ? {} : { invalid }),
      problems: [...problems, ...repeats],
    };
  }
  const single = older.parse(value, report)?.model;
  const profile = single && profileOf(single, single.name ?? legacyName);
  return {
    profiles: profile ? [profile] : [],
    ...given('active', profile?.name),
    problems: modelProblems(report, 'profile').problems,
  };
}

/** The names of profiles as they are written, valid or not. */
function namesIn(models: JsonValue): readonly string[] {
  const written = isJsonObject(models) && Array.isArray(models.profiles) ? models.profiles : [];
  return written.flatMap((each: JsonValue) =>
    isJsonObject(each) && typeof each.name === 'string' ? [each.name] : [],
  );
}

/** Merges the profiles of several files; later ones (the project's) win. */
export function mergeProfiles(...sets: readonly ProfileSet[]): ProfileSet {
  const byName = new Map<string, Profile>();
  let active: string | undefined;
  for (const set of sets) {
    for (const profile of set.profiles) byName.set(profile.name, profile);
    active = set.active ?? active;
  }
  const problems = sets.flatMap((set) => set.problems);
  const invalid = sets.flatMap((set) => set.invalid ?? []);
  return { profiles: [...byName.values()], ...given('active', active), invalid, problems };
}

/**
 * The active profile. Default: the first one. An `active` that matches none is an error: falling back would send the
 * conversation to a server the user did not choose.
 */
export function activeProfile(
  set: ProfileSet,
):
  | { readonly ok: true; readonly profile: Profile | undefined }
  | { readonly ok: false; readonly problem: Problem } {
  if (set.active === undefined) return { ok: true, profile: set.profiles[0] };
  const profile = set.profiles.find(({ name }) => name === set.active);
  if (profile) return { ok: true, profile };
  const names = set.profiles.map(({ name }) => name).join(', ');
  const isInvalid = set.invalid?.includes(set.active) === true;
  const message = isInvalid
    ? sentence`The profile "${{ profile: set.active }}" cannot be used.`
    : sentence`Unknown profile "${{ profile: set.active }}".`;
  const problem: Problem = {
    ...warning(isInvalid ? 'profile.invalid' : 'profile.unknown', message, { subject: set.active }),
    severity: 'error',
    hint: isInvalid
      ? 'Correct it:'
      : names === ''
        ? 'Define it in models.profiles.'
        : `Set models.active to one of: ${names}.`,
    details: set.problems.length === 0 ? undefined : describeProblems(set.problems),
  };
  return { ok: false, problem };
}

function profileOf(written: TypeOf<typeof singleProfileShape>, name: string): Profile {
  const { model, provider: vendor, apiKey, baseUrl, apiKind: api, toolProtocol } = written;
  const { maxOutputTokens: maxOutput, maxInputChars: maxInputCharacters } = written;
  const optional = { vendor, apiKey, baseUrl, api, maxOutput, maxInputCharacters, toolProtocol };
  return { name, model, ...givenFields(optional) };
}

function repeatsIn(profiles: readonly Profile[]): readonly Problem[] {
  return profiles.flatMap(({ name }, index) =>
    profiles.findIndex((each) => each.name === name) < index
      ? [
          warning(
            'profile.duplicate',
            sentence`Duplicate profile "${{ profile: name }}"; the first one is used.`,
            {
              subject: name,
            },
          ),
        ]
      : [],
  );
}
