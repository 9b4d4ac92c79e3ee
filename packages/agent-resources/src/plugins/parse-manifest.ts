import {
  AgentError,
  checked,
  describeMismatch,
  either,
  givenFields,
  instance,
  type JsonObject,
  type JsonValue,
  lazy,
  list,
  mapped,
  meantKey,
  object,
  Report,
  record,
  type Shape,
  type ShapeProblem,
  type TypeOf,
  text,
} from '@robota-sdk/agent-core';
import { optionalText } from '../plugin-source/parse-source.ts';
import type { IBundleManifest } from './bundle-plugin.ts';
import { isPluginName, nameRule } from './plugin-name.ts';
import { type PluginProblem, problemAt } from './plugin-problem.ts';

/** A manifest file as it was read. */
export interface ManifestSource {
  readonly file: string;
  readonly text: string;
  readonly value: JsonObject;
}

const anything = instance('a value', (value): value is JsonValue => value !== undefined);
/** An object whose content is checked on use. */
export const manifestObject: Shape<JsonObject> = record(anything);
/** The texts of a list; anything else is dropped, because it is only descriptive. */
export const looseTexts: Shape<readonly string[]> = mapped(
  anything,
  (value) => list(text).parse(value) ?? [],
);
/** An author as `name <email>`. */
export const authorText: Shape<string | undefined> = mapped(
  either(text, object({}, { name: text, email: text })),
  (value) => {
    if (typeof value === 'string') return value || undefined;
    const { name, email } = value;
    return name === undefined || email === undefined ? name : `${name} <${email}>`;
  },
);

function oneOrMany<T extends string | JsonObject>(item: Shape<T>): Shape<readonly T[]> {
  return either(
    list(item),
    mapped(item, (one) => [one]),
  );
}

const paths = oneOrMany(checked(text, 'a path', () => true));
const objects = oneOrMany(either(manifestObject, text));

/** The fields of a manifest that add components. */
const components = {
  skills: paths,
  commands: paths,
  agents: paths,
  hooks: objects,
  mcpServers: objects,
  tools: paths,
  extensions: paths,
  themes: paths,
  permissions: mapped(
    object({}, { allow: list(text), ask: list(text), deny: list(text) }),
    ({ allow = [], ask = [], deny = [] }) => ({ allow, ask, deny }),
  ),
  systemPrompt: text,
};
export const componentFields: readonly string[] = Object.keys(components);

/** Fields that add components only in other programs. */
export const foreignFields: readonly string[] = [
  'lspServers',
  'outputStyles',
  'monitors',
  'channels',
  'userConfig',
];

/** Known fields that are not used here. */
const otherFields = [
  ...foreignFields,
  '$schema',
  'name',
  'displayName',
  'title',
  'repository',
  'category',
  'dependencies',
  'settings',
  'strict',
  'source',
  'defaultEnabled',
];

const manifestShape = lazy(() =>
  object(
    {},
    {
      ...components,
      version: checked(
        optionalText,
        'a version like 1.2.0',
        (version) => version === undefined || isPluginName(version.replaceAll('+', '-')),
      ),
      description: optionalText,
      author: authorText,
      homepage: optionalText,
      license: optionalText,
      keywords: looseTexts,
      tags: looseTexts,
      features: manifestObject,
    },
  ),
);

/** The fields of a manifest that can be used. */
export type ManifestFields = TypeOf<typeof manifestShape>;

/** Reads a plugin's manifest; its name may also come from its marketplace. */
export function parseManifest(
  source: ManifestSource,
  fallback: { readonly name?: string | undefined } = {},
): {
  readonly manifest: IBundleManifest;
  readonly fields: ManifestFields;
  readonly problems: readonly PluginProblem[];
} {
  const { name = fallback.name, ...value } = source.value;
  if (!isPluginName(name)) {
    const message =
      name === undefined
        ? 'The plugin has no "name".'
        : `Invalid "name" ${JSON.stringify(name)}; ${nameRule(name)}.`;
    throw new AgentError('config', message, problemAt(source, 'name', message));
  }
  const report = new Report();
  const fields = manifestShape.parse(value, report) ?? {};
  const { version, description, author, homepage, license, keywords, tags = [] } = fields;
  return {
    manifest: {
      name,
      ...givenFields({ version, description, author, homepage, license }),
      keywords: keywords ?? tags,
    },
    fields,
    problems: report.problems.flatMap((found) => manifestProblem(found, source)),
  };
}

/** An unknown field may belong to another program; one that resembles a known field is a typo. */
function manifestProblem(found: ShapeProblem, source: ManifestSource): PluginProblem[] {
  const [key = ''] = found.path;
  const at = (code: string, details: Pick<PluginProblem, 'message' | 'hint'>): PluginProblem[] => [
    { ...problemAt({ ...source, code }, String(key), details), severity: 'info' },
  ];
  if (found.kind !== 'unknown') return [problemAt(source, String(key), describeMismatch(found))];
  if (found.path.length === 1 && foreignFields.includes(String(key)))
    return at('plugin.foreign-field', { message: `"${key}" is not supported; it is ignored.` });
  const isKnown = found.path.length === 1 && otherFields.includes(String(key));
  const meant = { ...found, known: [...found.known, ...(found.path.length === 1 ? otherFields : [])] };
  if (isKnown || meantKey(meant) === undefined) return [];
  return at('plugin.unknown-field', describeMismatch(meant));
}
