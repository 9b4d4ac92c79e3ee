import {
  type ElicitByProgram,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ProgramServers,
} from '@robota-sdk/agent-sdk/front-end';
import type { ControlChannel } from './control-channel.ts';

type ProgramOffer = NonNullable<ReturnType<ProgramServers>['offered']>;
type Hear = (message: JsonObject) => void;

/** Carries the messages of MCP servers that live in the program, both ways. */
export class ProgramServerMessages {
  readonly #channel: ControlChannel;
  readonly #listeners = new Map<string, Hear>();
  readonly #offered = new Map<string, ProgramOffer>();

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
    offered: this.#offered.get(server),
  });

  /** Takes what an `initialize` says of the servers ahead, so that their tools stand in the first request. */
  announce(manifests: JsonValue | undefined): void {
    if (!isJsonObject(manifests)) return;
    for (const [server, manifest] of Object.entries(manifests)) {
      const { initializeResult, toolsListResult } = isJsonObject(manifest) ? manifest : {};
      if (!isJsonObject(initializeResult)) continue;
      const tools = isJsonObject(toolsListResult) ? toolsListResult : undefined;
      this.#offered.set(server, { initializeResult, toolsListResult: tools });
    }
  }

  /** Has the program answer what any MCP server asks; nothing where it does not. */
  readonly elicit: ElicitByProgram = async (server, question, signal) => {
    const { message, mode, url, elicitationId, requestedSchema } = question;
    const asked = {
      message: message ?? '',
      mode: mode ?? (url === undefined ? 'form' : 'url'),
      url,
      elicitation_id: elicitationId,
      requested_schema: requestedSchema,
    };
    const fields = Object.entries(asked).filter(
      (entry): entry is [string, JsonValue] => entry[1] !== undefined,
    );
    const request = { subtype: 'elicitation', mcp_server_name: server, ...Object.fromEntries(fields) };
    const answer = await this.#channel.request(request, signal);
    return answer?.ok ? answer.response : undefined;
  };

  /** Takes a message that a server sends on its own; false where there is no such server. */
  take(server: string, message: JsonObject): boolean {
    const hear = this.#listeners.get(server);
    hear?.(message);
    return hear !== undefined;
  }
}
