import { closeSync, readFileSync, readSync } from 'node:fs';
import { assertReadable, parseFrontMatter, readProjectFile } from '@robota-sdk/agent-config';
import {
  anyObject,
  errorMessage,
  openRegularFileSync,
  type Problem,
  singleLine,
  warning,
  words,
} from '@robota-sdk/agent-core';
import { effortShape } from '../files/effort-shape.ts';
import {
  argumentHint,
  type FrontMatterSource,
  field,
  fieldProblem,
  readFields,
  ruleList,
  scalarCount,
  scalarFlag,
  scalarList,
  scalarText,
} from '../files/read-fields.ts';
import { revealText } from '../template/hidden-text.ts';
import type { Skill, SkillFile } from './skill.ts';

/** A skill and the part of its text that was read. */
export interface ReadSkill {
  readonly skill: Skill;
  readonly body: string;
  /** The line of the file where the body starts. */
  readonly bodyLine: number;
  readonly problems: readonly Problem[];
}

/** A file that is not a skill, with the reason; silent if it need not be one. */
export interface UnreadSkill {
  readonly skill?: undefined;
  readonly problems: readonly Problem[];
}

/** The front matter of almost every skill ends before this, in bytes. */
const headSize = 4096;

/** Reads the front matter of a skill's file; a long file is not read completely. */
export async function readSkillHead(
  file: SkillFile,
  invocation?: 'user' | 'auto-invoke',
): Promise<ReadSkill | UnreadSkill> {
  const read = await parse(file, () => headOf(file));
  if (!read.skill || invocation !== 'user' || read.skill.isInvocationGiven) return read;
  return { ...read, skill: { ...read.skill, isModelInvocable: false } };
}

/** Reads the whole file of a skill. */
export async function readSkill(file: SkillFile): Promise<ReadSkill | UnreadSkill> {
  return parse(file, () => readProjectFile(file.path, file.root));
}

async function parse(file: SkillFile, read: () => string): Promise<ReadSkill | UnreadSkill> {
  let text: string;
  try {
    text = read();
  } catch (thrown) {
    return unread(file, `Cannot read the skill: ${errorMessage(thrown)}`);
  }
  const matter = await parseFrontMatter(text);
  if (matter.isUnfinished) return unread(file, `${matter.problems[0]?.message} The skill is skipped.`, 1);
  if (file.isPlain && matter.data.description === undefined) return { problems: [] };
  const from = { path: file.path, matter };
  const { values, problems } = readFields(skillFields, from, { ignored: foreignFields });
  const { body } = matter;
  const bodyLine = text.slice(0, text.length - body.length).split('\n').length;
  const named = file.hasStandardName ? nameProblems(from, values.name, file.defaultName) : [];
  return { skill: skillOf(file, values, body), body, bodyLine, problems: [...problems, ...named] };
}

function unread({ path }: SkillFile, message: string, line?: number): UnreadSkill {
  const source = { file: path, line };
  return { problems: [warning('skill.unusable', message, { source, isInactive: true })] };
}

function skillOf(file: SkillFile, values: SkillFields, body: string): Skill {
  const { name: written, description, whenToUse, argumentHint: hint, ...others } = values;
  const { invocation, userInvocable, modelDisabled, context, restrictTools, ...rest } = others;
  const isInvocationGiven = [invocation, userInvocable, modelDisabled].some((each) => each !== undefined);
  const parts = [description ?? firstParagraph(body), whenToUse];
  const [name, folderName] = [nameOf(file, written), nameOf(file, undefined)];
  return {
    ...file,
    ...rest,
    ...(isInvocationGiven ? { isInvocationGiven: true } : {}),
    name,
    ...(folderName === name ? {} : { folderName }),
    description: oneLine(parts.filter(Boolean).join(' ')),
    isUserInvocable: userInvocable !== false && invocation !== 'model-only',
    isModelInvocable: modelDisabled !== true && invocation !== 'user',
    context:
      context === 'agent' || rest.agent !== undefined ? 'agent' : context === 'fork' ? 'fork' : 'inline',
    ...(hint === undefined ? {} : { argumentHint: oneLine(hint) }),
    ...(restrictTools ? { restrictsTools: true } : {}),
  };
}

const skillFields = {
  name: field(scalarText, 'name'),
  description: field(scalarText, 'description'),
  whenToUse: field(scalarText, 'when_to_use', 'when-to-use', 'whenToUse'),
  paths: field(scalarList, 'paths'),
  invocation: field(words('user', 'auto-invoke', 'model-only'), 'invocation'),
  userInvocable: field(scalarFlag, 'user-invocable', 'user-invokable', 'userInvocable'),
  modelDisabled: field(scalarFlag, 'disable-model-invocation', 'disableModelInvocation'),
  context: field(words('inline', 'inherit', 'fork', 'agent'), 'context'),
  argumentHint: field(argumentHint, 'argument-hint'),
  argumentNames: field(scalarList, 'arguments'),
  allowedTools: field(ruleList, 'allowed-tools', 'allowedTools', 'allowed_tools'),
  restrictTools: field(scalarFlag, 'restrict-tools', 'restrictTools'),
  disallowedTools: field(ruleList, 'disallowed-tools', 'disallowedTools', 'disallowed_tools'),
  model: field(scalarText, 'model'),
  effort: field(effortShape, 'effort'),
  maxTurns: field(scalarCount, 'max-turns', 'maxTurns', 'max_turns'),
  agent: field(scalarText, 'agent'),
  shell: field(scalarText, 'shell'),
  hooks: field(anyObject, 'hooks'),
};
type SkillFields = ReturnType<typeof readFields<typeof skillFields>>['values'];

/** Fields of other programs, or without a meaning here; ignored silently. */
const foreignFields = (
  'license compatibility metadata version author authors tags keywords category homepage repository ' +
  'source tools background color mode title type status date'
).split(' ');

/** Warns if pi and other agents would reject the skill for its name. */
function nameProblems(from: FrontMatterSource, name: string | undefined, folder: string): Problem[] {
  const problem = name === undefined ? undefined : nameProblem(name, folder);
  if (problem === undefined) return [];
  return [fieldProblem(from, 'name', `${problem}: pi and other agents reject such a skill; here it is used`)];
}

function nameProblem(name: string, folder: string): string | undefined {
  if (name.length > 64) return 'has more than 64 characters';
  if (!/^[a-z0-9-]+$/.test(name)) return 'has characters other than a-z, 0-9 and hyphens';
  if (/^-|-$|--/.test(name)) return 'begins or ends with a hyphen, or has two in a row';
  return name === folder ? undefined : `is not the name of its folder, ${folder}`;
}

/** A name that can be typed after a slash, with the plugin's name before it. */
function nameOf({ defaultName, plugin }: SkillFile, written: string | undefined): string {
  const isTypable = written !== undefined && /^[\p{L}\p{N}_.:-]+$/u.test(written);
  const name = isTypable ? written : defaultName.replace(/[^\p{L}\p{N}_.:-]+/gu, '-');
  return plugin === undefined || name.startsWith(`${plugin}:`) ? name : `${plugin}:${name}`;
}

function firstParagraph(body: string): string {
  const paragraphs = body.split(/\n\s*\n/).map((each) => each.replace(/^(?:#+ .*(?:\n|$))+/, '').trim());
  return paragraphs.find((each) => each !== '') ?? '';
}

function oneLine(text: string): string {
  return singleLine(revealText(text).text);
}

function headOf({ path, root }: SkillFile): string {
  assertReadable(path, root);
  const file = openRegularFileSync(path);
  try {
    const buffer = Buffer.allocUnsafe(headSize);
    const length = readSync(file, buffer, 0, headSize, 0);
    const head = buffer.toString('utf8', 0, length);
    const isEnough = length < headSize || !/^\uFEFF?---/.test(head) || /\n---[ \t]*\r?\n/.test(head);
    // Drops a character that was cut in half.
    return isEnough ? head.replace(/(?<!\uFFFD)\uFFFD+$/, '') : readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
