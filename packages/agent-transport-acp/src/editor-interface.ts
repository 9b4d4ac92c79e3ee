import { randomUUID } from 'node:crypto';
import type {
  ElicitationContentValue,
  ElicitationPropertySchema,
  PermissionOption,
  PermissionOptionKind,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { Answer, AskedCall, Notice, Question, UserInterface } from '@robota-sdk/agent-sdk/front-end';
import { visibleText } from '@robota-sdk/agent-tui';
import type { SessionChannel } from './session-channel.ts';
import type { SessionUpdates } from './session-updates.ts';
import { diffContent, kindOf, locationsOf, textBlock, toolCallTitle } from './tool-call-view.ts';

type SelectQuestion = Extract<Question, { kind: 'select' }>;

/** A session as its questions see it, once the editor knows of it. */
export interface AskingSession {
  readonly channel: SessionChannel;
  readonly updates: SessionUpdates;
  readonly cwd: string;
}

const optionKinds: Readonly<Record<AskedCall['holds'][number], PermissionOptionKind>> = {
  once: 'allow_once',
  session: 'allow_always',
  project: 'allow_always',
  deny: 'reject_once',
};

/** Asks the user through the editor. Before the editor knows the session, no user is available. */
export class EditorInterface implements UserInterface {
  #session: AskingSession | undefined;

  attach(session: AskingSession): void {
    this.#session = session;
  }

  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    const session = this.#session;
    if (!session) return { kind: 'unavailable' };
    if (signal?.aborted) return { kind: 'dismissed' };
    try {
      return await answerTo(question, session, signal);
    } catch (thrown) {
      if (signal?.aborted) return { kind: 'dismissed' };
      session.channel.client.log(`The editor did not answer a question: ${String(thrown)}`);
      return { kind: 'unavailable' };
    }
  }

  notify(notice: Notice): void {
    void this.#session?.updates.notice(notice);
  }
}

function answerTo(question: Question, session: AskingSession, signal?: AbortSignal): Promise<Answer> {
  if (question.kind === 'select' && question.about) return permissionFor(question, session, signal);
  // Text in an editor's form is not masked.
  if (question.kind === 'text' && question.masked) return Promise.resolve({ kind: 'unavailable' });
  if (session.channel.client.capabilities.elicitation?.form) return formFor(question, session, signal);
  if (question.kind === 'text' || (question.kind === 'select' && question.multiple))
    return Promise.resolve({ kind: 'unavailable' });
  return choiceFor(question, session, signal);
}

/** Asks for a permission: the editor shows the call and the choices. */
async function permissionFor(
  question: SelectQuestion,
  { channel, updates, cwd }: AskingSession,
  signal?: AbortSignal,
): Promise<Answer> {
  const { call, access, display, reason, holds } = question.about as AskedCall;
  await updates.announce(call, access);
  const preview =
    display?.kind === 'diff'
      ? diffContent(display, cwd)
      : [textBlock(visibleText(question.detail ?? reason))];
  const toolCall: ToolCallUpdate = {
    toolCallId: call.id,
    title: toolCallTitle(call),
    name: call.name,
    kind: kindOf(call, access),
    status: 'pending',
    content: preview,
    locations: locationsOf(call, access),
    rawInput: call.input,
  };
  const options = question.options.map(
    ({ label }, index): PermissionOption => ({
      optionId: String(index),
      name: visibleText(label).replace(', and say what to do instead', ''),
      kind: optionKinds[holds[index] ?? 'deny'],
    }),
  );
  return selectedOf(await channel.requestPermission({ toolCall, options }, signal), options);
}

/** Editors without forms can still offer choices. */
async function choiceFor(
  question: Exclude<Question, { kind: 'text' }>,
  { channel }: AskingSession,
  signal?: AbortSignal,
): Promise<Answer> {
  const labels =
    question.kind === 'confirm' ? ['Yes', 'No'] : question.options.map(({ label }) => visibleText(label));
  const options = labels.map(
    (name, index): PermissionOption => ({ optionId: String(index), name, kind: 'allow_once' }),
  );
  const toolCall: ToolCallUpdate = {
    toolCallId: `question-${randomUUID()}`,
    title: visibleText(question.title),
    kind: 'other',
    status: 'pending',
    ...(question.detail === undefined ? {} : { content: [textBlock(visibleText(question.detail))] }),
  };
  const answer = selectedOf(await channel.requestPermission({ toolCall, options }, signal), options);
  if (question.kind === 'select' || answer.kind !== 'selected') return answer;
  return { kind: 'confirmed', yes: answer.indexes[0] === 0 };
}

/** Only what was offered can be chosen: anything else is no answer, and never a yes. */
function selectedOf(
  { outcome }: Awaited<ReturnType<SessionChannel['requestPermission']>>,
  options: readonly PermissionOption[],
): Answer {
  if (outcome.outcome !== 'selected') return { kind: 'dismissed' };
  const index = options.findIndex(({ optionId }) => optionId === outcome.optionId);
  return index < 0 ? { kind: 'dismissed' } : { kind: 'selected', indexes: [index] };
}

/** The question as a form with one field, and one for words where they are welcome. */
async function formFor(
  question: Question,
  { channel }: AskingSession,
  signal?: AbortSignal,
): Promise<Answer> {
  const takesWords = question.kind === 'select' && question.words !== undefined;
  const words: Record<string, ElicitationPropertySchema> = takesWords
    ? { words: { type: 'string', title: question.words ?? '' } }
    : {};
  const response = await channel.elicit(
    {
      mode: 'form',
      sessionId: channel.sessionId,
      message: visibleText([question.title, question.detail].filter(Boolean).join('\n\n')),
      requestedSchema: {
        type: 'object',
        properties: { answer: fieldOf(question), ...words },
        required: takesWords ? [] : ['answer'],
      },
    },
    signal,
  );
  if (response.action !== 'accept' || !('content' in response)) return { kind: 'dismissed' };
  return answerOf(question, (response.content ?? {}) as Record<string, ElicitationContentValue>);
}

function fieldOf(question: Question): ElicitationPropertySchema {
  if (question.kind === 'text') return { type: 'string', title: question.title };
  if (question.kind === 'confirm') return { type: 'boolean', title: question.title };
  const options = question.options.map(({ label, description }, index) => ({
    const: String(index),
    title: visibleText(label),
    ...(description === undefined ? {} : { description }),
  }));
  return question.multiple
    ? { type: 'array', title: question.title, items: { anyOf: options } }
    : { type: 'string', title: question.title, oneOf: options };
}

function answerOf(question: Question, fields: Record<string, ElicitationContentValue>): Answer {
  const { answer, words } = fields;
  if (question.kind === 'text')
    return typeof answer === 'string' ? { kind: 'text', text: answer } : { kind: 'dismissed' };
  if (question.kind === 'confirm') return { kind: 'confirmed', yes: answer === true };
  const chosen = (Array.isArray(answer) ? answer : [answer]).map(String);
  const indexes = [...question.options.keys()].filter((index) => chosen.includes(String(index)));
  const text = typeof words === 'string' && words !== '' ? { text: words } : {};
  if (indexes.length === 0 && !('text' in text)) return { kind: 'dismissed' };
  return { kind: 'selected', indexes, ...text };
}
