import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import {
  createRedactor,
  errorMessage,
  isJsonObject,
  type JsonValue,
  orElse,
  parseJson,
  type Redactor,
  toolCallsOf,
} from '@robota-sdk/agent-core';
import type { SessionHandle } from '@robota-sdk/agent-sessions';

export interface TodosFileOptions {
  readonly file: string;
  /** Values that must never appear in the file, such as keys in use. */
  readonly secrets?: readonly string[];
  /** Told when the file can't be written. */
  readonly onProblem?: (message: string) => void;
}

/** The todo list of a session as a file, replaced as a whole. */
export class TodosFile {
  readonly #file: string;
  readonly #redact: Redactor;
  readonly #onProblem: (message: string) => void;

  constructor({ file, secrets = [], onProblem = () => {} }: TodosFileOptions) {
    this.#file = file;
    this.#redact = createRedactor(secrets);
    this.#onProblem = onProblem;
  }

  /** The list that was written last; nothing if the file is missing or damaged. */
  read(): JsonValue | undefined {
    const stored = parseJson(orElse(() => readFileSync(this.#file, 'utf8'), ''));
    return isJsonObject(stored) ? stored.todos : undefined;
  }

  /** Never throws: a list that can't be written is still in the conversation. */
  write(todos: readonly object[]): void {
    const temporary = `${this.#file}.tmp`;
    try {
      const text = JSON.stringify({ version: 1, todos: this.#redact(todos) }, undefined, 2);
      writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
      renameSync(temporary, this.#file);
    } catch (error) {
      this.#onProblem(`The todos can't be written: ${errorMessage(error)}. The conversation still has them.`);
    }
  }
}

/** A list that was set so long ago says nothing about what is done now, and not all of a large session is read for it. */
const mostMessages = 10_000;

/** The arguments of the last call on the active branch that set the todos; nothing where there was none. */
export function todosOn(handle: Pick<SessionHandle, 'backwards'>, toolName: string): JsonValue | undefined {
  const refused = new Set<string>();
  let looked = 0;
  for (const entry of handle.backwards('message')) {
    if (++looked > mostMessages) break;
    if (entry.type !== 'message') continue;
    const { message } = entry;
    if (message.role === 'tool' && message.isError) refused.add(message.toolCallId);
    const call = toolCallsOf(message).findLast(({ id, name }) => name === toolName && !refused.has(id));
    if (call) return call.input;
  }
  return undefined;
}
