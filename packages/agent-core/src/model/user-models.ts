import type { Problem } from '../problem/problem.ts';
import { describeMismatch, Report, type ShapeProblem } from '../shape/report.ts';
import type { TypeOf } from '../shape/shape.ts';
import type { Vendor } from './catalogue.ts';
import { given } from './given.ts';
import type { Model } from './model.ts';
import { modelsFileShape } from './model-shapes.ts';

/** The fields of a model entry. */
export interface ModelPatch extends Partial<Omit<Model, 'vendor' | 'thinking'>> {
  readonly id: string;
  readonly reasoning?: boolean;
}

/** The fields of a vendor entry. */
export interface VendorPatch
  extends Partial<Pick<Vendor, 'baseUrl' | 'api' | 'apiKey' | 'headers' | 'authHeader' | 'compat'>> {
  readonly id: string;
  /** Added, or merged into the known model of that id. */
  readonly models: readonly ModelPatch[];
  /** Merged into known models only. */
  readonly overrides: readonly ModelPatch[];
}

/** The content of `models.json`, and its invalid fields. */
export interface UserModels {
  readonly vendors: readonly VendorPatch[];
  readonly problems: readonly Problem[];
  /** Unknown keys. */
  readonly unknown: readonly ShapeProblem[];
}

/** Reads a parsed `models.json` in pi's format. An invalid entry is reported and skipped; the others are used. */
export function parseUserModels(value: unknown): UserModels {
  const report = new Report();
  const { providers = {} } = modelsFileShape.parse(value, report) ?? {};
  const vendors = Object.entries(providers).map(([id, { models = [], modelOverrides = {}, ...rest }]) => ({
    ...known(rest, ['baseUrl', 'api', 'apiKey', 'headers', 'authHeader', 'compat']),
    id,
    models: models.map((model) => patchOf(model.id, model)),
    overrides: Object.entries(modelOverrides).map(([key, model]) => patchOf(key, model)),
  }));
  return { vendors, ...modelProblems(report) };
}

/** The problems of a file with models or profiles, except unknown keys. */
export function modelProblems(
  { problems }: Report,
  noun = 'models',
): Pick<UserModels, 'problems' | 'unknown'> {
  return {
    problems: problems
      .filter(({ kind }) => kind !== 'unknown')
      .map((problem) => describeMismatch(problem, { noun })),
    unknown: problems.filter(({ kind }) => kind === 'unknown'),
  };
}

type Providers = NonNullable<TypeOf<typeof modelsFileShape>['providers']>;
type WrittenModel = NonNullable<Providers[string]['modelOverrides']>[string];

function patchOf(id: string, model: WrittenModel): ModelPatch {
  const { cost, input, maxTokens } = model;
  return {
    ...known(model, ['name', 'api', 'reasoning', 'contextWindow', 'toolProtocol', 'compat']),
    id,
    ...given('images', input?.includes('image')),
    ...given('maxOutput', maxTokens),
    ...given('price', cost && { ...cost, input: cost.input ?? 0, output: cost.output ?? 0 }),
  };
}

/** Picks these fields if they are set. */
function known<T extends object, K extends keyof T>(value: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
  ) as Pick<T, K>;
}
