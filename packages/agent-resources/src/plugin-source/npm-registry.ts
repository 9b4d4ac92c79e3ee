import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AgentError,
  decodeJson,
  instance,
  lazy,
  object,
  orElse,
  record,
  type TypeOf,
  text,
} from '@robota-sdk/agent-core';
import { requireAddress } from './check-source.ts';
import { isVersion } from './compare-versions.ts';
import { downloadFile } from './download-file.ts';

const defaultRegistry = 'https://registry.npmjs.org';
const maxAboutBytes = 32 * 1024 * 1024;

/** The user's npm registry, and its key. */
export interface NpmRegistry {
  /** Without a slash at its end. */
  readonly url: string;
  /** The value of the header `authorization`; absent for public registries. */
  readonly authorization?: string | undefined;
}

/** The places of npm's configuration. */
export interface NpmSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder of npm's global installations. */
  readonly prefix?: string | undefined;
}

/** A version of a package in a registry. */
export interface Release {
  readonly name: string;
  readonly version: string;
  readonly tarball: string;
  /** SHA-512 of the archive, in base64. */
  readonly sha512: string;
  /** The oldest Node it supports, such as `20.19`; absent if unknown. */
  readonly oldestNode?: string | undefined;
}

/** The versions of a package in a registry. */
export interface Offer {
  readonly latest: string | undefined;
  readonly versions: readonly string[];
  /** The version or tag, for instance `0.2.0` or `next`. */
  find(wanted: string): Release;
}

/**
 * The registry in npm's configuration: variables, then the user's `.npmrc`, then that of the installation. A project's
 * `.npmrc` is ignored: a repository must not choose where programs come from.
 */
export function configuredRegistry(name: string, { env, home, prefix }: NpmSettings): NpmRegistry {
  const [scope = ''] = name.split('/');
  const userFile = variable(env, 'npm_config_userconfig') ?? join(home, '.npmrc');
  const globalFile =
    variable(env, 'npm_config_globalconfig') ??
    (prefix === undefined ? undefined : join(prefix, 'etc', 'npmrc'));
  const files = [userFile, ...(globalFile === undefined ? [] : [globalFile])].map((file) =>
    readSettings(file, env),
  );
  const setting = (key: string) => files.map((file) => file.get(key)).find((value) => value !== undefined);
  const chosen =
    variable(env, `npm_config_${scope}:registry`) ??
    setting(`${scope}:registry`) ??
    variable(env, 'npm_config_registry') ??
    setting('registry') ??
    defaultRegistry;
  const url = requireAddress(chosen, { local: false }).replace(/(?<!\/)\/+$/, '');
  return { url, authorization: authorizationFor(url, setting) };
}

/** Asks a registry for the versions of a package. */
export async function askRegistry(name: string, registry: NpmRegistry, signal?: AbortSignal): Promise<Offer> {
  const address = `${registry.url}/${name.replace('/', '%2f')}`;
  const missing = `The registry ${registry.url} has no package ${name}.`;
  const bytes = await fetchFrom(address, registry, { maxBytes: maxAboutBytes, signal, missing });
  const { 'dist-tags': tags = {}, versions = {} } = parse(bytes, address);
  // Other names would only be shown, and could contain control characters.
  const named = Object.keys(versions).filter(isVersion);
  return {
    latest: tags.latest !== undefined && isVersion(tags.latest) ? tags.latest : undefined,
    versions: named,
    find: (wanted) => {
      const tagged = Object.hasOwn(tags, wanted) ? tags[wanted] : undefined;
      const version = tagged ?? wanted.replace(/^v(?=\d)/, '');
      const found = named.includes(version) ? releaseShape.parse(versions[version]) : undefined;
      if (found === undefined) throw unknownVersion(name, wanted, named);
      return releaseOf({ name, version }, found);
    },
  };
}

/** Downloads the archive of a release. Bytes that are not those of the registry's sum are never returned. */
export async function fetchRelease(
  release: Release,
  registry: NpmRegistry,
  options: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
): Promise<Buffer> {
  const bytes = await fetchFrom(release.tarball, registry, options);
  const sum = createHash('sha512').update(bytes).digest('base64');
  if (sum === release.sha512) return bytes;
  throw new AgentError(
    'config',
    `${release.tarball} is not the archive that the registry describes: its SHA-512 differs. Nothing of it was used.`,
    { hint: 'Try again; if it happens twice, do not install this version before you know why.' },
  );
}

function fetchFrom(
  address: string,
  { url, authorization }: NpmRegistry,
  options: {
    readonly maxBytes: number;
    readonly signal?: AbortSignal | undefined;
    readonly missing?: string;
  },
): Promise<Buffer> {
  const isOwn = new URL(requireAddress(address, { local: false })).origin === new URL(url).origin;
  return downloadFile(address, {
    ...options,
    idleMs: 30_000,
    timeoutMs: 60 * 60_000,
    headers: isOwn && authorization !== undefined ? { authorization } : {},
    advice: 'Check the network and the registry of npm (npm config get registry), then try again.',
  });
}

const anything = instance('a value', (value): value is unknown => value !== undefined);
const packageShape = lazy(() => object({}, { 'dist-tags': record(text), versions: record(anything) }));
const releaseShape = lazy(() =>
  object(
    {},
    {
      dist: object({}, { tarball: text, integrity: text }),
      engines: object({}, { node: text }),
    },
  ),
);

function releaseOf(
  { name, version }: Pick<Release, 'name' | 'version'>,
  { dist = {}, engines = {} }: TypeOf<typeof releaseShape>,
): Release {
  const sha512 = dist.integrity
    ?.split(/\s+/)
    .map((sum) => /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(sum)?.[1])
    .find((sum) => sum !== undefined);
  if (dist.tarball === undefined || sha512 === undefined)
    throw new AgentError('config', `The registry has no archive with a SHA-512 sum for ${name} ${version}.`);
  const [, oldestNode] = /^>=\s*v?(\d+(?:\.\d+){0,2})$/.exec((engines.node ?? '').trim()) ?? [];
  return { name, version, tarball: dist.tarball, sha512, oldestNode };
}

function unknownVersion(name: string, wanted: string, versions: readonly string[]): AgentError {
  const latest = versions.slice(-5).join(', ');
  const hint = versions.length === 0 ? undefined : `The latest are: ${latest}.`;
  return new AgentError('config', `The registry has no version ${wanted} of ${name}.`, { hint });
}

function parse(bytes: Buffer, address: string): TypeOf<typeof packageShape> {
  const read = decodeJson(bytes.toString('utf8'));
  if (!read.ok) throw new AgentError('config', `${address} did not answer with JSON: ${read.error}.`);
  const value = packageShape.parse(read.value);
  if (value) return value;
  throw new AgentError('config', `${address} did not answer with a description of a package.`);
}

/** npm's variables are case-insensitive. */
function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const found = Object.entries(env).find(([key, value]) => key.toLowerCase() === name && value !== '');
  return found?.[1];
}

/** Parses `key = value` lines of an `.npmrc`; `${NAME}` is expanded. */
function readSettings(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const line of readText(file).split(/\r?\n/)) {
    const equals = line.indexOf('=');
    if (equals < 0 || /^\s*[;#]/.test(line)) continue;
    const value = line
      .slice(equals + 1)
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2');
    settings.set(
      line.slice(0, equals).trim(),
      value.replace(/\$\{(\w+)\}/g, (written, name: string) => env[name] ?? written),
    );
  }
  return settings;
}

/** Registry keys in `.npmrc` are stored under the URL without protocol, longest first. */
function authorizationFor(url: string, setting: (key: string) => string | undefined): string | undefined {
  const { host, pathname } = new URL(`${url}/`);
  for (let folder = pathname; ; folder = dirname(folder)) {
    const key = `//${host}${folder.endsWith('/') ? folder : `${folder}/`}`;
    const token = setting(`${key}:_authToken`);
    if (token !== undefined) return `Bearer ${token}`;
    const pair = setting(`${key}:_auth`);
    if (pair !== undefined) return `Basic ${pair}`;
    if (folder === '/') return undefined;
  }
}

function readText(file: string): string {
  return orElse(() => readFileSync(file, 'utf8'), '');
}
