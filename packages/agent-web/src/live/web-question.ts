import { basename, relative, sep } from 'node:path';
import { type Access, AgentError, type Answer, isJsonObject, type Question } from '@robota-sdk/agent-core';
import type { WaitingQuestion } from '@robota-sdk/agent-link';
import { describeRisk, loopAnswer, questionOf } from '@robota-sdk/agent-sdk/front-end';
import type { AnswerRequest, AskedToolCall, WebChoice, WebQuestion } from '../contract/question.ts';

/** A question that waits, as a page shows it; files are named from the directory of its session. */
export function webQuestion({ id, digest, question, since }: WaitingQuestion, cwd?: string): WebQuestion {
  const told = questionOf(question, id);
  const about = question.kind === 'select' ? question.about : undefined;
  const cautions = about?.cautions?.map(describeRisk) ?? [];
  return {
    id,
    digest,
    kind: told.kind,
    title: told.title,
    ...(told.detail === undefined ? {} : { detail: told.detail }),
    asked: since,
    ...(about ? { call: askedCall(about) } : {}),
    reasons: [
      ...(about ? [{ label: 'Why you are asked', text: sentence(about.reason) }] : []),
      ...touchedBy(about?.access ?? [], cwd),
      ...purposeOf(about),
      ...(cautions.length > 0 ? [{ label: 'Worth a look', text: cautions.join('; ') }] : []),
    ],
    dangers: told.dangers ?? [],
    choices: told.choices.map((choice, index) => webChoice(choice, { question, index })),
    ...(told.multiple ? { multiple: true } : {}),
    ...textFields(question),
  };
}

/** The answer of a page as the session takes it; throws where it does not fit the question. */
export function answerTo(question: Question, answer: AnswerRequest['answer']): Answer {
  const given = loopAnswer(question, answer);
  if (given.kind !== 'dismissed' || 'dismissed' in answer) return given;
  throw new AgentError('usage', 'The answer does not fit the question.');
}

/** Reads the body of a request with an answer. */
export function parseAnswer(body: unknown): AnswerRequest {
  const { questionId, digest, answer } = isJsonObject(body) ? body : {};
  if (typeof questionId !== 'string' || typeof digest !== 'string' || !isJsonObject(answer))
    throw new AgentError('usage', 'Expected { questionId, digest, answer }.');
  const { choice, text, dismissed } = answer;
  if (dismissed === true) return { questionId, digest, answer: { dismissed: true } };
  const words = typeof text === 'string' ? { text } : {};
  if (typeof choice === 'string') return { questionId, digest, answer: { choice, ...words } };
  if (Array.isArray(choice) && choice.every((each) => typeof each === 'string'))
    return { questionId, digest, answer: { choice, ...words } };
  if (typeof text === 'string') return { questionId, digest, answer: { text } };
  throw new AgentError('usage', 'Expected an answer with a choice, a text, or dismissed: true.');
}

const mostNamed = 4;
const touching = {
  write: 'Writes',
  read: 'Reads',
  search: 'Searches',
  fetch: 'Connects to',
  run: 'Runs in',
} as const;

/** Everything that a call says it touches; a command may touch more, as far as its sandbox lets it. */
function touchedBy(access: readonly Access[], cwd: string | undefined): WebQuestion['reasons'] {
  const sentences = (Object.keys(touching) as (keyof typeof touching)[]).flatMap((kind) => {
    const names = [...new Set(access.filter((each) => each.kind === kind).map((each) => nameOf(each, cwd)))];
    const shown = names.slice(0, mostNamed).map((name) => `\`${name}\``);
    const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
    return shown.length === 0 ? [] : [`${touching[kind]} ${shown.join(', ')}${more}.`];
  });
  return sentences.length === 0 ? [] : [{ label: 'What it can touch', text: sentences.join(' ') }];
}

function nameOf(access: Access, cwd = '/'): string {
  if (access.kind === 'run') return access.cwd === cwd ? basename(cwd) : access.cwd;
  if (access.kind === 'use') return access.name;
  if (access.kind !== 'fetch')
    return access.path.startsWith(`${cwd}${sep}`) ? relative(cwd, access.path) : access.path;
  return URL.canParse(access.url) ? new URL(access.url).host : access.url;
}

/** The sentence with which the model explains a command. */
function purposeOf(about: Asked | undefined): WebQuestion['reasons'] {
  const purpose = about && isJsonObject(about.call.input) ? about.call.input.description : undefined;
  if (typeof purpose !== 'string' || purpose.trim() === '') return [];
  return [{ label: 'Why Robota wants it', text: `“${purpose.trim()}”` }];
}

function askedCall({ call, display, commands }: Asked): AskedToolCall {
  const command = isJsonObject(call.input) ? call.input.command : undefined;
  return {
    tool: call.name,
    input: call.input,
    ...(typeof command === 'string' ? { command } : {}),
    ...(commands
      ? {
          commands: commands.map(({ isAllowed, ...rest }) => ({
            ...rest,
            outcome: isAllowed ? 'allowed' : 'asks',
          })),
        }
      : {}),
    ...(display?.kind === 'diff' ? { diff: display } : {}),
  };
}

type Asked = NonNullable<Extract<Question, { kind: 'select' }>['about']>;

function webChoice(
  choice: WebChoice,
  { question, index }: { readonly question: Question; readonly index: number },
): WebChoice {
  if (question.kind !== 'select') return choice;
  const { about, options } = question;
  const asks = options[index]?.asks;
  const saves = about?.holds[index] === 'project' && about.rules.length > 0;
  return {
    ...choice,
    ...(saves ? { saves: { file: '.robota/settings.local.json', rules: about.rules } } : {}),
    ...(asks === undefined ? {} : { text: asks }),
  };
}

function textFields(question: Question): Pick<WebQuestion, 'textLabel' | 'masked'> {
  if (question.kind === 'text')
    return { textLabel: question.title, ...(question.masked ? { masked: true } : {}) };
  if (question.kind === 'select' && question.words !== undefined) return { textLabel: question.words };
  return {};
}

/** Reasons begin in the middle of a sentence. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
