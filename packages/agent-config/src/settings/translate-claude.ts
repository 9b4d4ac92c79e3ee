import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Problem,
  type ProblemHint,
  resolveModel,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import { lineOfPath } from '../file/read-json.ts';
import type { SettingsLayer } from '../options/settings.ts';

type Report = (path: readonly string[], message: string, hint: ProblemHint) => void;

/** Translates settings of Claude Code to ours; what has no counterpart is reported and ignored. */
export function translateClaude(layer: SettingsLayer, problems: Problem[]): SettingsLayer {
  const { sandbox, model, apiKeyHelper, apiKeys, ...rest } = layer.value;
  const report: Report = (path, message, hint) => {
    const source = { file: layer.source, line: lineOfPath(layer.text, path) };
    const subject = path.join('.');
    const code = isAllowance(path) ? 'setting.untranslated-allowance' : 'setting.untranslated';
    problems.push(
      warning(code, sentence`${{ setting: subject }}: ${{ reason: message }}`, {
        subject,
        source,
        hint,
        isInactive: subject === 'apiKeyHelper',
      }),
    );
  };
  if (!layer.fromProject) reportConnection(layer.value, report);
  const ownSandbox = isJsonObject(sandbox) ? sandboxOf(sandbox, report) : sandbox;
  const mayRunHelper = !layer.fromProject && !hasGateway(layer.value);
  const ownKeys = mayRunHelper ? keysOf(apiKeyHelper, apiKeys) : apiKeys;
  const ownModel = typeof model === 'string' ? modelOf(model, report) : model;
  return {
    ...layer,
    value: {
      ...rest,
      ...(ownSandbox === undefined ? {} : { sandbox: ownSandbox }),
      ...(ownModel === undefined ? {} : { model: ownModel }),
      ...(ownKeys === undefined ? {} : { apiKeys: ownKeys }),
      ...(layer.fromProject && apiKeyHelper !== undefined ? { apiKeyHelper } : {}),
    },
  };
}

/** A key for a gateway that only Claude Code uses must not be sent elsewhere. */
function hasGateway({ env }: JsonObject): boolean {
  return partOf(env).ANTHROPIC_BASE_URL !== undefined;
}

/** The helper prints the key for Anthropic, as `!command` does in our settings. */
function keysOf(helper: JsonValue | undefined, keys: JsonValue | undefined): JsonValue | undefined {
  if (typeof helper !== 'string' || helper.trim() === '') return keys;
  return { anthropic: `!${helper}`, ...partOf(keys) };
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
  const hint = { text: 'Choose one with', run: ['config', 'set', 'model', 'NAME'] };
  report(['model'], `Unknown model "${written}". The setting is ignored.`, hint);
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
  for (const [path, value] of unused) if (says(value)) report(path, ...counterpartOf(path));
  return withoutUndefined(own);
}

function counterpartOf(path: readonly string[]): readonly [message: string, hint: string] {
  if (path.at(-1) === 'autoAllowBashIfSandboxed')
    return [
      'Commands in the sandbox follow the permission rules too.',
      'Allow them with permissions.allow, such as Bash(*).',
    ];
  const effect = isAllowance(path) ? 'so commands can do less' : 'so it protects nothing';
  return [`The sandbox has no such setting, ${effect}.`, 'See docs/sandbox.md.'];
}

/** Settings of the sandbox that only allow more, or say how to start it. Without them it is stricter. */
const allowances: ReadonlySet<string> = new Set(
  (
    'excludedCommands allowUnsandboxedCommands ignoreViolations enableWeakerNestedSandbox ripgrep bwrapPath socatPath ' +
    'enableWeakerNetworkIsolation allowNestedUserNamespaces allowAppleEvents network.allowUnixSockets ' +
    'network.allowAllUnixSockets network.allowLocalBinding network.allowMachLookup filesystem.allowRead'
  ).split(' '),
);

function isAllowance([first, ...rest]: readonly string[]): boolean {
  return first === 'sandbox' && allowances.has(rest.join('.'));
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
function reportConnection(value: JsonObject, report: Report): void {
  const text = 'For Robota itself';
  const own: Readonly<Record<string, ProblemHint>> = {
    ANTHROPIC_BASE_URL: { text, run: ['config', 'set', 'baseUrls.anthropic', 'URL'] },
    ANTHROPIC_AUTH_TOKEN: `${text}: export ANTHROPIC_AUTH_TOKEN=…`,
    ANTHROPIC_API_KEY: { text, run: ['login', 'anthropic'] },
    ANTHROPIC_MODEL: { text, run: ['config', 'set', 'model', 'NAME'] },
  };
  for (const name of Object.keys(partOf(value.env))) {
    const hint = Object.hasOwn(own, name) ? own[name] : undefined;
    if (hint !== undefined) report(['env', name], 'It is passed to commands and hooks only.', hint);
  }
  if (value.apiKeyHelper !== undefined && hasGateway(value)) {
    const hint: ProblemHint = {
      text: 'Set the address as well',
      run: ['config', 'set', 'baseUrls.anthropic', 'URL'],
    };
    report(['apiKeyHelper'], 'It is not run, since its key is for another address.', hint);
  }
}

function partOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function withoutUndefined(value: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
