import { AgentError, nearest, type UserInterface } from '@robota-sdk/agent-core';
import type { PluginContext, PluginScope } from '@robota-sdk/agent-resources';
import { pluginRow } from './admin-rows.ts';
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

const known = (pluginRow.options ?? []).filter(({ isShellOnly }) => !isShellOnly);

/** Reads options wherever they stand among the words. */
export function readRequest(given: readonly string[]): PluginRequest {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? '';
    if (!/^--?[a-z]/.test(word)) {
      words.push(word);
      continue;
    }
    const [, name = '', inline] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const option = known.find((each) => each.name === name || each.short === name);
    if (!option || (option.value === undefined && inline !== undefined)) unknown(name);
    else options.set(option.name, option.value === undefined ? '' : (inline ?? given[++at] ?? missing(name)));
  }
  const scope = options.get('scope');
  if (scope !== undefined && scope !== 'user' && scope !== 'project')
    throw new AgentError('usage', `--scope ${scope}: choose user or project.`);
  const category = options.get('category');
  return {
    words,
    yes: options.has('yes'),
    wasm: options.has('wasm'),
    ...(scope === undefined ? {} : { scope }),
    ...(category === undefined ? {} : { category }),
  };
}

/** The single word that a request needs. */
export function onlyWord({ words }: PluginRequest, usage: string): string {
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

function missing(name: string): never {
  throw new AgentError('usage', `--${name} needs a value.`);
}

function unknown(name: string): never {
  const [near] = nearest(
    name,
    known.map((option) => option.name),
  );
  throw new AgentError(
    'usage',
    `Unknown option --${name}.${near === undefined ? '' : ` Did you mean --${near}?`}`,
  );
}
