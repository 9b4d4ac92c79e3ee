import { closeSync, readFileSync, readSync } from 'node:fs';
import {
  assertReadable,
  type FrontMatter,
  parseFrontMatter,
  readProjectFile,
} from '@robota-sdk/agent-config';
import {
  errorMessage,
  given,
  isJsonObject,
  type JsonValue,
  openRegularFileSync,
  type Problem,
  singleLine,
  type ThinkingLevel,
  warning,
} from '@robota-sdk/agent-core';
import { FieldReader } from '../files/field-reader.ts';
import { revealText } from '../template/hidden-text.ts';
import type { Skill, SkillFile } from './skill.ts';

/** A skill and the text it consists of, as far as it was read. */
export interface ReadSkill {
  readonly skill: Skill;
  readonly body: string;
  /** The line of the file on which the body begins. */
  readonly bodyLine: number;
  readonly problems: readonly Problem[];
}

/** A file that is no skill, and why; silent where it need not be one. */
export interface UnreadSkill {
  readonly skill?: undefined;
  readonly problems: readonly Problem[];
}

/** The front matter of almost every skill ends before this, in bytes. */
const headSize = 4096;

/** Reads what the head of a skill's file tells; of a long file no more than that. */
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
  const fields = new FieldReader(file.path, matter);
  const skill = skillOf(file, matter, fields);
  fields.ignore(...foreignFields);
  fields.checkNames();
  const { body } = matter;
  const bodyLine = text.slice(0, text.length - body.length).split('\n').length;
  return { skill, body, bodyLine, problems: fields.problems };
}

function unread({ path }: SkillFile, message: string, line?: number): UnreadSkill {
  const source = { file: path, line };
  return { problems: [warning('skill.unusable', message, { source, isInactive: true })] };
}

function skillOf(file: SkillFile, matter: FrontMatter, fields: FieldReader): Skill {
  const invocation = fields.oneOf(['user', 'auto-invoke', 'model-only'] as const, 'invocation');
  const userInvocable = fields.flag('user-invocable', 'user-invokable', 'userInvocable');
  const modelDisabled = fields.flag('disable-model-invocation', 'disableModelInvocation');
  const effort = fields.oneOf(efforts, 'effort');
  const agent = fields.text('agent');
  const isInvocationGiven = [invocation, userInvocable, modelDisabled].some((each) => each !== undefined);
  return {
    ...file,
    ...(isInvocationGiven ? { isInvocationGiven: true as const } : {}),
    name: nameOf(file, checkedName(file, fields)),
    description: descriptionOf(matter, fields),
    isUserInvocable: userInvocable !== false && invocation !== 'model-only',
    isModelInvocable: modelDisabled !== true && invocation !== 'user',
    context: contextOf(fields, agent),
    ...given('argumentHint', hintOf(matter.data['argument-hint'])),
    ...given('argumentNames', fields.list('arguments')),
    ...given('allowedTools', fields.list('allowed-tools', 'allowedTools', 'allowed_tools')),
    ...(fields.flag('restrict-tools', 'restrictTools') ? { restrictsTools: true as const } : {}),
    ...given('disallowedTools', fields.list('disallowed-tools', 'disallowedTools', 'disallowed_tools')),
    ...given('model', fields.text('model')),
    ...given('effort', effort && levelOf(effort)),
    ...given('maxTurns', fields.count('max-turns', 'maxTurns', 'max_turns')),
    ...given('agent', agent),
    ...given('shell', fields.text('shell')),
    ...given('hooks', isJsonObject(matter.data.hooks) ? matter.data.hooks : undefined),
  };
}

const efforts = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

function levelOf(effort: (typeof efforts)[number]): ThinkingLevel {
  return effort === 'max' ? 'xhigh' : effort;
}

/** Fields of other programs, or without a meaning here; ignored silently. */
const foreignFields = [
  'argument-hint',
  'license',
  'compatibility',
  'metadata',
  'version',
  'author',
  'authors',
  'tags',
  'keywords',
  'category',
  'homepage',
  'repository',
  'source',
  'tools',
  'hooks',
  'background',
  'color',
  'mode',
  'title',
  'type',
  'status',
  'date',
];

/** The written name, with a warning where pi and others would reject the skill for it. */
function checkedName(file: SkillFile, fields: FieldReader): string | undefined {
  const written = fields.text('name');
  if (written === undefined || !file.hasStandardName) return written;
  const problem = nameProblem(written, file.defaultName);
  if (problem !== undefined)
    fields.warn('name', `${problem}: pi and other agents reject such a skill; here it is used`);
  return written;
}

function nameProblem(name: string, folder: string): string | undefined {
  if (name.length > 64) return 'has more than 64 characters';
  if (!/^[a-z0-9-]+$/.test(name)) return 'has characters other than a-z, 0-9 and hyphens';
  if (/^-|-$|--/.test(name)) return 'begins or ends with a hyphen, or has two in a row';
  return name === folder ? undefined : `is not the name of its folder, ${folder}`;
}

/** A name that can be typed behind a slash, with that of the plugin before it. */
function nameOf({ defaultName, plugin }: SkillFile, written: string | undefined): string {
  const isTypable = written !== undefined && /^[\p{L}\p{N}_.:-]+$/u.test(written);
  const name = isTypable ? written : defaultName.replace(/[^\p{L}\p{N}_.:-]+/gu, '-');
  return plugin === undefined || name.startsWith(`${plugin}:`) ? name : `${plugin}:${name}`;
}

function descriptionOf({ body }: FrontMatter, fields: FieldReader): string {
  const description = fields.text('description') ?? firstParagraph(body);
  const whenToUse = fields.text('when_to_use', 'when-to-use', 'whenToUse');
  const paths = fields.list('paths');
  const parts = [description, whenToUse, paths && `For files such as ${paths.join(', ')}.`];
  return oneLine(parts.filter(Boolean).join(' '));
}

function contextOf(fields: FieldReader, agent: string | undefined): Skill['context'] {
  const context = fields.oneOf(['inline', 'inherit', 'fork', 'agent'] as const, 'context');
  if (context === 'agent' || agent !== undefined) return 'agent';
  return context === 'fork' ? 'fork' : 'inline';
}

/** YAML takes `[file]` for a list. */
function hintOf(value: JsonValue | undefined): string | undefined {
  if (Array.isArray(value)) return `[${value.map(String).join(', ')}]`;
  return typeof value === 'string' && value.trim() !== '' ? oneLine(value) : undefined;
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
