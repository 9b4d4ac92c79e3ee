import {
  AgentError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  type Schema,
  type StateKey,
  type Tool,
  textOutput,
} from '@robota-sdk/agent-core';

const statuses = ['pending', 'in_progress', 'completed'] as const;

/** One item of the list. */
export interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: (typeof statuses)[number];
  /** Its label while in progress: "Running the tests". */
  readonly activeForm?: string;
}

/** The todos of a session; replaced as a whole. */
export class TodoList {
  #items: readonly Todo[] = [];
  /** Called for every new list, before the tool returns. */
  onChange: (items: readonly Todo[]) => void | Promise<void> = () => {};

  get items(): readonly Todo[] {
    return this.#items;
  }

  /** Restores a list without notifying listeners. */
  restore(items: readonly Todo[]): void {
    this.#items = items;
  }

  async replace(items: readonly Todo[]): Promise<void> {
    this.#items = items;
    await this.onChange(items);
  }
}

/** The todos of a session. */
export const todos: StateKey<TodoList> = { name: 'todos', create: () => new TodoList() };

type TodoDraft = Omit<Todo, 'id'> & { readonly id?: string };

export interface TodoWriteInput {
  readonly todos: readonly TodoDraft[];
}

/** Keeps a task list that the user can see. */
export const todoWriteTool: Tool<TodoWriteInput> = {
  name: 'TodoWrite',
  description: 'Replace the todo list shown to the user. Send all items each time; an empty list clears it.',
  guideline:
    'Plan work of two or more steps with TodoWrite first. Keep exactly one item in_progress while you work, and complete each as soon as it is done.',
  input: todoSchema(),
  execution: 'sequential',
  repeatable: true,
  access: () => [],
  async execute(input, context) {
    const items = numbered(input.todos);
    checkTodos(items);
    await context.state.get(todos).replace(items);
    const counts = {
      total: items.length,
      completed: items.filter((item) => item.status === 'completed').length,
      inProgress: items.filter((item) => item.status === 'in_progress').length,
    };
    const shown = items.map((item) => ({ text: textFor(item), status: item.status }));
    return textOutput(JSON.stringify(counts), { display: { kind: 'todos', items: shown } });
  },
};

/** Parses the tool's arguments as a list; undefined if the tool would refuse them. */
export function todosFrom(input: JsonValue): readonly Todo[] | undefined {
  const parsed = todoWriteTool.input.parse(input);
  if (!parsed.ok) return undefined;
  try {
    const items = numbered(parsed.value.todos);
    checkTodos(items);
    return items;
  } catch {
    return undefined;
  }
}

function todoSchema(): Schema<TodoWriteInput> {
  const item = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      content: { type: 'string', minLength: 1 },
      status: { enum: statuses },
      activeForm: { type: 'string' },
    },
    required: ['content', 'status'],
  };
  const schema = jsonSchema<TodoWriteInput>({
    type: 'object',
    properties: { todos: { type: 'array', items: item } },
    required: ['todos'],
  });
  return { json: schema.json, parse: (value) => schema.parse(withCommonNames(value)) };
}

/** Models trained on other tools write `items` for the list and `text` or `title` for the content. */
function withCommonNames(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const list = value.todos ?? value.items;
  if (!Array.isArray(list)) return list === undefined ? value : { ...value, todos: list };
  return { ...value, todos: list.map((item) => (isJsonObject(item) ? renamedFields(item) : item)) };
}

function renamedFields(item: JsonObject): JsonObject {
  const content = item.content ?? item.text ?? item.title;
  return {
    ...item,
    ...(content === undefined ? {} : { content }),
    ...(typeof item.id === 'number' ? { id: String(item.id) } : {}),
  };
}

function numbered(drafts: readonly TodoDraft[]): readonly Todo[] {
  return drafts.map(({ id, content, status, activeForm }, index) => ({
    id: id ?? String(index + 1),
    content,
    status,
    ...(activeForm === undefined ? {} : { activeForm }),
  }));
}

function checkTodos(items: readonly Todo[]): void {
  const ids = items.map((item) => item.id);
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
  if (duplicate !== undefined) {
    throw new AgentError(
      'tool',
      `Two todos have the id "${duplicate}". Give each its own, or leave the ids out.`,
    );
  }
  const active = items.filter((item) => item.status === 'in_progress');
  if (active.length <= 1) return;
  const names = active.map((item) => `"${item.content}"`).join(', ');
  throw new AgentError(
    'tool',
    `${active.length} todos are in_progress (${names}); at most one may be. The list was not changed.`,
  );
}

function textFor(item: Todo): string {
  return item.status === 'in_progress' ? (item.activeForm ?? item.content) : item.content;
}
