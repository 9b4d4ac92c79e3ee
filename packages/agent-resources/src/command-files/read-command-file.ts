import { parseFrontMatter, readProjectFile } from '@robota-sdk/agent-config';
import {
  errorMessage,
  type Problem,
  type ProblemText,
  sentence,
  shorten,
  singleLine,
  warning,
} from '@robota-sdk/agent-core';
import {
  argumentHint,
  field,
  readFields,
  ruleList,
  scalarFlag,
  scalarList,
  scalarText,
} from '../files/read-fields.ts';
import type { Skill } from '../skills/skill.ts';
import { revealText } from '../template/hidden-text.ts';
import type { FoundCommand } from './find-command-files.ts';

/** The parsed content of a command file. */
export interface CommandFile
  extends Pick<
    Skill,
    'description' | 'argumentHint' | 'argumentNames' | 'allowedTools' | 'restrictsTools' | 'model'
  > {
  /** The template. */
  readonly body: string;
  /** Ignored fields, with file and line. */
  readonly problems: readonly Problem[];
}

/** Reads a command file, or returns why it cannot be used. */
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

/** Parses the text of a command file, or returns why it cannot be used. */
export async function parseCommandFile(path: string, text: string): Promise<CommandFile | Problem> {
  const matter = await parseFrontMatter(text);
  if (matter.isUnfinished) return unusable(path, `${matter.problems[0]?.message} The command is skipped.`, 1);
  const body = matter.body.trim();
  if (body === '') return unusable(path, 'The command has no text; it is skipped.');
  const { values, problems } = readFields(
    commandFields,
    { path, matter },
    {
      ignored: unusedFields,
      lacking: lackingFields,
    },
  );
  const { description, argumentHint, restrictTools, model, ...rest } = values;
  return {
    ...rest,
    description: oneLine(description ?? shorten(titleOf(body), 100)),
    ...(argumentHint === undefined ? {} : { argumentHint: oneLine(argumentHint) }),
    ...(restrictTools ? { restrictsTools: true } : {}),
    ...(model === undefined || model === 'inherit' || model === 'default' ? {} : { model }),
    body,
    problems,
  };
}

function unusable(file: string, message: string | ProblemText, line?: number): Problem {
  return warning('command.unusable', message, { source: { file, line }, isInactive: true });
}

const commandFields = {
  description: field(scalarText, 'description'),
  argumentHint: field(argumentHint, 'argument-hint', 'argumentHint', 'argument_hint'),
  argumentNames: field(scalarList, 'arguments'),
  allowedTools: field(ruleList, 'allowed-tools', 'allowedTools', 'allowed_tools', 'tools'),
  restrictTools: field(scalarFlag, 'restrict-tools', 'restrictTools'),
  model: field(scalarText, 'model'),
};

/** Fields that mean something to other tools, or for skills only. */
const unusedFields = (
  'name id category tags version author license color ' +
  'invocation user-invocable disable-model-invocation hide-from-slash-command-tool ' +
  'when_to_use metadata compatibility mode title type status'
).split(' ');

/** Fields that skills have, and commands have in Claude Code. */
const lackingFields = {
  names: 'agent context effort hooks paths shell disallowed-tools max-turns'.split(' '),
  hint: 'Skills have them: docs/skills.md.',
};

/** The first line, perhaps a heading. */
function titleOf(body: string): string {
  return (body.split('\n', 1)[0] ?? '').replace(/^#+\s*/, '').trim();
}

/** Lists show one line per command, without invisible characters. */
function oneLine(text: string): string {
  return singleLine(revealText(text).text);
}
