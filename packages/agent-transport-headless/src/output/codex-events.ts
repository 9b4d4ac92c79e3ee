import {
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  type SessionEvent,
  textOf,
} from '@robota-sdk/agent-sdk/front-end';
import type { Output } from './output.ts';
import type { ResultObject } from './result-object.ts';

type Item = Readonly<Record<string, unknown>>;
type ToolEnd = Extract<SessionEvent, { type: 'tool-end' }>;

/** Prints a run as the lines of `codex exec --json`. */
export class CodexEvents {
  readonly #session: InteractiveSession;
  readonly #stdout: Output;
  /** Ids of the calls that run. */
  readonly #ids = new Map<string, string>();
  #count = 0;
  #todos: { readonly id: string; readonly item: Item } | undefined;

  constructor(session: InteractiveSession, stdout: Output) {
    this.#session = session;
    this.#stdout = stdout;
  }

  /** Prints the first lines; returns the function that stops the others. */
  async start(): Promise<() => void> {
    await this.#write({ type: 'thread.started', thread_id: this.#session.id });
    await this.#write({ type: 'turn.started' });
    return this.#session.subscribe((event) => this.#take(event));
  }

  async finish(result: ResultObject): Promise<void> {
    if (this.#todos) await this.#item('completed', this.#todos.id, this.#todos.item);
    if (result.model === undefined && !result.is_error && result.result !== '')
      await this.#item('completed', this.#nextId(), { type: 'agent_message', text: result.result });
    const message = result.error ?? (result.interrupted ? 'interrupted' : undefined);
    if (message !== undefined) {
      await this.#write({ type: 'error', message });
      return this.#write({ type: 'turn.failed', error: { message } });
    }
    const { input, output, cacheRead, cacheWrite } = this.#session.totals.usage;
    await this.#write({
      type: 'turn.completed',
      usage: {
        input_tokens: input + cacheRead + cacheWrite,
        cached_input_tokens: cacheRead,
        cache_write_input_tokens: cacheWrite,
        output_tokens: output,
        reasoning_output_tokens: 0,
      },
    });
  }

  async #take(event: SessionEvent): Promise<void> {
    if (event.type === 'message-append' && event.message.role === 'assistant') {
      for (const block of event.message.content) {
        if (block.type === 'thinking' && block.text !== '')
          await this.#item('completed', this.#nextId(), { type: 'reasoning', text: block.text });
        if (block.type === 'text' && block.text !== '')
          await this.#item('completed', this.#nextId(), { type: 'agent_message', text: block.text });
      }
    } else if (event.type === 'tool-start') {
      const { name, id, input } = event.call;
      if (name === 'TodoWrite') return this.#keepTodos(objectOf(input));
      const own = this.#nextId();
      this.#ids.set(id, own);
      await this.#item('started', own, startedItem(name, objectOf(input)));
    } else if (event.type === 'tool-end' && event.call.name !== 'TodoWrite') {
      const own = this.#ids.get(event.call.id) ?? this.#nextId();
      await this.#item('completed', own, endedItem(event));
    } else if (event.type === 'server-tool' && event.content.phase === 'call') {
      const { name, summary } = event.content;
      if (name === 'web_search')
        await this.#item('completed', this.#nextId(), { type: 'web_search', query: summary });
    }
  }

  async #keepTodos({ todos }: JsonObject): Promise<void> {
    const items = (Array.isArray(todos) ? todos : []).filter(isJsonObject).map(({ content, status }) => ({
      text: String(content),
      completed: status === 'completed',
    }));
    const isNew = this.#todos === undefined;
    this.#todos = { id: this.#todos?.id ?? this.#nextId(), item: { type: 'todo_list', items } };
    await this.#item(isNew ? 'started' : 'updated', this.#todos.id, this.#todos.item);
  }

  #nextId(): string {
    return `item_${this.#count++}`;
  }

  #item(state: 'started' | 'updated' | 'completed', id: string, item: Item): Promise<void> {
    return this.#write({ type: `item.${state}`, item: { id, ...item } });
  }

  async #write(line: Item): Promise<void> {
    await this.#stdout.write(`${JSON.stringify(line)}\n`);
  }
}

function objectOf(input: unknown): JsonObject {
  return isJsonObject(input) ? input : {};
}

/** Changes of files; what else Codex has no item for is a call of the server `robota`. */
function itemOf(name: string, input: JsonObject): Item {
  if (name === 'Bash') return { type: 'command_execution', command: String(input.command ?? '') };
  if (name === 'Edit' || name === 'Write' || name === 'MultiEdit' || name === 'NotebookEdit') {
    const path = String(input.file_path ?? input.notebook_path ?? '');
    return { type: 'file_change', changes: [{ path, kind: 'update' }] };
  }
  if (name === 'WebSearch') return { type: 'web_search', query: String(input.query ?? '') };
  const [, server = 'robota', tool = name] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  return { type: 'mcp_tool_call', server, tool, arguments: input };
}

function startedItem(name: string, input: JsonObject): Item {
  const item = itemOf(name, input);
  const state = { status: 'in_progress' };
  if (item.type === 'command_execution') return { ...item, aggregated_output: '', exit_code: null, ...state };
  if (item.type === 'mcp_tool_call') return { ...item, result: null, error: null, ...state };
  return item.type === 'web_search' ? item : { ...item, ...state };
}

const exitNote = /\[exit code -?\d+\]$/;

function endedItem({ call, status, result }: ToolEnd): Item {
  const item = itemOf(call.name, objectOf(call.input));
  const { display } = result;
  const text = textOf(result.content);
  const isDone = status === 'success';
  const state = { status: isDone ? 'completed' : status === 'denied' ? 'declined' : 'failed' };
  switch (item.type) {
    case 'command_execution': {
      const exit_code = result.exitCode ?? (isDone ? 0 : null);
      const aggregated_output = (display?.kind === 'terminal' ? display.output : text).replace(exitNote, '');
      return { ...item, aggregated_output, exit_code, ...state };
    }
    case 'mcp_tool_call': {
      const failed = { status: isDone ? 'completed' : 'failed' };
      return isDone
        ? { ...item, result: { content: result.content, structured_content: null }, error: null, ...failed }
        : { ...item, result: null, error: { message: text }, ...failed };
    }
    case 'web_search':
      return item;
    default: {
      const isNew = display?.kind === 'diff' && display.change === 'create';
      const changes = isNew ? [{ path: String(objectOf(call.input).file_path), kind: 'add' }] : item.changes;
      return { ...item, changes, status: isDone ? 'completed' : 'failed' };
    }
  }
}
