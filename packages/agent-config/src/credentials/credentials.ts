import { stat } from 'node:fs/promises';
import {
  AgentError,
  didYouMean,
  either,
  hideFromNowOn,
  isJsonObject,
  type JsonValue,
  keyVariables,
  mapped,
  nearest,
  object,
  orElse,
  type Problem,
  sentence,
  text,
  type Vendor,
  warning,
} from '@robota-sdk/agent-core';
import { editJson } from '../file/edit-json.ts';
import { readJsonFile } from '../file/read-json.ts';
import { updatePrivateFile } from '../file/update-private-file.ts';
import type { HostEnvironment } from '../host/dialects.ts';
import { userPaths } from '../host/paths.ts';
import type { Settings } from '../options/settings.ts';

/** Keys the user stored in `auth.json`, by vendor. */
export type StoredKeys = Readonly<Record<string, string>>;

/** Reads `auth.json`: `{"vendor": {"type": "api_key", "key": "…"}}`. Some write vendors with underscores. */
export async function loadStoredKeys(path: string, problems: Problem[] = []): Promise<StoredKeys> {
  const file = await readJsonFile(path);
  if (!file) return {};
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    problems.push(
      warning('key.readable', 'Other users can read the keys in this file.', {
        source: { file: path },
        hint: `Run: chmod 600 ${path}`,
      }),
    );
  const entries = Object.entries(file.value).flatMap(([vendor, entry]) => {
    // Logins to MCP servers are no keys of vendors.
    if (vendor === '$schema' || vendor === 'mcp') return [];
    const key = entryShape.parse(entry);
    if (key !== undefined) return [[vendor.replaceAll('_', '-'), key] as const];
    problems.push(unusable(vendor, entry, path));
    return [];
  });
  return Object.fromEntries(entries);
}

/** A key itself, or an object that holds it. */
const entryShape = either(
  text,
  mapped(object({ key: text }), ({ key }) => key),
);

function unusable(vendor: string, entry: JsonValue, file: string): Problem {
  const hint = { text: 'Store a key with', run: ['login', vendor] };
  const details = { subject: vendor, source: { file }, hint, isInactive: true };
  if (isJsonObject(entry) && entry.type === 'oauth') {
    const message = sentence`The entry "${{ vendor }}" is a sign-in that only the vendor's own program can use.`;
    return warning('key.foreign-login', message, details);
  }
  const [near] = isJsonObject(entry) ? nearest('key', Object.keys(entry)) : [];
  const message = sentence`The entry "${{ vendor }}" has no "key" and is not used.`;
  if (near === undefined) return warning('key.missing', message, details);
  return warning('key.missing', message, { ...details, hint: `Did you mean "key" instead of "${near}"?` });
}

/** Names the unknown vendors of `auth.json`: their keys are not used. */
export function strayKeys(kept: KeptKeys, vendors: readonly string[]): Problem[] {
  return Object.keys(kept.storedKeys)
    .filter((id) => !vendors.includes(id))
    .map((id) => {
      const file = kept.keyFiles[id];
      return warning(
        'key.unknown-vendor',
        sentence`Unknown vendor "${{ vendor: id }}"; its key is not used.`,
        {
          subject: id,
          source: file === undefined ? undefined : { file },
          hint: didYouMean(id, vendors, '"'),
          isInactive: true,
        },
      );
    });
}

/** The keys that are kept in files, ours before those of other tools, and the file of each. */
export interface KeptKeys {
  readonly storedKeys: StoredKeys;
  readonly keyFiles: Readonly<Record<string, string>>;
}

/** Sources of a key, strongest first. */
export interface KeySources {
  readonly flag?: string | undefined;
  readonly profile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stored: StoredKeys;
  /** Keys stored since then, see {@link newKeysOf}. */
  readonly fresh?: StoredKeys | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

/** The key for a vendor: flag, then environment, then `auth.json`, then settings, profile and `models.json`. */
export function findKey(vendor: Vendor, sources: KeySources): string | undefined {
  const fromEnvironment = vendor.keyVariables.map((name) => sources.env[name]).find((value) => value);
  const written = resolveWritten(writtenKey(vendor, sources)?.text, sources.env);
  const stored = resolveWritten(sources.fresh?.[vendor.id] ?? sources.stored[vendor.id], sources.env);
  return sources.flag ?? fromEnvironment ?? stored ?? written;
}

/** True if there is a key for a vendor, or a command that prints one: it is not run for the answer. */
export function hasKey(vendor: Vendor, sources: KeySources): boolean {
  return findKey(vendor, sources) !== undefined || keyCommand(vendor, sources) !== undefined;
}

/** The command that prints the key of a vendor; nothing where a key is written, or found in the environment. */
export function keyCommand(vendor: Vendor, sources: KeySources): string | undefined {
  if (findKey(vendor, sources) !== undefined) return undefined;
  const written = writtenKey(vendor, sources)?.text;
  return written !== undefined && isKeyCommand(written) ? written : undefined;
}

/** The key for a vendor where it is one to be sent as a bearer token: from the variable for such keys, and from nowhere stronger. */
export function findToken(vendor: Vendor, { flag, env }: KeySources): string | undefined {
  if (flag !== undefined || vendor.tokenVariable === undefined) return undefined;
  return vendor.keyVariables.find((name) => env[name]) === vendor.tokenVariable
    ? env[vendor.tokenVariable]
    : undefined;
}

/** The key for a vendor as a file has it, and which file that is. */
export function writtenKey(
  vendor: Vendor,
  { profile, settings, stored }: KeySources,
): { readonly text: string; readonly place: string } | undefined {
  if (profile !== undefined) return { text: profile, place: 'its profile' };
  const kept = stored[vendor.id];
  if (kept !== undefined) return { text: kept, place: 'auth.json' };
  const set = settings[vendor.id];
  if (set !== undefined) return { text: set, place: '"apiKeys" or "provider" in the settings' };
  return vendor.apiKey === undefined ? undefined : { text: vendor.apiKey, place: 'models.json' };
}

/**
 * A key in a file may be `$ENV:NAME`, `$NAME`, `${NAME}`, the name of a variable, or the key itself; nothing where the
 * variable is not set. A command is not run here, and must never be sent as if it were a key.
 */
function resolveWritten(written: string | undefined, env: KeySources['env']): string | undefined {
  if (written === undefined || isKeyCommand(written) || unsetVariable(written, env) !== undefined)
    return undefined;
  const name = written.startsWith('$ENV:')
    ? written.slice('$ENV:'.length)
    : (shellVariable(written) ?? written);
  return env[name] || written;
}

/** A header of `models.json` with its variables filled in. Throws an `AgentError` for a variable that is not set. */
export function resolveHeader(name: string, written: string, env: KeySources['env']): string {
  const inside = [...written.matchAll(/\$ENV:([A-Za-z_]\w*)/g)].map(([, variable = '']) => variable);
  const whole = shellVariable(written);
  const missing = [...inside, ...(whole === undefined ? [] : [whole])].find((variable) => !env[variable]);
  if (missing !== undefined)
    throw new AgentError(
      'config',
      `The header "${name}" can't be sent: the environment variable ${missing} is not set (models.json names it). Set it, or take the header out.`,
    );
  const filled = written.replace(/\$ENV:([A-Za-z_]\w*)/g, (_, variable: string) => env[variable] ?? '');
  return inside.length > 0 ? filled : (resolveWritten(written, env) ?? written);
}

/** The name in a text that is `$NAME` or `${NAME}` and nothing else: no key looks like this. */
function shellVariable(written: string): string | undefined {
  const [, bare, braced] = /^\$(?:([A-Z_][A-Z0-9_]*)|\{([A-Za-z_]\w*)\})$/.exec(written) ?? [];
  return bare ?? braced;
}

/** True if a key is written as a command that prints it, as pi allows. */
export function isKeyCommand(written: string): boolean {
  return written.startsWith('!');
}

/** The variable that a text in a file stands for, where that is not set. */
export function unsetVariable(written: string, env: KeySources['env']): string | undefined {
  const referred = /\$ENV:([A-Za-z_]\w*)/.exec(written)?.[1] ?? shellVariable(written);
  const name = referred ?? (isVariableName(written) ? written : undefined);
  return name === undefined || env[name] ? undefined : name;
}

/** Servers that take any key get words like `EMPTY`, so a variable's name must look like one of a key. */
function isVariableName(text: string): boolean {
  return /^[A-Z][A-Z0-9_]{2,}$/.test(text) && /_|(?:KEY|TOKEN|SECRET)$/.test(text);
}

/** Keeps a key in `auth.json`, where only the user can read it; what else stands there stays as it is. */
export async function storeKey(vendor: string, key: string, host: HostEnvironment): Promise<void> {
  const path = userPaths(host).auth;
  hideFromNowOn(key);
  await updatePrivateFile(path, async (before) => {
    // A file that can't be understood must not lose the keys in it.
    await readJsonFile(path);
    return editJson(before?.trim() ? before : '{}\n', { path: [vendor], value: { type: 'api_key', key } });
  });
  newKeysOf(host)[vendor] = key;
}

/** By the path of `auth.json`. */
const newKeys = new Map<string, Record<string, string>>();

/** Keys that this process stored, by vendor. Open sessions hold the record and use each from their next request on. */
export function newKeysOf(host: HostEnvironment): Record<string, string> {
  const { auth } = userPaths(host);
  const known = newKeys.get(auth) ?? {};
  newKeys.set(auth, known);
  return known;
}

/** Takes a key out of `auth.json`; tells whether there was one. */
export async function removeKey(vendor: string, host: HostEnvironment): Promise<boolean> {
  const path = userPaths(host).auth;
  const file = await readJsonFile(path);
  const names = Object.keys(file?.value ?? {}).filter((name) => name.replaceAll('_', '-') === vendor);
  if (names.length === 0) return false;
  await updatePrivateFile(path, async (before = '{}') => {
    let text = before;
    for (const name of names) text = await editJson(text, { path: [name], value: undefined });
    return text;
  });
  delete newKeysOf(host)[vendor];
  return true;
}

/** Every key that is in use, in each form it may be echoed in, so that none of them is written down or handed on. */
export function knownSecrets(config: SecretSources, flags: KeyFlags = {}): readonly string[] {
  const { host, storedKeys, catalogue, settings, profiles } = config;
  const { vendors } = catalogue;
  const written = [...vendors, ...profiles].map(({ apiKey }) => resolveWritten(apiKey, host.env));
  const variables = { ...settings.env, ...host.env };
  const addresses = [
    flags.baseUrl,
    variables.SEARXNG_URL,
    ...vendors.flatMap(({ baseUrl, baseUrlVariable }) => [baseUrl, variables[baseUrlVariable ?? '']]),
    ...profiles.map(({ baseUrl }) => baseUrl),
    ...Object.values(settings.baseUrls),
  ];
  const all = [
    flags.apiKey,
    ...keyVariables(vendors).flatMap((name) => [host.env[name], settings.env[name]]),
    ...written,
    ...vendors.flatMap(({ headers }) => headerSecrets(headers ?? {}, host.env)),
    ...addresses.flatMap(passwordOf),
    ...[...Object.values(storedKeys), ...Object.values(settings.apiKeys)].filter((key) => !isKeyCommand(key)),
  ];
  return [...new Set(all.flatMap(secretForms))];
}

/** Those and the secrets of MCP servers, proxies and clouds; commands may need them, but they are never shown. */
export function secretsToHide(
  config: SecretSources & { readonly mcpServers?: readonly { readonly secrets?: readonly string[] }[] },
  flags: KeyFlags = {},
): readonly string[] {
  const ofServers = (config.mcpServers ?? []).flatMap(({ secrets = [] }) => secrets);
  const variables = { ...config.settings.cloudAccounts, ...config.host.env };
  const ofProxies = proxyVariables.flatMap((name) => passwordOf(withScheme(variables[name])));
  const ofClouds = cloudSecrets.map((name) => variables[name]);
  const others = [...ofServers, ...ofProxies, ...ofClouds].flatMap(secretForms);
  return [...new Set([...knownSecrets(config, flags), ...others])];
}

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);
const cloudSecrets = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AZURE_CLIENT_SECRET'];

/** Command line options that may hold a secret. */
interface KeyFlags {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
}

interface SecretSources {
  readonly host: { readonly env: KeySources['env'] };
  readonly storedKeys: StoredKeys;
  readonly catalogue: { readonly vendors: readonly Vendor[] };
  readonly settings: Pick<Settings, 'apiKeys' | 'baseUrls' | 'cloudAccounts' | 'env'>;
  readonly profiles: readonly { readonly apiKey?: string; readonly baseUrl?: string }[];
}

const secretHeaders = /auth|key|token|secret|cookie|password/i;

function headerSecrets(headers: Readonly<Record<string, string>>, env: KeySources['env']): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const resolved = secretHeaders.test(name)
      ? orElse(() => resolveHeader(name, value, env), value)
      : undefined;
    return resolved === undefined ? [] : [resolved, resolved.replace(/^\w+ /, '')];
  });
}

/** The password in an address, and the address that contains it. */
function passwordOf(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  return password === '' ? [] : [address, password, decoded(password)];
}

/** A percent sign may be a part of the password itself. */
function decoded(password: string): string {
  return orElse(() => decodeURIComponent(password), password);
}

function withScheme(address: string | undefined): string | undefined {
  return address === undefined || address.includes('://') ? address : `http://${address}`;
}

/** A secret as it is, without blanks around it, and as it looks in an address, in JSON, in hexadecimal and in Base64. */
export function secretForms(secret: string | undefined): string[] {
  const trimmed = secret?.trim() ?? '';
  if (trimmed === '' || secret === undefined) return [];
  const json = JSON.stringify(trimmed).slice(1, -1);
  const plain = [...new Set([secret, trimmed, ...inAddress(trimmed), json, json.replaceAll('/', '\\/')])];
  return trimmed.length < shortestEncoded ? plain : [...plain, ...encodedForms(Buffer.from(trimmed))];
}

/** A secret as a component, the path and the whole of an address, and as the value of a form, with escapes in either case. */
function inAddress(secret: string): readonly string[] {
  const whole = Buffer.from(secret).toString();
  const form = new URLSearchParams([['', whole]]).toString().slice(1);
  const component = encodeURIComponent(whole);
  const upper = [component, component.replaceAll('%2F', '/'), encodeURI(whole), form];
  return [...upper, ...upper.map((text) => text.replace(/%../g, (byte) => byte.toLowerCase()))];
}

/** Encodings of less may stand in a text by chance. */
const shortestEncoded = 16;

/** In Base64 a secret looks different at each of three places in a text; what its neighbours change is left out. */
function encodedForms(bytes: Buffer): string[] {
  const base64 = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const start = Math.ceil((offset * 8) / 6);
    const end = Math.floor((shifted.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((kind) => shifted.toString(kind).slice(start, end));
  });
  const hex = bytes.toString('hex');
  return [...new Set([...base64, hex, hex.toUpperCase()])];
}

/** The environment of the user and of the settings, for child processes. */
export function childEnvironment(config: SecretSources, flags: KeyFlags = {}): Record<string, string> {
  const { host, settings, catalogue } = config;
  const secrets = knownSecrets(config, flags);
  return withoutSecrets({ ...host.env, ...settings.env }, { vendors: catalogue.vendors, secrets });
}

/** The environment for children of the agent: without variables that hold a key, by their name or by their value. */
export function withoutSecrets(
  env: KeySources['env'],
  { vendors, secrets }: { vendors: readonly Vendor[]; secrets: readonly string[] },
): Record<string, string> {
  const names = new Set(keyVariables(vendors));
  const values = new Set(secrets.filter(({ length }) => length >= shortestSecret));
  const unmistakable = unmistakableSecrets(secrets);
  const kept = Object.entries(env).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    if (value === undefined || names.has(name) || values.has(value)) return false;
    return !unmistakable.some((secret) => value.includes(secret));
  });
  return Object.fromEntries(kept);
}

/** Secrets too long to occur in a text by chance; `ollama` may, where a server takes any key. */
export function unmistakableSecrets(secrets: readonly string[]): readonly string[] {
  return secrets.filter(({ length }) => length >= 16);
}

/** A key as short as this is a placeholder, such as `x`, and may be the value of anything. */
const shortestSecret = 8;
