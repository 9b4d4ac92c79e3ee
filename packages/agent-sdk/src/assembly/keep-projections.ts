import { basename, join } from 'node:path';
import type { JsonValue } from '@robota-sdk/agent-core';
import { HistoryFile, TodosFile, todosOn } from '@robota-sdk/agent-export';
import type { Conversation, ISessionLogger, SessionHandle } from '@robota-sdk/agent-sessions';
import { type Todo, todos, todosFrom, todoWriteTool } from '@robota-sdk/agent-tools';

interface KeepOptions {
  readonly handle: SessionHandle | undefined;
  readonly secrets: readonly string[];
  readonly logger: ISessionLogger | undefined;
}

/** Writes the history and the todos next to a session's file, and restores its todos. */
export function keepProjections(session: Conversation, { handle, secrets, logger }: KeepOptions): void {
  const directory = handle?.directory;
  if (!handle || directory === undefined || handle.readOnly) return;
  // In a directory of others, several sessions would write the same files.
  if (basename(directory) !== handle.id) return;
  const onProblem = (message: string) => logger?.log('projection_problem', { message });
  handle.follow(
    new HistoryFile({
      handle,
      file: join(directory, 'history.xnl'),
      system: () => toldSystem(session),
      secrets,
      onProblem,
    }),
  );
  keepTodos(session, handle, new TodosFile({ file: join(directory, 'todos.json'), secrets, onProblem }));
}

/** The prompt as the model gets it, including call syntax and tools for models without function calling. */
async function toldSystem(session: Conversation): Promise<string> {
  const { systemMessage, surroundings } = session;
  if (session.model.toolProtocol !== 'xnl') return systemMessage;
  const { protocolPrompt } = await import('@robota-sdk/agent-models');
  const { tools = [] } = surroundings;
  const specs = tools.map(({ name, description, input }) => ({ name, description, input: input.json }));
  return [systemMessage, protocolPrompt(specs)].filter((part) => part !== '').join('\n\n');
}

/** The file has the latest list; the branch is used if there is no file, or if it belongs to another branch. */
function keepTodos({ state }: Conversation, handle: SessionHandle, file: TodosFile): void {
  const list = state.get(todos);
  const show = (items: readonly Todo[]) => {
    if (items.length + list.items.length === 0) return;
    list.restore(items);
    file.write(items);
  };
  const ofBranch = () => listIn(todosOn(handle, todoWriteTool.name)) ?? [];
  if (handle.leafId !== null) {
    const kept = listIn(file.read());
    if (kept) list.restore(kept);
    else show(ofBranch());
  }
  list.onChange = (items) => file.write(items);
  handle.follow({ appended: () => {}, moved: () => show(ofBranch()), close: async () => {} });
}

/** Both arguments of the tool and the list itself are understood. */
function listIn(value: JsonValue | undefined): readonly Todo[] | undefined {
  if (value === undefined) return undefined;
  return todosFrom(Array.isArray(value) ? { todos: value } : value);
}
