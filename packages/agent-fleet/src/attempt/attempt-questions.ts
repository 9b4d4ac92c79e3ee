import { createHash } from 'node:crypto';
import type {
  Answer,
  AuthorizationRequest,
  CallJudge,
  Judgement,
  Question,
  ToolCallContent,
  UserInterface,
} from '@robota-sdk/agent-core';
import { isJsonObject, type JsonValue, tellingArgument } from '@robota-sdk/agent-core';
import type { AttemptOrder } from '../contract/attempt.ts';
import type { TaskQuestion } from '../contract/task.ts';
import type { AttemptJournal } from './attempt-journal.ts';

type UserAnswer = AttemptOrder['answers'][number];

export interface AttemptQuestionServices {
  readonly order: Pick<AttemptOrder, 'answers'> & {
    readonly spec: Pick<AttemptOrder['spec'], 'ask' | 'check'>;
  };
  readonly journal: AttemptJournal;
  /** Names a call of the task's own conversation; undefined for those of agents. */
  keyOf(call: ToolCallContent): string | undefined;
  /** Ends the process with the question; never resolves. */
  park(question: TaskQuestion): Promise<never>;
  note(text: string): void;
  redact(text: string): string;
}

const askUser = 'AskUser';

/**
 * The user of an attempt: an answer of theirs counts for the call with its hash, once. A new question parks the task, before any
 * call of the same message has begun; with `deny` it is denied.
 */
export class AttemptQuestions implements UserInterface {
  readonly #services: AttemptQuestionServices;
  /** Answers to questions of the model, by their text, from the moment its call is judged. */
  readonly #said = new Map<string, UserAnswer>();
  /** Answers in use, whose calls have not ended. */
  readonly #used = new Set<string>();

  constructor(services: AttemptQuestionServices) {
    this.#services = services;
  }

  /** Answers whose calls have ended since the last time. */
  takeUsed(): readonly string[] {
    const used = [...this.#used];
    this.#used.clear();
    return used;
  }

  /** Parks at a question of the model before its call and those beside it begin. */
  readonly judge: CallJudge = async ({ tool, call }: AuthorizationRequest): Promise<Judgement> => {
    const { order, keyOf } = this.#services;
    // The user wrote the check of the task, and the fleet runs it anyway.
    if (isCommand(call, order.spec.check)) return 'allow';
    if (tool.name !== askUser || order.spec.ask === 'deny' || keyOf(call) === undefined) return undefined;
    const answer = await this.#answerTo(call);
    if (!answer) return this.#park(call, askedChoices(call));
    this.#said.set(tellingArgument(call), answer);
    return undefined;
  };

  async ask(question: Question): Promise<Answer> {
    if (question.kind === 'select' && question.about) return this.#permit(question, question.about.call);
    const answer = this.#said.get(question.title);
    this.#said.delete(question.title);
    if (answer) return answerOf(question, answer);
    this.#services.note(`Not answered: ${this.#services.redact(question.title)}`);
    return { kind: 'unavailable' };
  }

  notify(): void {}

  async #permit({ about }: Extract<Question, { kind: 'select' }>, call: ToolCallContent): Promise<Answer> {
    const { order, keyOf, note, redact } = this.#services;
    const answer = await this.#answerTo(call);
    if (answer) {
      const holds = about?.holds ?? [];
      const index = holds.indexOf(answer.decision === 'allow' ? 'once' : 'deny');
      const words = answer.text === undefined ? {} : { text: answer.text };
      return index < 0 ? { kind: 'dismissed' } : { kind: 'selected', indexes: [index], ...words };
    }
    if (order.spec.ask === 'park' && keyOf(call) !== undefined) return this.#park(call);
    note(`Denied, since no user was there to approve it: ${redact(describeCall(call))}`);
    const reason =
      order.spec.ask === 'deny'
        ? 'This task denies what needs approval.'
        : 'Agents of this task cannot ask. Make the call in the main conversation to ask the user.';
    return { kind: 'unavailable', reason };
  }

  /** The answer for exactly this call, unless another call has used it. */
  async #answerTo(call: ToolCallContent): Promise<UserAnswer | undefined> {
    const { order, journal, keyOf } = this.#services;
    const key = keyOf(call);
    if (key === undefined) return undefined;
    const hash = callHash(key, call);
    const answer = order.answers.findLast((each) => each.hash === hash);
    if (!answer) return undefined;
    const user = journal.usedBy(hash);
    if (user !== undefined && user !== key) return undefined;
    if (user === undefined) await journal.use(hash, key);
    this.#used.add(hash);
    return answer;
  }

  #park(call: ToolCallContent, choices?: readonly string[]): Promise<never> {
    const { keyOf, park, redact } = this.#services;
    return park({
      hash: callHash(keyOf(call), call),
      tool: call.name,
      text: redact(call.name === askUser ? tellingArgument(call) : describeCall(call)),
      ...(choices && choices.length > 0 ? { choices } : {}),
      askedAt: new Date().toISOString(),
    });
  }
}

function isCommand({ name, input }: ToolCallContent, command: string | undefined): boolean {
  const keys = isJsonObject(input) ? Object.keys(input) : [];
  if (name !== 'Bash' || command === undefined || !isJsonObject(input)) return false;
  // Other arguments could make it another command, such as one outside the sandbox.
  const isPlain = keys.every((key) => key === 'command' || key === 'description' || key === 'timeout');
  return isPlain && input['command'] === command;
}

function describeCall(call: ToolCallContent): string {
  return `${call.name}(${tellingArgument(call)})`;
}

function askedChoices({ input }: ToolCallContent): readonly string[] {
  const { options } = Object(input) as { readonly options?: unknown };
  if (!Array.isArray(options)) return [];
  return options.flatMap((each: unknown) => {
    const label = typeof each === 'string' ? each : (Object(each) as { readonly label?: unknown }).label;
    return typeof label === 'string' ? [label] : [];
  });
}

function answerOf(question: Question, { decision, text = '' }: UserAnswer): Answer {
  if (decision === 'deny') return { kind: 'dismissed' };
  const said = decision === 'allow' && text === '' ? 'yes' : text;
  if (question.kind === 'text') return { kind: 'text', text: said };
  if (question.kind === 'confirm') return { kind: 'confirmed', yes: /^y(es)?$/i.test(said.trim()) };
  const wanted = said.trim().toLowerCase();
  const index = question.options.findIndex(({ label }) => label.toLowerCase() === wanted);
  if (index >= 0) return { kind: 'selected', indexes: [index] };
  return { kind: 'selected', indexes: [], text: said };
}

/**
 * Identifies one call with its tool and input, whatever the order of its arguments. The same command in a later message is
 * another call: it is asked for again, and an answer to the first that comes late does not count for it.
 */
function callHash(key: string | undefined, { name, input }: ToolCallContent): string {
  return createHash('sha256')
    .update(JSON.stringify([key ?? null, name, sorted(input)]))
    .digest('hex')
    .slice(0, 32);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
