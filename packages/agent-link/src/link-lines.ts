import { type Answer, isJsonObject, isPermissionMode } from '@robota-sdk/agent-core';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { LinkedFacts, WaitingQuestion } from './linked-session.ts';

/** Whether a line holds an event. Its kind may be one of another version, which is passed on and ignored. */
export function isEvent(value: unknown): value is SessionEvent {
  return isJsonObject(value) && typeof value.type === 'string';
}

/** Whether a line holds the facts of a session. */
export function isFacts(value: unknown): value is LinkedFacts {
  if (!isJsonObject(value)) return false;
  const { runningSince, turn, model, models, mode, todos, context, queue } = value;
  return (
    (runningSince === null || typeof runningSince === 'number') &&
    typeof turn === 'number' &&
    typeof model === 'string' &&
    isListOf(models, (each) => typeof each === 'string') &&
    typeof mode === 'string' &&
    isPermissionMode(mode) &&
    isListOf(todos, (each) => hasTexts(each, 'content', 'status')) &&
    isContext(context) &&
    isListOf(queue, (each) => hasTexts(each, 'id', 'as', 'text'))
  );
}

function isContext(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { used, max, compactsAt, parts } = value;
  const isPart = (each: unknown) =>
    isJsonObject(each) && typeof each.name === 'string' && typeof each.tokens === 'number';
  return [used, max, compactsAt].every((each) => typeof each === 'number') && isListOf(parts, isPart);
}

/** Whether a line holds the questions that wait. */
export function areQuestions(value: unknown): value is WaitingQuestion[] {
  return isListOf(value, (each) => {
    if (!isJsonObject(each) || !hasTexts(each, 'id', 'digest') || typeof each.since !== 'number')
      return false;
    const { question } = each;
    if (!isJsonObject(question) || !hasTexts(question, 'kind', 'title')) return false;
    const { kind, options } = question;
    if (kind !== 'select') return kind === 'confirm' || kind === 'text';
    return isListOf(options, (option) => hasTexts(option, 'label'));
  });
}

/** Whether a line holds an answer to a question. */
export function isAnswer(value: unknown): value is Answer {
  if (!isJsonObject(value)) return false;
  const { kind, indexes, text, input, yes } = value;
  const isText = text === undefined || typeof text === 'string';
  if (kind === 'selected')
    return (
      isText &&
      isListOf(indexes, (each) => Number.isInteger(each)) &&
      (input === undefined || isJsonObject(input))
    );
  if (kind === 'confirmed') return typeof yes === 'boolean';
  return kind === 'text' ? typeof text === 'string' : kind === 'dismissed';
}

function isListOf(value: unknown, isEach: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isEach);
}

function hasTexts(value: unknown, ...names: readonly string[]): boolean {
  return isJsonObject(value) && names.every((name) => typeof value[name] === 'string');
}
