import type { AnyTool, Extension, JsonObject } from '@robota-sdk/agent-core';
import { Listeners } from '@robota-sdk/agent-core';
import type { McpServerOptions, ProgramServers } from '@robota-sdk/agent-resources';
import { defineExtension } from './define-extension.ts';

/** An MCP server inside the program: tools, or an instance of the official SDK's server. */
export type ProgramServer = { readonly tools: readonly AnyTool[] } | { readonly instance: ServerInstance };

/** The part of an official SDK's server that is needed to reach it. */
interface ServerInstance {
  /** A method, not a property, so that servers of every SDK version fit: their transports differ in unimportant ways. */
  connect(transport: unknown): Promise<void>;
}

interface SplitServers {
  /** Servers that are processes or URLs, and those that are instances. */
  readonly servers: Record<string, McpServerOptions>;
  readonly extensions: readonly Extension[];
  readonly tools: readonly AnyTool[];
  readonly programServers: ProgramServers | undefined;
}

/** Sorts servers by how they are reached: by the MCP client, as an instance, or as plain tools. */
export function splitServers(
  given: Readonly<Record<string, McpServerOptions | ProgramServer>> = {},
): SplitServers {
  const servers: Record<string, McpServerOptions> = {};
  const instances = new Map<string, ServerInstance>();
  const tools: AnyTool[] = [];
  for (const [name, server] of Object.entries(given)) {
    if ('tools' in server) {
      tools.push(...server.tools.map((tool) => ({ ...tool, name: `mcp__${name}__${tool.name}` })));
    } else if ('instance' in server) {
      instances.set(name, server.instance);
      servers[name] = { type: 'sdk' };
    } else servers[name] = server;
  }
  const reach: ProgramServers = (name) => {
    const instance = instances.get(name);
    if (!instance) throw new Error(`The program has no MCP server "${name}".`);
    return new InstanceLink(instance);
  };
  return {
    servers,
    tools,
    extensions: tools.length === 0 ? [] : [defineExtension({ name: 'program servers', tools }) as Extension],
    programServers: instances.size === 0 ? undefined : reach,
  };
}

/** Connects a server of the official SDK without a process: it sees a transport, we see a port. */
class InstanceLink {
  readonly #waiting = new Map<string, (answer: JsonObject) => void>();
  readonly #listeners = new Listeners<JsonObject>();
  readonly listen = this.#listeners.add;
  readonly #instance: ServerInstance;
  #connecting: Promise<void> | undefined;
  readonly #transport = {
    onmessage: undefined as ((message: JsonObject) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    start: async () => {},
    close: async () => this.#transport.onclose?.(),
    send: async (message: JsonObject) => this.#hear(message),
  };

  constructor(instance: ServerInstance) {
    this.#instance = instance;
  }

  async exchange(message: JsonObject): Promise<JsonObject | undefined> {
    // Connected late, because an instance accepts only one connection.
    this.#connecting ??= this.#instance.connect(this.#transport);
    await this.#connecting;
    const { id, method } = message;
    if (id === undefined || method === undefined) {
      this.#transport.onmessage?.(message);
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.set(JSON.stringify(id), resolve);
      this.#transport.onmessage?.(message);
    });
  }

  #hear(message: JsonObject): void {
    const key = JSON.stringify(message.id ?? null);
    const settle = message.method === undefined ? this.#waiting.get(key) : undefined;
    if (settle) {
      this.#waiting.delete(key);
      return settle(message);
    }
    this.#listeners.tell(message);
  }
}
