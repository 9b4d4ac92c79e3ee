import {
  baseUrlProblem,
  findKey,
  findToken,
  hasKey,
  isKeyCommand,
  type KeySources,
  keyCommand,
  resolveHeader,
  unsetVariable,
  writtenKey,
} from '@robota-sdk/agent-config';
import {
  AgentError,
  type Catalogue,
  type CloudName,
  defaultIdleTimeoutMs,
  endpointOf,
  endSentence,
  guessedName,
  guessHint,
  isLoopback,
  type Model,
  type ModelChoice,
  type ModelFailure,
  type ModelProvider,
  type ModelRequest,
  type Problem,
  type Profile,
  type ProviderFactory,
  type Registry,
  resolveModel,
  type ToolProtocol,
  type Vendor,
} from '@robota-sdk/agent-core';
import { lazyProvider } from './lazy-provider.ts';

/** Everything that decides how a model is reached. */
export interface ModelSources {
  readonly catalogue: Catalogue;
  readonly profiles: readonly Profile[];
  readonly providers: Registry<ProviderFactory>;
  readonly keys: KeySources;
  readonly baseUrls: Readonly<Record<string, string>>;
  /** Variables of cloud accounts that the environment lacks. */
  readonly cloudAccounts?: Readonly<Record<string, string>> | undefined;
  /** From the command line: holds for the chosen model, whatever its vendor. */
  readonly baseUrl?: string | undefined;
  readonly allowInsecureHttp?: boolean | undefined;
  readonly idleTimeoutMs?: number | undefined;
  /** How long a server on this machine keeps a model in memory. */
  readonly keepAlive?: string | undefined;
  /** How single models call tools, by `vendor/id` or id. */
  readonly toolProtocols?: Readonly<Record<string, ToolProtocol>> | undefined;
  /** How every model calls tools, whatever is said elsewhere. */
  readonly toolProtocol?: ToolProtocol | undefined;
  /** Takes the keys out of what servers say. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Problems of settings files: they may explain a missing model. */
  readonly problems?: readonly Problem[] | undefined;
  /** True if a program chooses the model: errors name its options instead of flags. */
  readonly isProgram?: boolean | undefined;
}

/** Finds a model by name and the way to it. Throws what a user can act on. */
export function connectModel(name: string, sources: ModelSources): ModelChoice {
  const resolved = resolveModel(reachableName(name, sources), { ...sources, env: sources.keys.env });
  if (!resolved.ok) throw new AgentError('unknown-model', resolved.error, { problems: sources.problems });
  const { vendor, profile } = resolved;
  const baseUrl = sources.baseUrl ?? profile?.baseUrl ?? sources.baseUrls[vendor.id];
  const endpoint = endpointOf(vendor, {
    modelApi: resolved.model.api,
    api: profile?.api,
    baseUrl,
    env: sources.keys.env,
  });
  assertUrl(endpoint.baseUrl, vendor);
  const needsKey = vendor.needsKey && !vendor.cloud && endpoint.baseUrl === vendor.baseUrl;
  const present = accessTo(vendor, profile, sources);
  if (needsKey && Object.values(present).every((each) => each === undefined))
    throw missingKey(vendor, sources);
  const factory = sources.providers.get(endpoint.api);
  if (!factory)
    throw new AgentError('config', `Nothing here speaks the API "${endpoint.api}" of ${vendor.name}.`);
  const headers = headersOf(vendor, sources.keys.env);
  const fixed = {
    vendor: vendor.id,
    baseUrl: endpoint.baseUrl,
    ...(sources.allowInsecureHttp ? { allowInsecureHttp: true } : {}),
    ...idleTimeoutOf(endpoint, sources),
    ...(sources.keepAlive === undefined ? {} : { keepAlive: sources.keepAlive }),
  };
  const complete = async (signal: AbortSignal) => {
    const { token, command, apiKey } = accessTo(vendor, profile, sources);
    const key = command === undefined ? apiKey : await runCommand(command, sources, signal);
    const bearer = token ?? (vendor.authHeader ? key : undefined);
    return {
      ...fixed,
      ...(await credentials(key, { vendor, baseUrl: endpoint.baseUrl, sources })),
      headers: {
        ...headers,
        ...(await commandHeaders(vendor, sources, signal)),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
    };
  };
  const hints = {
    name: isGuess(name, resolved) ? ` ${guessHint(name)}` : '',
    key: keyHint(vendor, profile, sources),
    account: vendor.cloud ? accountHints[vendor.cloud] : undefined,
  };
  const toolProtocol = toolProtocolOf(resolved, sources);
  const { server } = resolved.model.compat ?? {};
  const served = server === undefined ? factory : usingServer(factory);
  const speaking = toolProtocol === 'xnl' ? writingCalls(served) : served;
  const version = () => sources.keys.fresh?.[vendor.id];
  const commands = [present.command ?? '', ...Object.values(vendor.headers ?? {})].filter(isKeyCommand);
  const renew = commands.length === 0 ? undefined : () => forgetKeys(commands);
  const provider = lazyProvider(speaking, { vendor: vendor.id, complete, version, renew }, (failure) =>
    amended(failure, hints, sources),
  );
  const model = { ...resolved.model, api: endpoint.api };
  const choice = { model: toolProtocol === undefined ? model : { ...model, toolProtocol }, provider };
  if (keepsPrompts(model, endpoint)) return { ...choice, provider: readingAhead(provider) };
  const isPlain = endpoint.api === 'anthropic' && toolProtocol !== 'xnl';
  return isPlain ? { ...choice, provider: { ...provider, prepare } } : choice;
}

/** A custom address must be one that requests can be sent to. */
function assertUrl(address: string, vendor: Vendor): void {
  const problem = baseUrlProblem(address, vendor);
  if (problem !== undefined)
    throw new AgentError('config', `Base URL of ${vendor.name}: ${problem}`, { subject: vendor.id });
}

/** Only requests to Anthropic's API are encoded incrementally. Needs no connection, whose key a command may have to print. */
async function prepare(request: ModelRequest): Promise<void> {
  const { prepareAnthropicRequest } = await import('@robota-sdk/agent-provider-anthropic');
  prepareAnthropicRequest(request);
}

/**
 * True for servers on this machine that keep a prompt which they have read: it costs nothing to have it read early. Ollama
 * passes requests for its cloud models on.
 */
function keepsPrompts({ api, id, compat }: Model, { baseUrl }: { readonly baseUrl: string }): boolean {
  const isOllama = api === 'ollama' && !/[:-]cloud$/.test(id);
  return isLocal(baseUrl) && (isOllama || compat?.server === 'llama.cpp');
}

function readingAhead(provider: ModelProvider): ModelProvider {
  return {
    ...provider,
    readAhead: async (request) => {
      const { readAhead } = await import('../local/read-ahead.ts');
      await readAhead(provider, request);
    },
  };
}

/** The key of a vendor as it is now: a bearer token, the command that prints it, or the key itself. */
function accessTo(vendor: Vendor, profile: Profile | undefined, sources: ModelSources) {
  const token = findToken(vendor, sources.keys);
  if (token !== undefined) return { token, command: undefined, apiKey: undefined };
  const command = keyCommand(vendor, { ...sources.keys, profile: profile?.apiKey });
  return { token, command, apiKey: command === undefined ? keyOf(vendor, profile, sources) : undefined };
}

/** A model on this machine may have to be loaded, and reads a long prompt for minutes without a sign of life. */
const localIdleTimeoutMs = 10 * 60_000;

function idleTimeoutOf(
  { baseUrl }: { readonly baseUrl: string },
  { idleTimeoutMs = defaultIdleTimeoutMs }: ModelSources,
): { readonly idleTimeoutMs: number } {
  const isPatient = isLocal(baseUrl) && idleTimeoutMs === defaultIdleTimeoutMs;
  return { idleTimeoutMs: isPatient ? localIdleTimeoutMs : idleTimeoutMs };
}

function isLocal(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).host);
}

/** The key for the vendor, or the account of the cloud, which may take a key of its own. */
async function credentials(
  apiKey: string | undefined,
  { vendor, baseUrl, sources }: { vendor: Vendor; baseUrl: string; sources: ModelSources },
) {
  const { cloud } = vendor;
  if (!cloud) return apiKey === undefined ? {} : { apiKey };
  const { openCloudAccount } = await import('./cloud-account.ts');
  return { account: await openCloudAccount(cloud, { vendor, apiKey, baseUrl }, sources) };
}

/** A model that several vendors offer is asked of the one there is a key for, unless the name says which. */
function reachableName(name: string, { catalogue, profiles, keys }: ModelSources): string {
  if (profiles.some((profile) => profile.name === name)) return name;
  const wanted = name.trim().toLowerCase();
  const owners = catalogue.models.filter(({ id }) => id.toLowerCase() === wanted);
  if (owners.length < 2) return name;
  const vendors = owners.flatMap(({ vendor }) => catalogue.vendors.find(({ id }) => id === vendor) ?? []);
  const reachable = vendors.find((vendor) => !vendor.needsKey || hasKey(vendor, keys));
  return reachable === undefined ? name : `${reachable.id}/${wanted}`;
}

function toolProtocolOf(
  { model, profile }: { readonly model: Model; readonly profile?: Profile },
  { toolProtocols = {}, toolProtocol }: ModelSources,
): ToolProtocol | undefined {
  const named = toolProtocols[`${model.vendor}/${model.id}`] ?? toolProtocols[model.id];
  return toolProtocol ?? profile?.toolProtocol ?? named ?? model.toolProtocol;
}

/** The same adapter for a model that writes its calls into its text. */
function writingCalls(factory: ProviderFactory): ProviderFactory {
  return async (connection) => {
    const { xnlProvider } = await import('../xnl/xnl-provider.ts');
    return xnlProvider(await factory(connection));
  };
}

/** The same adapter for a server that enforces schemas. */
function usingServer(factory: ProviderFactory): ProviderFactory {
  return async (connection) => {
    const provider = await factory(connection);
    return (await import('../local/answer-schema.ts')).enforcingSchema(provider);
  };
}

/** The model to use when none was named: of the first vendor there is a key for. */
export function defaultModelName(sources: ModelSources): string | undefined {
  const vendor = sources.catalogue.vendors.find(
    (candidate) => candidate.needsKey && hasKey(candidate, sources.keys),
  );
  return vendor && `${vendor.id}/${vendor.defaultModel}`;
}

/** The error if no provider is configured. */
export function noProvider(sources: ModelSources): AgentError {
  const [local, offline] = ['ollama/MODEL', 'offline'].map((name) => modelOption(name, sources).padEnd(21));
  const details = [
    'Or do one of these:',
    '  export ANTHROPIC_API_KEY=…   (or ANTHROPIC_AUTH_TOKEN, OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY, …)',
    `  add ${local} for a model on this machine`,
    `  add ${offline} to try Robota without AI, by rules`,
    '  set "model" in ~/.robota/settings.json',
  ];
  const hint = { text: 'Store the key of a vendor with', run: ['login'] };
  return new AgentError('no-provider', 'No model is configured.', {
    hint,
    details,
    problems: sources.problems,
  });
}

/** The choice of a model as its user writes it. */
export function modelOption(name: string, { isProgram }: Pick<ModelSources, 'isProgram'>): string {
  return isProgram ? `model: "${name}"` : `--model ${name}`;
}

function missingKey(vendor: Vendor, sources: ModelSources): AgentError {
  const [variable = 'its key'] = vendor.keyVariables;
  const text = `Set ${variable}, use ${modelOption('offline', sources)}, or store a key with`;
  return new AgentError('no-provider', `No key for ${vendor.name}.`, {
    subject: vendor.id,
    hint: { text, run: ['login', vendor.id] },
    problems: sources.problems,
  });
}

/** The key, or an error where a file leaves it to a variable that is not set: its name is no key. */
function keyOf(vendor: Vendor, profile: Profile | undefined, { keys }: ModelSources): string | undefined {
  const sources = { ...keys, profile: profile?.apiKey };
  const key = findKey(vendor, sources);
  const written = key === undefined ? writtenKey(vendor, sources) : undefined;
  if (written === undefined) return key;
  const user = profile ? `the profile "${profile.name}"` : vendor.name;
  const variable = unsetVariable(written.text, keys.env);
  if (variable === undefined) return key;
  throw new AgentError(
    'no-provider',
    `No key for ${user}: the environment variable ${variable} is not set (from ${written.place}). Set it, or write the key there.`,
  );
}

/** True if the vendor was only guessed: any name that nothing else explains is taken for one of Ollama. */
function isGuess(name: string, { vendor, profile }: { vendor: Vendor; profile?: Profile }): boolean {
  return !profile && guessedName(name, { vendor: vendor.id, id: name });
}

function amended(
  failure: ModelFailure,
  hints: { readonly name: string; readonly key: string; readonly account: AccountHint | undefined },
  { redact }: ModelSources,
): ModelFailure {
  const { code } = failure;
  const message = redact?.(failure.message) ?? failure.message;
  const added = [
    code === 'network' || code === 'model-not-found' ? hints.name : '',
    // An account without a server's answer says itself what it lacks.
    code === 'auth' && (failure.status !== undefined || !hints.account)
      ? hints.key || (hints.account?.(failure) ?? '')
      : '',
  ].join('');
  return { ...failure, message: added === '' ? message : endSentence(message) + added };
}

type AccountHint = (failure: ModelFailure) => string;

/** Advice for an account whose credentials a cloud refuses. */
const accountHints: Readonly<Record<CloudName, AccountHint>> = {
  bedrock: ({ reason }) =>
    reason === 'AccessDeniedException'
      ? ' Request access to the model, and check the permission bedrock:InvokeModelWithResponseStream.'
      : ' Renew the AWS credentials, for example with: aws sso login',
  vertex: () => ' Enable the model in the Model Garden, and check the role Vertex AI User and the project.',
  azure: () => ' Check the role Cognitive Services OpenAI User of the account.',
};

/** Names the origin of a refused key, and how to replace it there. */
function keyHint(vendor: Vendor, profile: Profile | undefined, { keys }: ModelSources): string {
  if (keys.flag !== undefined) return '';
  const variable = vendor.keyVariables.find((name) => keys.env[name]);
  if (variable !== undefined) return ` Set another key in ${variable}.`;
  const { place } = writtenKey(vendor, { ...keys, profile: profile?.apiKey }) ?? {};
  if (place === undefined) return '';
  return keys.stored[vendor.id] === undefined
    ? ` Replace the key in ${place}.`
    : ` Replace the key in ${place} with robota login ${vendor.id}, or /login ${vendor.id} in a session.`;
}

/** Headers whose values are written, or stand in variables. */
function headersOf(vendor: Vendor, env: KeySources['env']): Record<string, string> {
  const written = Object.entries(vendor.headers ?? {}).filter(([, value]) => !isKeyCommand(value));
  const betas = vendor.api === 'anthropic' ? env.ANTHROPIC_BETAS?.trim() : undefined;
  return {
    ...(betas ? { 'anthropic-beta': betas } : {}),
    ...Object.fromEntries(written.map(([name, value]) => [name, resolveHeader(name, value, env)])),
  };
}

/** Headers whose values a command prints. */
async function commandHeaders(
  { headers = {} }: Vendor,
  { keys }: ModelSources,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const commands = Object.entries(headers).filter(([, value]) => isKeyCommand(value));
  if (commands.length === 0) return {};
  const { printHeaders } = await import('./key-command.ts');
  return printHeaders(Object.fromEntries(commands), keys.env, signal);
}

async function runCommand(command: string, { keys }: ModelSources, signal: AbortSignal): Promise<string> {
  const { runKeyCommand } = await import('./key-command.ts');
  return runKeyCommand(command, keys.env, signal);
}

async function forgetKeys(commands: readonly string[]): Promise<void> {
  const { forgetPrinted } = await import('./key-command.ts');
  forgetPrinted(commands);
}
