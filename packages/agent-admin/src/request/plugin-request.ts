import { readOptions } from '@robota-sdk/agent-config';
import { AgentError, type UserInterface } from '@robota-sdk/agent-core';
import type { PluginContext, PluginScope } from '@robota-sdk/agent-resources';
import { pluginRow, requestOptions } from './admin-rows.ts';
import type { CommandPrefix } from './name-commands.ts';

/** Services of plugin requests, including the user interface. */
export interface PluginRequestServices extends PluginContext {
  readonly ui: UserInterface;
  /** How the user calls commands, `robota ` by default. */
  readonly prefix?: CommandPrefix;
}

/** The result of a request. */
export interface PluginAnswer {
  readonly text: string;
  readonly isOk: boolean;
  /** For programs. */
  readonly data?: unknown;
}

/** The words of a request, read. */
export interface PluginRequest {
  readonly words: readonly string[];
  /** Agree to everything beforehand. */
  readonly yes: boolean;
  /** A new plugin is to be WebAssembly. */
  readonly wasm: boolean;
  readonly scope?: PluginScope;
  readonly category?: string;
}

/** Reads options wherever they stand among the words. */
export function readRequest(given: readonly string[]): PluginRequest {
  const options = readOptions(given, requestOptions(pluginRow));
  const scope = options.value('scope');
  if (scope !== undefined && scope !== 'user' && scope !== 'project')
    throw new AgentError('usage', `--scope ${scope}: choose user or project.`);
  const category = options.value('category');
  return {
    words: options.words,
    yes: options.has('yes'),
    wasm: options.has('wasm'),
    ...(scope === undefined ? {} : { scope }),
    ...(category === undefined ? {} : { category }),
  };
}

/** The single word that a request needs. */
export function requiredWord({ words }: PluginRequest, usage: string): string {
  const [word, ...rest] = words;
  if (word !== undefined && rest.length === 0) return word;
  throw new AgentError('usage', `Use: {robota}plugin ${usage}.`);
}

/** Asks for confirmation; throws if no user is available. */
export async function agrees(
  { ui, signal }: PluginRequestServices,
  { yes }: Pick<PluginRequest, 'yes'>,
  question: { readonly title: string; readonly detail: string },
): Promise<boolean> {
  if (yes) return true;
  const answer = await ui.ask({ kind: 'confirm', ...question }, signal);
  if (answer.kind !== 'unavailable') return answer.kind === 'confirmed' && answer.yes;
  const advice = 'No user is available to confirm: read this, and add --yes if you agree.';
  throw new AgentError('usage', `${advice}\n${question.title}\n${question.detail}`);
}
