import {
  type Answer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  type Question,
  type Schema,
  type Tool,
  textOutput,
} from '@robota-sdk/agent-core';

export interface AskUserInput {
  readonly question: string;
  readonly options?: readonly {
    readonly label: string;
    readonly description?: string;
    readonly preview?: string;
  }[];
  /** Several options may be chosen. */
  readonly multiple?: boolean;
}

/** Format of the examples for choices, for a front end that shows them. */
export type PreviewFormat = 'markdown' | 'html';

/** Asks the user a question; returns at once if no user is present. */
export const askUserTool: Tool<AskUserInput> = {
  name: 'AskUser',
  description:
    'Ask the user a question that only they can answer. With options they choose or write their own.',
  guideline: 'Use AskUser only when the answer changes what you do and you cannot find it out yourself.',
  input: askUserSchema({}),
  // Two questions at once would compete for the keyboard.
  execution: 'sequential',
  repeatable: true,
  access: () => [],
  async execute(input, context) {
    const question = { ...questionOf(input), callId: context.callId };
    const answer = await context.ui.ask(question, context.signal);
    context.signal.throwIfAborted();
    const said = answerText(answer, input);
    return textOutput(
      describeAnswer(answer, input),
      said === '' ? {} : { display: { kind: 'text', text: said } },
    );
  },
};

const previewTexts: Readonly<Record<PreviewFormat, string>> = {
  markdown:
    'Markdown that shows the choice, such as code or a sketch of a layout, to compare it with the others',
  html: 'A self-contained fragment of HTML that shows the choice, to compare it with the others',
};

/** The same tool for a front end that shows an example with each choice. */
export function askUserWithPreviews(format: PreviewFormat): Tool<AskUserInput> {
  const preview = { type: 'string', description: previewTexts[format] };
  return { ...askUserTool, input: askUserSchema({ preview }) };
}

function askUserSchema(more: JsonObject): Schema<AskUserInput> {
  const option = {
    type: 'object',
    properties: { label: { type: 'string' }, description: { type: 'string' }, ...more },
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

/** Models often write options as plain strings. */
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

/** The answer alone, for display to the user. */
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
