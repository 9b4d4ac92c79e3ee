import { type ModelChoice, type ThinkingLevel, thinkingLevels } from '@robota-sdk/agent-core';
import type { SessionHandle } from '@robota-sdk/agent-sessions';
import type { CreateSessionOptions } from '../create-session-options.ts';
import { connectModel, defaultModelName, type ModelSources, noProvider } from '../providers/connect-model.ts';
import type { Registries } from '../registries.ts';
import { given } from './given.ts';

/** The model of a session and its fallbacks: the flag, what a resumed session used, the settings, what there is a key for. */
export function chooseModels(
  options: CreateSessionOptions,
  sources: ModelSources,
): [ModelChoice, ...ModelChoice[]] {
  const { settings, activeProfile } = options.config;
  const name =
    options.model ??
    choicesIn(options.handle).model ??
    settings.model ??
    activeProfile ??
    usable(settings.foreignModel, sources) ??
    defaultModelName(sources);
  if (name === undefined) throw noProvider(sources.warnings);
  const fallbacks = options.fallbackModels ?? settings.fallbackModels ?? [];
  const own = withoutFlags(sources);
  return [connectModel(name, sources), ...fallbacks.map((fallback) => connectModel(fallback, own))];
}

/** Where models, keys and adapters of a session come from. */
export function modelSources(options: CreateSessionOptions, { providers }: Registries): ModelSources {
  const { settings, host, storedKeys, catalogue, profiles } = options.config;
  return {
    catalogue,
    profiles,
    providers,
    keys: { flag: options.apiKey, env: host.env, stored: storedKeys, settings: settings.apiKeys },
    baseUrls: settings.baseUrls,
    baseUrl: options.baseUrl,
    allowInsecureHttp: options.allowInsecureHttp ?? settings.allowInsecureHttp,
    idleTimeoutMs: options.idleTimeoutMs ?? settings.idleTimeoutMs,
    warnings: options.config.warnings,
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

/** What a person chose in a session that is now resumed. */
export function choicesIn(handle: SessionHandle | undefined): { model?: string; thinking?: ThinkingLevel } {
  const path = handle?.path() ?? [];
  const model = path.findLast((entry) => entry.type === 'model_change');
  const level = path.findLast((entry) => entry.type === 'thinking_level_change')?.thinkingLevel;
  return {
    ...given('model', model && `${model.provider}/${model.modelId}`),
    ...given(
      'thinking',
      thinkingLevels.find((known) => known === level),
    ),
  };
}

/** A base URL and a key on the command line belong to the model on the command line. */
export function withoutFlags(sources: ModelSources): ModelSources {
  return { ...sources, baseUrl: undefined, keys: { ...sources.keys, flag: undefined } };
}
