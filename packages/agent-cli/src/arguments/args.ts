import { existsSync, statSync } from 'node:fs';
import {
  AgentError,
  type MoreValues,
  nearest,
  type ProblemHint,
  splitRules,
} from '@robota-sdk/agent-sdk/front-end';
import { adviceFor } from './advice.ts';
import { type OptionName, type OptionSpec, optionSpecs as specs } from './options.ts';
import { translateOptions } from './translated-options.ts';

/** The command line, read. */
export interface Arguments {
  /** Words that are no option, in order. */
  readonly words: readonly string[];
  has(name: OptionName): boolean;
  /** The last value given. */
  value(name: OptionName): string | undefined;
  values(name: OptionName): readonly string[];
}

/** Reads the command line; anything it can't make sense of is an error that names what was probably meant. */
export function parseArguments(commandLine: readonly string[]): Arguments {
  const argv = [...translateOptions(commandLine)];
  const words: string[] = [];
  const given = new Map<string, string[]>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') {
      words.push(...argv.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const letters = shortOptions(word);
    if (letters.length > 1) {
      argv.splice(index--, 1, ...letters);
      continue;
    }
    const { spec, inline } = findOption(word);
    const next = argv[index + 1];
    const isAlone = spec.optional === true && inline === undefined && (next === undefined || isOption(next));
    const value = isAlone ? '' : readValue(spec, inline, next);
    if (spec.value !== undefined && inline === undefined && !isAlone) index++;
    const values = [value];
    while (inline === undefined && takesMore(spec, word, argv[index + 1])) values.push(argv[++index] ?? '');
    if (spec.name === 'continue' && word === '-c') refuseSetting(argv[index + 1]);
    given.set(spec.name, [...(given.get(spec.name) ?? []), ...values]);
  }
  return {
    words,
    has: (name) => given.has(name),
    value: (name) => given.get(name)?.at(-1),
    values: (name) => given.get(name) ?? [],
  };
}

/** `-pc` is `-p -c`: all but the last must be switches. */
function shortOptions(word: string): readonly string[] {
  if (!/^-[A-Za-z]{2,}$/.test(word) || specs.some((spec) => matches(spec, word))) return [];
  const letters = [...word.slice(1)].map((letter) => `-${letter}`);
  const isValid = letters.every((letter, index) =>
    specs.some((spec) => matches(spec, letter) && (spec.value === undefined || index === letters.length - 1)),
  );
  return isValid ? letters : [];
}

/** Codex has settings behind `-c`, which would become a prompt here. */
function refuseSetting(next: string | undefined): void {
  if (!/^[A-Za-z_][\w.-]*=\S*$/.test(next ?? '')) return;
  const hint = adviceFor('--config');
  throw new AgentError(
    'usage',
    `-c continues the last session; it takes no settings such as ${next}. ${hint} If it is a prompt, write it after "--".`,
  );
}

/** True if a word behind a value is one more of the same option, as Claude Code writes several. */
function takesMore({ more }: OptionSpec, option: string, word: string | undefined): boolean {
  if (!more || word === undefined || word.startsWith('-')) return false;
  const name = option.replace(/^--?/, '');
  if (more.names && !more.names.includes(name)) return false;
  return isValueOf[more.kind](word);
}

/** A value must not look like a prompt. */
const isValueOf: Readonly<Record<MoreValues['kind'], (word: string) => boolean>> = {
  rules: (word) => splitRules(word).every((part) => rule.test(part)),
  directories: (word) => statSync(word, { throwIfNoEntry: false })?.isDirectory() ?? false,
  files: (word) => word.trimStart().startsWith('{') || (word.endsWith('.json') && existsSync(word)),
};

const toolNames =
  'Agent|AskUser|AskUserQuestion|Bash|BashOutput|Edit|ExitPlanMode|Glob|Grep|KillShell|LS|McpCall|MultiEdit|NotebookEdit|NotebookRead|Read|Skill|SlashCommand|Task|TodoWrite|ToolSearch|WebFetch|WebSearch|Write';

/** A tool, one of an MCP server, or either with what it is called with. */
const rule = new RegExp(`^(?:(?:${toolNames})(?:\\([^]*\\))?|[A-Z]\\w*\\([^]*\\)|mcp__[\\w*-]+)$`);

function findOption(word: string): { spec: OptionSpec; inline: string | undefined } {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const inline = equals < 0 ? undefined : word.slice(equals + 1);
  const spec = specs.find((candidate) => matches(candidate, name));
  if (spec) return { spec, inline };
  if (/^-c./.test(word)) refuseSetting(word.slice(2));
  throw new AgentError('usage', `Unknown option ${name}.`, { hint: hintFor(name) });
}

function hintFor(name: string): ProblemHint {
  const bare = name.replace(/^--?/, '');
  const familiar = adviceFor(name);
  if (familiar !== undefined) return familiar;
  const known = specs.flatMap((candidate) => [candidate.name, ...(candidate.aliases ?? [])]);
  const [near] = nearest(bare, known);
  return near === undefined ? { text: 'See', run: ['--help'] } : `Did you mean --${near}?`;
}

function matches(spec: OptionSpec, name: string): boolean {
  const bare = name.replace(/^--?/, '');
  if (name.startsWith('--')) return spec.name === bare || (spec.aliases?.includes(bare) ?? false);
  if (spec.short === bare || (spec.shorts?.includes(bare) ?? false)) return true;
  return bare === 'nc' && spec.name === 'no-context-files';
}

/** A value may begin with a dash, as a list in a prompt does, but an option in its place means that it was forgotten. */
function isOption(word: string): boolean {
  if (!word.startsWith('-')) return false;
  return word.startsWith('--') || specs.some((spec) => matches(spec, word));
}

function readValue(spec: OptionSpec, inline: string | undefined, next: string | undefined): string {
  if (spec.value === undefined) {
    if (inline === undefined || spec.ignoresValue) return '';
    throw new AgentError('usage', `--${spec.name} takes no value.`);
  }
  const value = inline ?? next;
  if (value === undefined || (inline === undefined && isOption(value))) {
    throw new AgentError('usage', `--${spec.name} needs a value: --${spec.name} ${spec.value}.`);
  }
  if (spec.choices && !spec.choices.includes(value)) {
    const familiar = adviceFor(`--${spec.name}=${value}`);
    const [near] = nearest(value, spec.choices);
    const guess = near === undefined ? '' : ` Did you mean ${near}?`;
    const hint = familiar === undefined ? guess : ` ${familiar}`;
    throw new AgentError(
      'usage',
      `--${spec.name} ${value}: choose one of ${spec.choices.join(', ')}.${hint}`,
    );
  }
  return value;
}

/** Splits a command line into the options before the first word, and the words from there on. */
export function leadingOptions(argv: readonly string[]): {
  readonly options: readonly string[];
  readonly words: readonly string[];
} {
  let at = 0;
  for (let length = 1; length > 0 && /^-[^-]|^--./.test(argv[at] ?? ''); at += length)
    length = optionLength(argv.slice(at));
  return { options: argv.slice(0, at), words: argv.slice(at) };
}

/**
 * True if a command line may mean a subcommand. With -p, what follows is a prompt; unknown options are
 * reported later.
 */
export function beginsWithWord(argv: readonly string[]): boolean {
  const { options, words } = leadingOptions(argv);
  const isPrint = options.some((option) => option === '-p' || option === '--print');
  return !isPrint && words[0] !== undefined && !words[0].startsWith('-');
}

/** How many words an option at the beginning takes, itself included; none where we do not know it. */
export function optionLength(argv: readonly string[]): number {
  const [word = '', next, ...rest] = argv;
  const name = word.replace(/=.*$/s, '');
  const spec = specs.find((candidate) => matches(candidate, name));
  if (!spec) return 0;
  if (spec.value === undefined || word !== name || next === undefined) return 1;
  if (isOption(next)) return 1;
  const more = rest.findIndex((each) => !takesMore(spec, word, each));
  return 2 + (more < 0 ? rest.length : more);
}
