import { isJsonObject, type JsonObject, type JsonValue, resolveModel } from '@robota-sdk/agent-core';
import { lineOfPath } from '../file/read-json.ts';
import type { SettingsLayer } from '../options/settings.ts';

type Report = (path: readonly string[], problem: string) => void;

/** Says what settings of Claude Code mean in our words; what has no counterpart costs only itself and is said. */
export function translateClaude(layer: SettingsLayer, warnings: string[]): SettingsLayer {
  const { sandbox, model, ...rest } = layer.value;
  const report: Report = (path, problem) => {
    const line = lineOfPath(layer.text, path);
    const place = line === undefined ? layer.source : `${layer.source}:${line}`;
    warnings.push(`${place}: ${path.join('.')}: ${problem}`);
  };
  if (!layer.fromProject) reportConnection(layer.value, report);
  const ownSandbox = isJsonObject(sandbox) ? sandboxOf(sandbox, report) : sandbox;
  const ownModel = typeof model === 'string' ? modelOf(model, report) : model;
  return {
    ...layer,
    value: {
      ...rest,
      ...(ownSandbox === undefined ? {} : { sandbox: ownSandbox }),
      ...(ownModel === undefined ? {} : { model: ownModel }),
    },
  };
}

/** Words for models that only Claude Code has, and the family each of them means. */
const modelWords: Readonly<Record<string, string>> = { opusplan: 'opus', best: 'opus' };

/** `default` leaves the choice open, as if nothing were said; `sonnet[1m]` is the model with a wider window. */
function modelOf(written: string, report: Report): string | undefined {
  const name = written.trim().replace(/\[\d+[km]\]$/i, '');
  if (name === 'default' || name === '') return undefined;
  const word = name.toLowerCase();
  const meant = (Object.hasOwn(modelWords, word) ? modelWords[word] : undefined) ?? name;
  if (isKnown(meant)) return meant;
  report(
    ['model'],
    `"${written}" is no model we know. It is ignored; name one with robota config set model.`,
  );
  return undefined;
}

/** Any other name would be taken for one of a server on this machine, which Claude Code never asks. */
function isKnown(name: string): boolean {
  const found = resolveModel(name);
  return found.ok && (found.vendor.id !== 'ollama' || /[/:]/.test(name));
}

/** Everything that maps; switched off, none of it matters. */
function sandboxOf(sandbox: JsonObject, report: Report): JsonObject | undefined {
  const { enabled, failIfUnavailable, network, filesystem, ...others } = sandbox;
  if (enabled !== true) return undefined;
  const files = partOf(filesystem);
  const { allowedDomains, ...otherNetwork } = partOf(network);
  const { allowWrite, denyRead, ...otherFiles } = files;
  const own: Record<string, JsonValue | undefined> = {
    mode: failIfUnavailable === true ? 'required' : 'auto',
    network: Array.isArray(allowedDomains) ? { allow: allowedDomains } : undefined,
    writable: pathsOf(allowWrite),
    hidden: pathsOf(denyRead),
  };
  const unused = [
    ...Object.entries(others).map(([key, value]) => [['sandbox', key], value] as const),
    ...Object.entries(otherNetwork).map(([key, value]) => [['sandbox', 'network', key], value] as const),
    ...Object.entries(otherFiles).map(([key, value]) => [['sandbox', 'filesystem', key], value] as const),
  ];
  for (const [path, value] of unused) if (says(value)) report(path, counterpartOf(path));
  return withoutUndefined(own);
}

function counterpartOf(path: readonly string[]): string {
  if (path.at(-1) === 'autoAllowBashIfSandboxed')
    return 'commands in the sandbox follow the permission rules too. Allow them with permissions.allow, such as Bash(*).';
  return 'our sandbox has nothing like it. It is ignored; see docs/sandbox.md.';
}

/** A list that is empty and a switch that is off ask for nothing. */
function says(value: JsonValue): boolean {
  return value !== false && value !== null && !(Array.isArray(value) && value.length === 0);
}

/** Claude Code writes absolute paths with two slashes. */
function pathsOf(value: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map((path: JsonValue) => (typeof path === 'string' ? path.replace(/^\/\//, '/') : path));
}

/** Connection settings of Claude Code; ours come from the environment only. */
function reportConnection({ env, apiKeyHelper }: JsonObject, report: Report): void {
  const own: Readonly<Record<string, string>> = {
    ANTHROPIC_BASE_URL: 'robota config set baseUrls.anthropic URL',
    ANTHROPIC_AUTH_TOKEN: 'export ANTHROPIC_AUTH_TOKEN=…',
    ANTHROPIC_API_KEY: 'robota login anthropic',
    ANTHROPIC_MODEL: 'robota config set model NAME',
  };
  const variables = Object.keys(partOf(env)).filter((name) => Object.hasOwn(own, name));
  for (const name of variables)
    report(['env', name], `it is handed to commands and hooks only. For Robota itself: ${own[name]}`);
  if (apiKeyHelper !== undefined)
    report(['apiKeyHelper'], 'it is not run. Store a key with robota login anthropic, or export its result.');
}

function partOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function withoutUndefined(value: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
