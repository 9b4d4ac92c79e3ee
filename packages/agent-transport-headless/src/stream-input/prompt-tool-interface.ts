import {
  type Answer,
  callServerTool,
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Question,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import { permissionAnswer } from './channel-interface.ts';

/** Has a tool of an MCP server decide where a yes is needed. Whatever is no clear yes is a no. */
export class PromptToolInterface implements UserInterface {
  readonly #tool: string;
  /** Whose servers are asked; set once it is open. */
  session: InteractiveSession | undefined;

  constructor(tool: string) {
    this.#tool = tool;
  }

  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    const { about } = question.kind === 'select' ? question : {};
    if (!about || !this.session) return { kind: 'unavailable' };
    const { name, input, id } = about.call;
    const call = { tool: this.#tool, arguments: { tool_name: name, input, tool_use_id: id } };
    const response = await callServerTool(this.session, call, signal).then(parseAnswer, (thrown: unknown) => {
      signal?.throwIfAborted();
      return { behavior: 'deny', message: `${this.#tool} gave no answer: ${String(thrown)}` };
    });
    return permissionAnswer(response, about);
  }

  notify(): void {
    // Notices are events of the session, which are told on their own.
  }
}

function parseAnswer(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (isJsonObject(value)) return value;
  } catch {
    // Said below.
  }
  return { behavior: 'deny', message: 'the answer is not JSON like {"behavior": "allow"}' };
}
