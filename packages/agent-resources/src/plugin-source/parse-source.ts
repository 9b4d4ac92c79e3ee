import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  AgentError,
  describeMismatch,
  type JsonObject,
  type JsonValue,
  lazy,
  mapped,
  object,
  Report,
  type Shape,
  type TypeOf,
  text,
} from '@robota-sdk/agent-core';
import { requireAddress, requireCommit, requireFolder, requireRef } from './check-source.ts';
import type { PluginSource } from './plugin-source.ts';

const shorthand = /^([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100})$/;
const archiveEnd = /\.(?:tar\.gz|tgz|zip)$/i;

/** True if a path or an address is that of an archive. */
export function isArchive(path: string): boolean {
  return archiveEnd.test(path);
}

/** Parses a source as users type it: a folder, `owner/repo[#ref]`, a git URL or the URL of an archive. */
export function parseSource(written: string, { cwd, home }: { readonly cwd: string; readonly home: string }) {
  const [address = '', ref] = splitRef(written);
  if (address === '' || address.startsWith('-')) throw notASource(written);
  if (/^(?:\.{1,2}(?:\/|$)|\/|~(?:\/|$))/.test(address)) {
    const path = resolve(cwd, written.replace(/^~(?=\/|$)/, home));
    return { kind: 'local', path } satisfies PluginSource;
  }
  const github = shorthand.exec(address);
  if (github && existsSync(resolve(cwd, written)) && ref === undefined) {
    const advice = `write ./${written} for the folder, or https://github.com/${written} for the repository`;
    throw new AgentError('usage', `"${written}" may be a folder here or a repository on GitHub: ${advice}.`);
  }
  if (github) return gitSource(githubAddress(address), ref);
  if (!/^[a-z+]+:\/\/|^[^/\s@]+@[^/\s:]+:/i.test(address)) throw notASource(written);
  return ofAddress(requireAddress(address, { local: true }), ref);
}

/** A text; an empty one counts as absent. */
export const optionalText: Shape<string | undefined> = mapped(text, (value) => value || undefined);
const sourceShape = lazy(() =>
  object(
    {},
    {
      source: optionalText,
      type: optionalText,
      kind: optionalText,
      repo: optionalText,
      url: optionalText,
      path: optionalText,
      ref: optionalText,
      sha: optionalText,
      commit: optionalText,
      sha256: optionalText,
      package: optionalText,
      version: optionalText,
      registry: optionalText,
    },
  ),
);
type SourceFields = TypeOf<typeof sourceShape>;

/** Reads a source of a manifest or a settings file, under the names that different programs use. */
export function readSource(value: JsonValue | undefined, options: { readonly local: boolean }): PluginSource {
  if (typeof value === 'string') return ofText(value, options);
  const report = new Report();
  const fields = sourceShape.parse(value, report) ?? {};
  const problem = report.problems.find(({ kind }) => kind !== 'unknown');
  if (problem)
    throw new AgentError('config', `the "source" is invalid: ${describeMismatch(problem).message}.`);
  const kind = fields.source ?? fields.type ?? fields.kind;
  switch (kind) {
    case 'github':
      return pinned(gitSource(githubAddress(required(fields, 'repo'))), fields);
    case 'git':
    case 'git-subdir':
      return pinned(gitSource(gitAddress(required(fields, 'url'), options)), fields);
    case 'url':
      return ofUrl(fields, options);
    case 'archive':
      return archiveSource(requireAddress(required(fields, 'url'), { local: false }), fields);
    case 'manifest':
      return { kind: 'manifest', url: requireAddress(required(fields, 'url'), { local: false }) };
    case 'npm':
      return npmSource(fields);
    case 'inside':
      return { kind: 'inside', path: requireFolder(required(fields, 'path')) };
    case 'local':
    case 'directory':
      if (options.local) return { kind: 'local', path: required(fields, 'path') };
      throw new AgentError('config', 'a source that is a folder of this machine is not used.');
    default:
      throw new AgentError('config', `unknown kind of source ${JSON.stringify(kind ?? null)}.`);
  }
}

/** Reads the source of a plugin in a marketplace; a plain path is a folder of that marketplace. */
export function parseEntrySource(
  value: JsonValue | undefined,
  options: { readonly local: boolean; readonly pluginRoot?: string | undefined },
): PluginSource {
  const source = readSource(value, options);
  const isBare = source.kind === 'inside' && typeof value === 'string' && !value.startsWith('./');
  if (!isBare || options.pluginRoot === undefined) return source;
  return { kind: 'inside', path: requireFolder(`${options.pluginRoot}/${source.path}`) };
}

/** A source as stored in our own files. */
export function sourceJson(source: PluginSource): JsonObject {
  const { kind, ...rest } = source;
  return { type: kind, ...rest };
}

function ofText(value: string, options: { readonly local: boolean }): PluginSource {
  if (/^(?:[a-z+]+:\/\/|[^/\s@]+@[^/\s:]+:)/i.test(value)) {
    const [address = '', ref] = splitRef(value);
    return ofAddress(requireAddress(address, options), ref);
  }
  return { kind: 'inside', path: requireFolder(value) };
}

function ofAddress(address: string, ref?: string): PluginSource {
  const path = URL.canParse(address) ? new URL(address).pathname : '';
  if (/^https?:/.test(address) && archiveEnd.test(path)) return { kind: 'archive', url: address };
  if (/^https?:/.test(address) && path.endsWith('.json')) return { kind: 'manifest', url: address };
  return gitSource(address, ref);
}

function ofUrl(fields: SourceFields, options: { readonly local: boolean }): PluginSource {
  const source = ofAddress(gitAddress(required(fields, 'url'), options));
  if (source.kind === 'archive') return archiveSource(source.url, fields);
  return source.kind === 'git' ? pinned(source, fields) : source;
}

function archiveSource(url: string, { sha256, path }: SourceFields): PluginSource {
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256))
    throw new AgentError('config', '"sha256" is no SHA-256 sum of 64 digits.');
  return {
    kind: 'archive',
    url,
    ...(sha256 === undefined ? {} : { sha256: sha256.toLowerCase() }),
    ...(path === undefined ? {} : { path: requireFolder(path) }),
  };
}

function npmSource(fields: SourceFields): PluginSource {
  const name = required(fields, 'package');
  const { version, registry = 'https://registry.npmjs.org' } = fields;
  if (!/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name))
    throw new AgentError('config', `${JSON.stringify(name)} is not an npm package name.`);
  return {
    kind: 'npm',
    package: name,
    registry: requireAddress(registry, { local: false }).replace(/(?<!\/)\/+$/, ''),
    ...(version === undefined ? {} : { version }),
  };
}

function gitSource(url: string, ref?: string): PluginSource & { kind: 'git' } {
  return { kind: 'git', url, ...(ref === undefined ? {} : refOf(ref)) };
}

function refOf(ref: string): { readonly ref: string } | { readonly sha: string } {
  return /^[0-9a-f]{40}$/i.test(ref) ? { sha: requireCommit(ref) } : { ref: requireRef(ref) };
}

function pinned(source: PluginSource & { kind: 'git' }, fields: SourceFields): PluginSource {
  const { ref, commit, sha = commit, path } = fields;
  return {
    ...source,
    ...(ref === undefined ? {} : refOf(ref)),
    ...(sha === undefined ? {} : { sha: requireCommit(sha) }),
    ...(path === undefined || path === '.' ? {} : { path: requireFolder(path) }),
  };
}

/** Repositories may be named by their address or in short. */
function gitAddress(value: string, options: { readonly local: boolean }): string {
  return shorthand.test(value) ? githubAddress(value) : requireAddress(value, options);
}

function githubAddress(repository: string): string {
  const match = shorthand.exec(repository.replace(/\.git$/, ''));
  if (!match || match[2] === '.' || match[2] === '..')
    throw new AgentError('config', `${JSON.stringify(repository)} is not a repository such as owner/name.`);
  return `https://github.com/${match[1]}/${match[2]}.git`;
}

function splitRef(value: string): [string, string?] {
  const at = value.indexOf('#');
  return at < 0 ? [value] : [value.slice(0, at), value.slice(at + 1)];
}

function required(fields: SourceFields, key: keyof SourceFields): string {
  const found = fields[key];
  if (found !== undefined) return found;
  throw new AgentError('config', `the source has no "${key}".`);
}

function notASource(value: string): AgentError {
  const forms = './folder, owner/repo, owner/repo#ref, a git address, or that of a .tar.gz or .zip';
  return new AgentError('usage', `${JSON.stringify(value)} is not a source. Write ${forms}.`);
}
