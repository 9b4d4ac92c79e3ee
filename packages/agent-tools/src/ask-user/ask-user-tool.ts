import {
  type Answer,
  isJsonObject,
  type JsonValue,
  jsonSchema,
  type Question,
  type Schema,
  type Tool,
  textOutput,
} from '@robota-sdk/agent-core';

export interface AskUserInput {
  readonly question: string;
  readonly options?: readonly { readonly label: string; readonly description?: string }[];
  /** Several options may be chosen. */
  readonly multiple?: boolean;
}

/** Asks the user a question; returns at once if no user is present. */
export const askUserTool: Tool<AskUserInput> = {
  name: 'AskUser',
  description:
    'Ask the user a question that only they can answer. With options they choose or write their own.',
  guideline: 'Use AskUser only when the answer changes what you do and you cannot find it out yourself.',
  input: askUserSchema(),
  // Two questions at once would fight for the one keyboard.
  execution: 'sequential',
  repeatable: true,
  access: () => [],
  async execute(input, context) {
    const answer = await context.ui.ask(questionOf(input), context.signal);
    context.signal.throwIfAborted();
    const said = answerText(answer, input);
    return textOutput(
      describeAnswer(answer, input),
      said === '' ? {} : { display: { kind: 'text', text: said } },
    );
  },
};

function askUserSchema(): Schema<AskUserInput> {
  const option = {
    type: 'object',
    properties: { label: { type: 'string' }, description: { type: 'string' } },
    required: ['label'],
  };
  const schema = jsonSchema<AskUserInput>({
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1 },
      options: { type: 'array', items: option },
      multiple: { type: 'boolean' },
    },
    required: ['question'],
  });
  return { json: schema.json, parse: (value) => schema.parse(withOptionObjects(value)) };
}

/** Plain strings are a natural way to write options. */
function withOptionObjects(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !Array.isArray(value.options)) return value;
  const options = value.options.map((option) => (typeof option === 'string' ? { label: option } : option));
  return { ...value, options };
}

function questionOf({ question, options = [], multiple = false }: AskUserInput): Question {
  if (options.length === 0) return { kind: 'text', title: question, isShownByCall: true };
  return { kind: 'select', title: question, options, multiple, words: 'your own words', isShownByCall: true };
}

function describeAnswer(answer: Answer, { options = [] }: AskUserInput): string {
  switch (answer.kind) {
    case 'unavailable':
      return 'No user is available to answer in this session. Decide by yourself, and state your assumption in the final answer.';
    case 'dismissed':
      return 'The user declined to answer. Do what is safest without the answer, or stop and say what you need.';
    case 'text':
      return answer.text.trim() === ''
        ? 'The user gave an empty answer.'
        : `The user answered: ${answer.text}`;
    case 'confirmed':
      return `The user answered: ${answer.yes ? 'yes' : 'no'}`;
    case 'selected':
      return describeSelection(answer, options);
  }
}

/** The answer alone, for the user's own eyes. */
function answerText(answer: Answer, { options = [] }: AskUserInput): string {
  if (answer.kind === 'text') return answer.text.trim();
  if (answer.kind !== 'selected') return '';
  const chosen = answer.indexes.flatMap((index) => options[index]?.label ?? []);
  return [...chosen, answer.text?.trim() ?? ''].filter((text) => text !== '').join(', ');
}

function describeSelection(
  { indexes, text = '' }: Extract<Answer, { kind: 'selected' }>,
  options: readonly { readonly label: string }[],
): string {
  const chosen = indexes.flatMap((index) => options[index]?.label ?? []);
  const own = text.trim();
  if (chosen.length === 0 && own !== '') return `The user answered in their own words: ${own}`;
  const parts = own === '' ? chosen : [...chosen, `and in their own words: ${own}`];
  return parts.length === 0
    ? 'The user chose none of the options.'
    : `The user answered: ${parts.join('; ')}`;
}
