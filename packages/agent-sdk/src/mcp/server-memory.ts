import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, isJsonObject, type JsonValue } from '@robota-sdk/agent-core';
import { isMissing } from '../config/is-missing.ts';
import { type HostEnvironment, robotaHome } from '../dialects.ts';
import type { McpServerConfig } from './server-definition.ts';

export type McpKnowledge = import('@robota-sdk/agent-tool-mcp').McpKnowledge;

/** A server that says other things of itself than when it was first used. */
export interface ChangedServer {
  readonly config: McpServerConfig;
  readonly before: McpKnowledge;
  readonly after: McpKnowledge;
}

/**
 * Remembers what servers offer, so that their tools can be named before they are ready. What a server first says of itself
 * is agreed to with the server; when it says something else, nothing of it is used before a person agrees to that.
 */
export class ServerMemory {
  readonly #directory: string;
  readonly #agreed = new Map<string, string>();
  readonly #changed = new Map<string, ChangedServer>();
  readonly #onChanged: (server: ChangedServer) => void;

  constructor(host: HostEnvironment, onChanged: (server: ChangedServer) => void) {
    this.#directory = join(robotaHome(host), 'mcp');
    this.#onChanged = onChanged;
  }

  /** The servers that wait for somebody to agree to what they say now. */
  get changed(): readonly ChangedServer[] {
    return [...this.#changed.values()];
  }

  async recall(config: McpServerConfig): Promise<McpKnowledge | undefined> {
    return knowledgeIn(this.#read(config));
  }

  async approve(config: McpServerConfig, knowledge: McpKnowledge): Promise<boolean> {
    const digest = digestOf(knowledge);
    const before = await this.recall(config);
    if (before && digestOf(before) !== digest && this.#agreed.get(keyOf(config)) !== digest) {
      const isNews = digestOf(this.#changed.get(config.name)?.after ?? before) !== digest;
      const changed = { config, before, after: knowledge };
      this.#changed.set(config.name, changed);
      if (isNews) this.#onChanged(changed);
      return false;
    }
    this.#agreed.set(keyOf(config), digest);
    this.#changed.delete(config.name);
    return true;
  }

  /** Only what was agreed to is kept. A memory that can't be written costs only time. */
  async keep(config: McpServerConfig, knowledge: McpKnowledge): Promise<void> {
    if (this.#agreed.get(keyOf(config)) !== digestOf(knowledge)) return;
    const kept = await this.recall(config);
    if (kept && JSON.stringify(kept) === JSON.stringify(knowledge)) return;
    await this.#write(config, knowledge).catch(() => {});
  }

  /** Agrees to what a server says now; it may be started again then. */
  async agree(name: string): Promise<boolean> {
    const changed = this.#changed.get(name);
    if (!changed) return false;
    const { config, after } = changed;
    this.#agreed.set(keyOf(config), digestOf(after));
    this.#changed.delete(name);
    await this.#write(config, after).catch(() => {});
    return true;
  }

  /** Forgets a server, as if it had never been used. */
  async forget(config: McpServerConfig): Promise<void> {
    await rm(this.#fileOf(config), { force: true });
  }

  /** At once, since a session waits for it at its start. */
  #read(config: McpServerConfig): JsonValue | undefined {
    const path = this.#fileOf(config);
    if (isMissing(path)) return undefined;
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch (thrown) {
      // Who can't tell what was agreed to has not agreed to anything else.
      throw new Error(
        `what is remembered of it can not be read: ${errorMessage(thrown)}. Remove ${path} to begin anew`,
      );
    }
  }

  async #write(config: McpServerConfig, knowledge: McpKnowledge): Promise<void> {
    const { updatePrivateFile } = await import('../config/update-private-file.ts');
    const text = `${JSON.stringify({ name: config.name, ...knowledge })}\n`;
    await updatePrivateFile(this.#fileOf(config), () => text);
  }

  #fileOf(config: McpServerConfig): string {
    return join(this.#directory, `${keyOf(config)}.json`);
  }
}

/**
 * What a server is known by: its name, what it starts or reaches, and which of its tools are wanted. Tokens in its
 * environment may change.
 */
function keyOf({ name, transport, tools }: McpServerConfig): string {
  const main =
    transport.kind === 'stdio'
      ? [transport.command, transport.args ?? [], transport.cwd ?? '']
      : [transport.url];
  const chosen = tools === undefined ? [] : [tools];
  const digest = createHash('sha256').update(JSON.stringify([name, transport.kind, main, ...chosen]));
  return `${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}-${digest.digest('hex').slice(0, 16)}`;
}

/** Everything of a server that a model reads. */
function digestOf({ tools, prompts }: McpKnowledge): string {
  const sorted = <T extends { readonly name: string }>(list: readonly T[]) =>
    [...list].sort((one, other) => (one.name < other.name ? -1 : 1));
  const said = [
    sorted(tools).map(({ name, description, inputSchema }) => [name, description, inputSchema]),
    sorted(prompts).map(({ name, description, arguments: list }) => [name, description, list]),
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

function knowledgeIn(value: JsonValue | undefined): McpKnowledge | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.tools) || !Array.isArray(value.prompts)) return undefined;
  const isUsable = [...value.tools, ...value.prompts].every(
    (item) => isJsonObject(item) && typeof item.name === 'string' && typeof item.description === 'string',
  );
  if (!isUsable) return undefined;
  const { name, ...knowledge } = value;
  return knowledge as unknown as McpKnowledge;
}
