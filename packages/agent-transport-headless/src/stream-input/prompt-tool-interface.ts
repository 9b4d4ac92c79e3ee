import { parseJson } from '@robota-sdk/agent-core';
import {
  type Answer,
  callServerTool,
  endSentence,
  errorMessage,
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  type Question,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import { permissionAnswer } from './channel-interface.ts';

/** Has a tool of an MCP server decide where a yes is needed. Whatever is no clear yes is a no. */
export class PromptToolInterface implements UserInterface {
  readonly #tool: string;
  /** The session whose servers are asked; set once it is open. */
  session: InteractiveSession | undefined;

  constructor(tool: string) {
    this.#tool = tool;
  }

  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    const { about } = question.kind === 'select' ? question : {};
    if (!about || !this.session) return { kind: 'unavailable' };
    const { name, input, id } = about.call;
    const call = { tool: this.#tool, arguments: { tool_name: name, input, tool_use_id: id } };
    try {
      const response = parseAnswer(await callServerTool(this.session, call, signal));
      return response
        ? permissionAnswer(response, about)
        : this.#noAnswer('it is not JSON like {"behavior": "allow"}');
    } catch (thrown) {
      signal?.throwIfAborted();
      return this.#noAnswer(errorMessage(thrown));
    }
  }

  /** The user was not asked, so nothing may say that they declined. */
  #noAnswer(why: string): Answer {
    return {
      kind: 'unavailable',
      reason: `The permission prompt tool ${this.#tool} gave no answer: ${endSentence(why)}`,
    };
  }

  notify(): void {
    // Notices are events of the session, which are told on their own.
  }
}

function parseAnswer(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}
