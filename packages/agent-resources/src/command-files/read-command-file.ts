import { type FrontMatter, parseFrontMatter, readProjectFile } from '@robota-sdk/agent-config';
import {
  errorMessage,
  given,
  type Problem,
  type ProblemText,
  sentence,
  shorten,
  singleLine,
  warning,
} from '@robota-sdk/agent-core';
import { FieldReader } from '../files/field-reader.ts';
import { revealText } from '../template/hidden-text.ts';
import type { FoundCommand } from './find-command-files.ts';

/** The parsed content of a command file. */
export interface CommandFile {
  readonly description: string;
  readonly argumentHint?: string;
  /** Names of its arguments, which the text may use as `$name`. */
  readonly argumentNames?: readonly string[];
  /** Calls that need no question while it is answered; the only ones where `restrictsTools` is set. */
  readonly allowedTools?: readonly string[];
  readonly restrictsTools?: true;
  readonly model?: string;
  /** The template. */
  readonly body: string;
  /** Ignored fields, with file and line. */
  readonly problems: readonly Problem[];
}

/** Reads a command file, or tells why it cannot be used. */
export async function readCommandFile({
  path,
  folder,
}: Pick<FoundCommand, 'path' | 'folder'>): Promise<CommandFile | Problem> {
  let text: string;
  try {
    text = readProjectFile(path, folder.root);
  } catch (thrown) {
    return unusable(path, sentence`Cannot read the command: ${{ reason: errorMessage(thrown) }}`);
  }
  return parseCommandFile(path, text);
}

/** Parses the text of a command file, or tells why it cannot be used. */
export async function parseCommandFile(path: string, text: string): Promise<CommandFile | Problem> {
  const matter = withHintAsText(await parseFrontMatter(text));
  if (matter.isUnfinished) return unusable(path, `${matter.problems[0]?.message} The command is skipped.`, 1);
  const body = matter.body.trim();
  if (body === '') return unusable(path, 'The command has no text; it is skipped.');
  const fields = new FieldReader(path, matter);
  const file = {
    description: oneLine(fields.text('description') ?? shorten(titleOf(body), 100)),
    ...given('argumentHint', hintOf(fields)),
    ...given('argumentNames', fields.list('arguments')),
    ...given('allowedTools', fields.list('allowed-tools', 'allowedTools', 'allowed_tools', 'tools')),
    ...(fields.flag('restrict-tools', 'restrictTools') ? { restrictsTools: true as const } : {}),
    ...given('model', modelOf(fields)),
    body,
  };
  fields.ignore(...unusedFields);
  fields.checkNames();
  return { ...file, problems: fields.problems };
}

function unusable(file: string, message: string | ProblemText, line?: number): Problem {
  return warning('command.unusable', message, { source: { file, line }, isInactive: true });
}

/** `argument-hint: [file]` is a list to YAML but is meant as text. */
function withHintAsText(matter: FrontMatter): FrontMatter {
  const hint = matter.data['argument-hint'];
  if (!Array.isArray(hint)) return matter;
  return { ...matter, data: { ...matter.data, 'argument-hint': `[${hint.map(String).join(', ')}]` } };
}

function hintOf(fields: FieldReader): string | undefined {
  const hint = fields.text('argument-hint', 'argumentHint', 'argument_hint');
  return hint === undefined ? undefined : oneLine(hint);
}

function modelOf(fields: FieldReader): string | undefined {
  const model = fields.text('model');
  return model === 'inherit' || model === 'default' ? undefined : model;
}

/** Fields that mean something to other tools, or for skills only. */
const unusedFields = [
  'name',
  'id',
  'category',
  'tags',
  'version',
  'author',
  'license',
  'agent',
  'context',
  'effort',
  'hooks',
  'paths',
  'shell',
  'color',
  'invocation',
  'user-invocable',
  'disable-model-invocation',
  'disallowed-tools',
  'hide-from-slash-command-tool',
  'when_to_use',
  'max-turns',
  'metadata',
  'compatibility',
  'mode',
  'title',
  'type',
  'status',
];

/** The first line, perhaps a heading. */
function titleOf(body: string): string {
  return (body.split('\n', 1)[0] ?? '').replace(/^#+\s*/, '').trim();
}

/** Lists show one line per command, without invisible characters. */
function oneLine(text: string): string {
  return singleLine(revealText(text).text);
}
