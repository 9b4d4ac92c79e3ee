import { isJsonObject, type JsonObject, type ProgramServers } from '@robota-sdk/agent-sdk';
import type { ControlChannel } from './control-channel.ts';

type Hear = (message: JsonObject) => void;

/** Carries the messages of MCP servers that live in the program, both ways. */
export class ProgramServerMessages {
  readonly #channel: ControlChannel;
  readonly #listeners = new Map<string, Hear>();

  constructor(channel: ControlChannel) {
    this.#channel = channel;
  }

  /** The way to a server, by its name. */
  readonly reach: ProgramServers = (server) => ({
    exchange: async (message) => {
      const answer = await this.#channel.request({ subtype: 'mcp_message', server_name: server, message });
      if (!answer?.ok) throw new Error(answer?.error ?? 'the program took it back');
      const { mcp_response: response } = answer.response;
      return isJsonObject(response) ? response : undefined;
    },
    listen: (hear) => {
      this.#listeners.set(server, hear);
      return () => {
        if (this.#listeners.get(server) === hear) this.#listeners.delete(server);
      };
    },
  });

  /** Takes a message that a server sends on its own; false where there is no such server. */
  take(server: string, message: JsonObject): boolean {
    const hear = this.#listeners.get(server);
    hear?.(message);
    return hear !== undefined;
  }
}
