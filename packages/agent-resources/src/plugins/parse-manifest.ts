import { AgentError, isJsonObject, type JsonObject, type JsonValue, nearest } from '@robota-sdk/agent-core';
import type { IBundleManifest } from './bundle-plugin.ts';
import { isPluginName, nameRule } from './plugin-name.ts';
import { type PluginProblem, problemAt } from './plugin-problem.ts';

/** A manifest file as it was read. */
export interface ManifestSource {
  readonly file: string;
  readonly text: string;
  readonly value: JsonObject;
}

/** The fields of a manifest that bring something. */
export const componentFields = [
  'skills',
  'commands',
  'agents',
  'hooks',
  'mcpServers',
  'tools',
  'extensions',
  'themes',
  'permissions',
  'systemPrompt',
] as const;

/** Fields that bring something in another program, and nothing here. */
export const foreignFields = ['lspServers', 'outputStyles', 'monitors', 'channels', 'userConfig'] as const;

/** Fields that only say something about a plugin. */
const otherFields = [
  '$schema',
  'name',
  'displayName',
  'title',
  'version',
  'description',
  'author',
  'homepage',
  'repository',
  'license',
  'keywords',
  'category',
  'tags',
  'features',
  'dependencies',
  'settings',
  'strict',
  'source',
  'defaultEnabled',
];

/** Reads what a plugin says about itself; its name may also come from the marketplace that lists it. */
export function parseManifest(
  source: ManifestSource,
  fallback: { readonly name?: string | undefined } = {},
): { readonly manifest: IBundleManifest; readonly problems: readonly PluginProblem[] } {
  const { value } = source;
  const problems: PluginProblem[] = [...unknownFields(source)];
  const name = value.name ?? fallback.name;
  if (!isPluginName(name)) {
    const message =
      name === undefined
        ? 'The plugin has no "name".'
        : `Invalid "name" ${JSON.stringify(name)}; ${nameRule(name)}.`;
    throw new AgentError('config', message, problemAt(source, 'name', message));
  }
  const text = (key: string): string | undefined => {
    const found = value[key];
    if (found === undefined || typeof found === 'string') return found || undefined;
    problems.push(problemAt(source, key, `"${key}" must be a text.`));
    return undefined;
  };
  const version = versionOf(text('version'), source, problems);
  const [description, homepage, license] = [text('description'), text('homepage'), text('license')];
  const author = isJsonObject(value.author) ? personOf(value.author) : text('author');
  return {
    manifest: {
      name,
      ...(version === undefined ? {} : { version }),
      ...(description === undefined ? {} : { description }),
      ...(author === undefined ? {} : { author }),
      ...(homepage === undefined ? {} : { homepage }),
      ...(license === undefined ? {} : { license }),
      keywords: wordsOf(value.keywords ?? value.tags),
    },
    problems,
  };
}

/** The texts of a list; nothing of anything else. */
export function wordsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Formats an author as `name <email>`. */
export function personOf({ name, email }: JsonObject): string | undefined {
  if (typeof name !== 'string') return undefined;
  return typeof email === 'string' ? `${name} <${email}>` : name;
}

function versionOf(
  version: string | undefined,
  source: ManifestSource,
  problems: PluginProblem[],
): string | undefined {
  if (version === undefined || isPluginName(version.replaceAll('+', '-'))) return version;
  problems.push(
    problemAt(source, 'version', `Invalid "version" ${JSON.stringify(version)}; expected one like 1.2.0.`),
  );
  return undefined;
}

/** An unknown field may belong to another program; one that resembles a known field is a typo. */
function unknownFields(source: ManifestSource): PluginProblem[] {
  const known: readonly string[] = [...componentFields, ...foreignFields, ...otherFields];
  const foreign: readonly string[] = foreignFields;
  return Object.keys(source.value).flatMap((key): PluginProblem[] => {
    if (foreign.includes(key))
      return [
        {
          ...problemAt(
            { ...source, code: 'plugin.foreign-field' },
            key,
            `"${key}" is not supported; it is ignored.`,
          ),
          severity: 'info',
        },
      ];
    const [near] = known.includes(key) ? [] : nearest(key, known);
    if (near === undefined) return [];
    const problem = problemAt({ ...source, code: 'plugin.unknown-field' }, key, `Unknown field "${key}".`);
    return [{ ...problem, severity: 'info', hint: `Did you mean "${near}"?` }];
  });
}
