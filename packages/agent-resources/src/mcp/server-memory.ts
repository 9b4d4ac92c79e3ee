import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import {
  anyObject,
  decodeJson,
  errorMessage,
  flag,
  isMissing,
  lazy,
  list,
  number,
  object,
  robotaDirectories,
  text,
  whole,
} from '@robota-sdk/agent-core';
import type { McpServerSettings } from '../source/server-definition.ts';

export type McpKnowledge = import('@robota-sdk/agent-tool-mcp').McpKnowledge;

/** A server whose description changed since it was first used. */
export interface ChangedServer {
  readonly config: McpServerSettings;
  readonly before: McpKnowledge;
  readonly after: McpKnowledge;
}

/** The host and project whose servers are remembered. */
export interface ServerMemoryOptions {
  readonly host: HostEnvironment;
  /** True if servers can ask the user. Some offer other tools then, so both sets are stored. */
  readonly isAttended: boolean;
  onChanged(server: ChangedServer): void;
}

/**
 * Remembers what servers offer, so that their tools can be named before they are ready. Trusting a server
 * covers its first description; a changed description is unused until the user approves it.
 */
export class ServerMemory {
  readonly #directory: string;
  readonly #agreed = new Map<string, string>();
  readonly #changed = new Map<string, ChangedServer>();
  readonly #options: ServerMemoryOptions;

  constructor(options: ServerMemoryOptions) {
    this.#directory = join(robotaDirectories(options.host).state, 'mcp');
    this.#options = options;
  }

  /** Servers whose changed description waits for approval. */
  get changed(): readonly ChangedServer[] {
    return [...this.#changed.values()];
  }

  async recall(config: McpServerSettings): Promise<McpKnowledge | undefined> {
    return this.#read(config, this.#options.isAttended);
  }

  /** Returns the approved part of what a server offers, and reports new or changed parts. */
  async approve(config: McpServerSettings, knowledge: McpKnowledge): Promise<McpKnowledge | undefined> {
    const digest = digestOf(knowledge);
    const { before, isFine } = this.#agreement(config);
    const isAgreed = this.#agreed.get(keyOf(config)) === digest || sayingsOf(knowledge).every(isFine);
    if (before && !isAgreed) {
      const isNews = digestOf(this.#changed.get(config.name)?.after ?? before) !== digest;
      const changed = { config, before, after: knowledge };
      this.#changed.set(config.name, changed);
      if (isNews) this.#options.onChanged(changed);
      return agreedPart(knowledge, isFine);
    }
    this.#agreed.set(keyOf(config), digest);
    this.#changed.delete(config.name);
    return knowledge;
  }

  /** Stores only approved parts. If that fails, only time is lost. */
  async keep(config: McpServerSettings, knowledge: McpKnowledge): Promise<void> {
    if (this.#agreed.get(keyOf(config)) !== digestOf(knowledge)) return;
    const kept = await this.recall(config);
    if (kept && JSON.stringify(kept) === JSON.stringify(knowledge)) return;
    await this.#write(config, knowledge).catch(() => {});
  }

  /** Approves a server's current description; it may be restarted then. */
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
  async forget(config: McpServerSettings): Promise<void> {
    for (const isAttended of [true, false]) await rm(this.#fileOf(config, isAttended), { force: true });
  }

  /** The approved description, from attended or unattended sessions. */
  #agreement(config: McpServerSettings): {
    readonly before: McpKnowledge | undefined;
    isFine(saying: Saying): boolean;
  } {
    const { isAttended } = this.#options;
    const own = this.#read(config, isAttended);
    const other = this.#read(config, !isAttended);
    const agreed = [own, other].flatMap((knowledge) => (knowledge ? sayingsOf(knowledge) : []));
    const texts = new Set(agreed.map(({ text }) => text));
    const names = new Set(agreed.map(({ name }) => name));
    return {
      before: own ?? other,
      // Parts that only attended or only unattended sessions see are approved when they first appear.
      isFine: ({ name, text }) => texts.has(text) || (!own && !names.has(name)),
    };
  }

  /** Synchronous, because a session waits for it at its start. */
  #read(config: McpServerSettings, isAttended: boolean): McpKnowledge | undefined {
    const path = this.#fileOf(config, isAttended);
    if (isMissing(path)) return undefined;
    try {
      const read = decodeJson(readFileSync(path, 'utf8'));
      if (!read.ok) throw new Error(read.error);
      return knowledgeIn(read.value);
    } catch (thrown) {
      // Fail closed: without a readable record nothing counts as approved.
      throw new Error(`its saved state cannot be read: ${errorMessage(thrown)}. Remove ${path} to reset it`);
    }
  }

  async #write(config: McpServerSettings, knowledge: McpKnowledge): Promise<void> {
    const { updatePrivateFile } = await import('@robota-sdk/agent-config');
    const text = `${JSON.stringify({ name: config.name, ...knowledge })}\n`;
    await updatePrivateFile(this.#fileOf(config), () => text);
  }

  #fileOf(config: McpServerSettings, isAttended = this.#options.isAttended): string {
    return join(this.#directory, `${keyOf(config)}${isAttended ? '' : '-alone'}.json`);
  }
}

/**
 * The identity of a server: its name, command or URL, and tool filter. Tokens in its environment may change.
 */
function keyOf({ name, transport, tools }: McpServerSettings): string {
  const started =
    'command' in transport ? [transport.command, transport.args ?? [], transport.cwd ?? ''] : [];
  const main = 'url' in transport ? [transport.url] : started;
  const chosen = tools === undefined ? [] : [tools];
  const digest = hash('sha256', JSON.stringify([name, transport.kind, main, ...chosen]));
  return `${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}-${digest.slice(0, 16)}`;
}

interface Saying {
  readonly name: string;
  readonly text: string;
}

/** Everything of a server that a model reads, one by one. */
function sayingsOf({ tools, prompts }: McpKnowledge): readonly Saying[] {
  return [...tools.map(ofTool), ...prompts.map(ofPrompt)];
}

function ofTool({ name, description, inputSchema }: McpKnowledge['tools'][number]): Saying {
  return saying('tool', name, [description, inputSchema]);
}

function ofPrompt({ name, description, arguments: list }: McpKnowledge['prompts'][number]): Saying {
  return saying('prompt', name, [description, list]);
}

/** The part of a description that is unchanged since its approval; undefined if there is none. */
function agreedPart(all: McpKnowledge, isFine: (saying: Saying) => boolean): McpKnowledge | undefined {
  const tools = all.tools.filter((tool) => isFine(ofTool(tool)));
  const prompts = all.prompts.filter((prompt) => isFine(ofPrompt(prompt)));
  if (tools.length === 0 && prompts.length === 0) return undefined;
  const withheld = all.tools.length - tools.length + all.prompts.length - prompts.length;
  return { ...all, tools, prompts, withheld };
}

function saying(kind: string, name: string, said: readonly unknown[]): Saying {
  return { name: `${kind} ${name}`, text: JSON.stringify([kind, name, ...said]) };
}

function digestOf(knowledge: McpKnowledge): string {
  const texts = sayingsOf(knowledge).map(({ text }) => text);
  return hash('sha256', texts.sort().join('\n'));
}

function knowledgeIn(value: unknown): McpKnowledge | undefined {
  const kept = knowledgeShape.parse(value);
  if (!kept) return undefined;
  const { name, hasResources = false, ...knowledge } = kept;
  return { ...knowledge, hasResources };
}

const knowledgeShape = lazy(() => {
  const argument = object({ name: text, isRequired: flag }, { description: text });
  const tool = object(
    { name: text, description: text, inputSchema: anyObject },
    { title: text, isReadOnly: flag },
  );
  const prompt = object({ name: text, description: text, arguments: list(argument) }, { title: text });
  const counts = { leftOut: number, leftOutTools: list(text), withheld: number };
  const protocol = object({ at: number }, { discover: anyObject });
  return whole(
    object(
      { tools: list(tool), prompts: list(prompt) },
      { name: text, hasResources: flag, ...counts, protocol },
    ),
  );
});
