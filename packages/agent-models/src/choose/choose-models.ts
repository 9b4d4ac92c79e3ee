import { type Config, newKeysOf } from '@robota-sdk/agent-config';
import {
  AgentError,
  endSentence,
  errorMessage,
  findVendor,
  type ModelChoice,
  type ProviderFactory,
  type Registry,
  resolveModel,
  type ThinkingLevel,
  thinkingLevels,
} from '@robota-sdk/agent-core';
import { modelOn, type SessionHandle } from '@robota-sdk/agent-sessions';
import {
  connectModel,
  defaultModelName,
  type ModelSources,
  modelOption,
  noProvider,
} from '../connect/connect-model.ts';

/** Which model a session asks for, and what it may be reached with. */
export interface ModelSelection {
  readonly config: Config;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** True if a program chooses the model, not a command line. */
  readonly isProgram?: boolean | undefined;
  /** The session that is resumed, which continues with its last model. */
  readonly handle?: SessionHandle | undefined;
}

/** The model of a session and its fallbacks: the flag, what a resumed session used, the settings, what there is a key for. */
export function chooseModels(
  options: ModelSelection,
  sources: ModelSources,
): [ModelChoice, ...ModelChoice[]] {
  const ofSession = options.model === undefined ? modelOfSession(options, sources) : undefined;
  if (ofSession) return [ofSession, ...fallbacksOf(options, sources)];
  const { settings, host } = options.config;
  const foreignModel = host.env.ANTHROPIC_MODEL?.trim() || settings.foreignModel;
  // The model of another tool comes last as well, so that the error says what it lacks.
  const name =
    chosenName(options) ?? usable(foreignModel, sources) ?? defaultModelName(sources) ?? foreignModel;
  if (name === undefined) throw noProvider(sources);
  return [connectModel(name, sources), ...fallbacksOf(options, sources)];
}

/** The name of the model that a user chose for new sessions. */
export function chosenName({ model, config }: ModelSelection): string | undefined {
  const { settings, activeProfile } = config;
  const configured = settings.model ?? activeProfile;
  return model ?? anthropicModel(config, configured) ?? configured;
}

/** `ANTHROPIC_MODEL` chooses among the models of Anthropic, so it leaves a model of another vendor alone. */
function anthropicModel(
  { host: { env }, catalogue, profiles }: Config,
  configured: string | undefined,
): string | undefined {
  const name = env.ANTHROPIC_MODEL?.trim();
  if (!name || configured === undefined) return undefined;
  const resolved = resolveModel(configured, { catalogue, profiles, env });
  return resolved.ok && resolved.vendor.id === 'anthropic' && !resolved.profile ? name : undefined;
}

/** The name under which a resumed session finds its model again. */
export function resumedName(
  { handle }: ModelSelection,
  sources: Pick<ModelSources, 'profiles' | 'catalogue'>,
) {
  const name = handle && modelOn(handle);
  return name === undefined ? undefined : (profileOf(name, sources) ?? name);
}

function fallbacksOf(options: ModelSelection, sources: ModelSources): ModelChoice[] {
  const fallbacks = options.config.settings.fallbackModels ?? [];
  const own = withoutFlags(sources);
  return fallbacks.map((fallback) => connectModel(fallback, own));
}

/** A resumed session keeps its last model. The model of another program may be unavailable. */
function modelOfSession(request: ModelSelection, sources: ModelSources): ModelChoice | undefined {
  const { handle } = request;
  const name = resumedName(request, sources);
  if (name === undefined) return undefined;
  try {
    return connectModel(name, sources);
  } catch (thrown) {
    if (handle?.header.importedFrom !== undefined) return undefined;
    const why = endSentence(errorMessage(thrown));
    const advice = `Make it available again, or resume with another model: ${modelOption('MODEL', sources)}.`;
    throw new AgentError(
      'no-provider',
      `The session used ${handle && modelOn(handle)}, which cannot be reached now. ${why}\n${advice}`,
    );
  }
}

/** The profile a model was reached by; one that leads to another server only where nothing else knows the vendor. */
function profileOf(
  name: string,
  { profiles, catalogue }: Pick<ModelSources, 'profiles' | 'catalogue'>,
): string | undefined {
  const isKnown = findVendor(catalogue, name.slice(0, name.indexOf('/'))) !== undefined;
  return profiles.find(
    ({ vendor, model, baseUrl }) =>
      (vendor === undefined ? name.endsWith(`/${model}`) : name === `${vendor}/${model}`) &&
      !(isKnown && baseUrl !== undefined),
  )?.name;
}

/** The sources of models, keys and adapters. */
export function modelSources(
  options: ModelSelection,
  { providers }: { readonly providers: Registry<ProviderFactory> },
): ModelSources {
  const { settings, host, storedKeys, catalogue, profiles } = options.config;
  return {
    catalogue,
    profiles,
    providers,
    keys: {
      flag: options.apiKey,
      env: host.env,
      stored: storedKeys,
      fresh: newKeysOf(host),
      settings: settings.apiKeys,
    },
    baseUrls: settings.baseUrls,
    cloudAccounts: settings.cloudAccounts,
    toolProtocols: settings.toolProtocols,
    baseUrl: options.baseUrl,
    allowInsecureHttp: settings.allowInsecureHttp,
    idleTimeoutMs: settings.idleTimeoutMs,
    keepAlive: settings.local.keepAlive,
    problems: options.config.problems,
    isProgram: options.isProgram,
  };
}

/** Other tools reach vendors that we do not: their model counts only where we can reach it. */
function usable(name: string | undefined, sources: ModelSources): string | undefined {
  if (name === undefined) return undefined;
  try {
    connectModel(name, sources);
    return name;
  } catch {
    return undefined;
  }
}

/** The thinking level chosen in a resumed session. */
export function thinkingIn(handle: SessionHandle | undefined): ThinkingLevel | undefined {
  const [last] = handle?.backwards('thinking_level_change') ?? [];
  return thinkingLevels.find(
    (known) => last?.type === 'thinking_level_change' && known === last.thinkingLevel,
  );
}

/** A base URL and a key on the command line belong to the model on the command line. */
export function withoutFlags(sources: ModelSources): ModelSources {
  return { ...sources, baseUrl: undefined, keys: { ...sources.keys, flag: undefined } };
}
