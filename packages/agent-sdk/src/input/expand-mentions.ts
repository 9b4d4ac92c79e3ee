import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { userPaths } from '@robota-sdk/agent-config';
import {
  type Access,
  type AnyTool,
  decide,
  errorMessage,
  hostFiles,
  isInWorkspace,
  problemOf,
  realPathOf,
  type ToolContext,
  textOf,
  type UserContent,
} from '@robota-sdk/agent-core';
import type { ResourceHost } from '@robota-sdk/agent-resources';
import { subagentHost } from '@robota-sdk/agent-resources';
import { globTool, readTool } from '@robota-sdk/agent-tools';
import { type MentionedResource, readMentioned, resourceIn } from '../mcp/mentioned-resources.ts';
import { toolContextOf } from '../state/tool-context.ts';
import { findMentions, type Mention, type MentionRange, withoutEnd } from './find-mentions.ts';

export interface MentionOptions {
  /**
   * The author of the text: mentions of the user need no question, those of a file are judged like the
   * model's reads.
   */
  readonly by: 'user' | 'file';
  readonly signal: AbortSignal;
}

/** The files that a text mentions, in the form for the model, and notices about others. */
export interface ExpandedMentions {
  readonly attachments: readonly UserContent[];
  /** Paths as written. */
  readonly files: readonly string[];
  readonly notices: readonly string[];
}

const maxFiles = 20;
/** Limit, because pasted code may contain many words with an `@`. */
const maxMentions = 500;
const maxCharacters = 200_000;
const maxNames = 200;
const withoutAt = 'Write the path without @ to let the model use commands on it.';

/** Reads the files and directories that a text mentions. The text itself is unchanged. */
export async function expandMentions(
  session: ResourceHost,
  text: string,
  { by, signal }: MentionOptions,
): Promise<ExpandedMentions> {
  const all = text.includes('@') ? findMentions(text) : [];
  const mentions = all.filter(({ kind }) => kind === 'file').slice(0, maxMentions);
  if (mentions.length === 0) return { attachments: [], files: [], notices: [] };
  const reader = new MentionReader(session, { by, signal });
  for (const mention of mentions) await reader.read(mention);
  return reader;
}

class MentionReader implements ExpandedMentions {
  readonly attachments: UserContent[] = [];
  readonly files: string[] = [];
  readonly notices: string[] = [];
  readonly #session: ResourceHost;
  readonly #by: MentionOptions['by'];
  readonly #context: ToolContext;
  #characters = 0;

  constructor(session: ResourceHost, { by, signal }: MentionOptions) {
    this.#session = session;
    this.#by = by;
    this.#context = toolContextOf(session.getSession(), { signal });
  }

  async read(mention: Mention): Promise<void> {
    const resource = mention.isExplicit ? undefined : resourceIn(this.#session, mention.written);
    if (resource && this.#by === 'user') return this.#readResource(resource);
    const found = this.#find(mention);
    if (!found) return this.#tellMissing(mention);
    const { path, isDirectory, range } = found;
    const key = `${path}${range ? labelOf(range) : ''}`;
    if (this.files.includes(key)) return;
    if (this.files.length >= maxFiles || this.#characters >= maxCharacters)
      return void this.notices.push(`@${path} was not attached: the files before it reach the limit.`);
    try {
      const problem = await this.#whyNot(path, isDirectory);
      if (problem !== undefined) return void this.notices.push(`@${path} was not attached: ${problem}`);
      const content = isDirectory ? await this.#list(path) : await this.#contentOf(path, range);
      this.files.push(key);
      this.attachments.push(...content);
      if (this.#isOutside(path) && !this.#isPasted(path))
        this.notices.push(`@${path} is outside the workspace and was attached.`);
      this.#characters += textOf(content).length;
    } catch (thrown) {
      const { brief, message } = problemOf(thrown);
      this.notices.push(
        `@${path} was not attached: ${brief === undefined ? message : `${brief}. ${withoutAt}`}`,
      );
    }
  }

  async #readResource({ server, uri: written }: MentionedResource): Promise<void> {
    const uri = withoutEnd(written);
    const key = `${server}:${uri}`;
    if (this.files.includes(key)) return;
    try {
      const content = await readMentioned(this.#session, { server, uri }, this.#context.signal);
      this.files.push(key);
      this.attachments.push(...content);
      this.#characters += textOf(content).length;
    } catch (thrown) {
      this.notices.push(`@${key} was not attached: ${errorMessage(thrown)}`);
    }
  }

  /** The path as written, without the punctuation that ends the sentence, or a file without its range. */
  #find({ name, written, range }: Mention): FoundFile | undefined {
    const { workspace } = this.#context;
    for (const each of new Set([written, withoutEnd(written), name])) {
      if (each === '') continue;
      const path = each.replace(/^~(?=\/|$)/, workspace.home);
      const stats = statSync(resolve(workspace.cwd, path), { throwIfNoEntry: false });
      if (!stats) continue;
      const isDirectory = stats.isDirectory();
      if (!range || each !== name) return { path, isDirectory };
      if (!isDirectory) return { path, isDirectory, range };
    }
    return undefined;
  }

  /** A word after an `@` is often not a file; only one that looks like a file is reported. */
  #tellMissing({ name, isExplicit }: Mention): void {
    if (isExplicit || looksLikeFile(withoutEnd(name)))
      this.notices.push(`File not found: ${withoutEnd(name)}; the text is sent unchanged.`);
  }

  async #whyNot(path: string, isDirectory: boolean): Promise<string | undefined> {
    const { workspace } = this.#context;
    const absolute = resolve(workspace.cwd, path);
    // A relative path refers to the project; other files need a full path.
    if (!isAbsolute(path) && this.#isOutside(path))
      return `it is outside the workspace. To include it, give its full path: @${realPathOf(absolute)}.`;
    const tool: AnyTool = isDirectory ? globTool : readTool;
    const input = isDirectory ? { pattern: '*', path: absolute } : { file_path: absolute };
    const access = await tool.access(input, this.#context);
    if (this.#by === 'file') return this.#ask(tool, input, access);
    const { ignored, rules } = this.#session.permissions;
    const own = { rules: { allow: [], ask: [], deny: rules.deny }, ignored, workspace };
    const policy = { mode: 'bypassPermissions', ...own } as const;
    const decision = await decide({ ...policy, files: hostFiles }, { tool: tool.name, access });
    return decision.verdict === 'deny' ? decision.reason : undefined;
  }

  #isOutside(path: string): boolean {
    const { workspace } = this.#context;
    return !isInWorkspace(realPathOf(resolve(workspace.cwd, path)), workspace);
  }

  /** Pasted images are in our folder; its path is not shown. */
  #isPasted(path: string): boolean {
    const pasted = realPathOf(userPaths(this.#session.place.host).images);
    return dirname(realPathOf(path)) === pasted;
  }

  async #ask(
    tool: AnyTool,
    input: Record<string, string>,
    access: readonly Access[],
  ): Promise<string | undefined> {
    const { authorize } = this.#session.getSession().state.get(subagentHost);
    const call = { type: 'tool-call', id: this.#context.callId, name: tool.name, input } as const;
    const answer = await authorize({ tool, call, input, access, hook: undefined }, this.#context.signal);
    return answer.allowed ? undefined : answer.reason;
  }

  async #contentOf(path: string, range: MentionRange | undefined): Promise<readonly UserContent[]> {
    const output = await readTool.execute({ file_path: path, ...(range && partOf(range)) }, this.#context);
    const { display } = output;
    if (output.content.some(({ type }) => type === 'image'))
      return [{ type: 'text', text: `@file:${path}\n` }, ...output.content];
    const text = textOf(output.content);
    if (display?.kind !== 'file') return [{ type: 'text', text: `@file:${path}\n${text}\n` }];
    const note = /\n\n(\[[^\n]*\])$/.exec(text)?.[1];
    const label = range ? labelOf(range) : '';
    const body = note === undefined ? display.text : `${display.text}\n\n${note}`;
    return [{ type: 'text', text: `@file:${path}${label}\n${body}\n` }];
  }

  async #list(path: string): Promise<readonly UserContent[]> {
    const directory = resolve(this.#context.workspace.cwd, path);
    const { hidden } = this.#session.permissions;
    const entries = (await readdir(directory, { withFileTypes: true }))
      .filter(({ name }) => hidden?.isHidden(join(directory, name)) !== true)
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();
    const shown = entries.slice(0, maxNames);
    if (shown.length < entries.length) shown.push(`[and ${entries.length - shown.length} more]`);
    return [{ type: 'text', text: `@file:${path}\n${shown.join('\n')}\n` }];
  }
}

interface FoundFile {
  readonly path: string;
  readonly isDirectory: boolean;
  readonly range?: MentionRange;
}

/** A range for Read: lines of a text, or pages of a PDF. */
function partOf({ first, last }: MentionRange): { offset: number; limit?: number; pages: string } {
  const lines = last === undefined ? {} : { limit: Math.max(1, last - first + 1) };
  return { offset: first, ...lines, pages: `${first}-${last ?? ''}` };
}

function labelOf({ first, last }: MentionRange): string {
  return `#L${first}-${last ?? ''}`;
}

/** Endings that only files have: `@app.route` and `@pytest.fixture` are code. */
const fileEnding =
  /\.(?:txt|md|jsonc?|jsonl|ya?ml|toml|ini|xml|html?|s?css|csv|tsv|log|[cm]?[jt]sx?|py|rs|go|rb|java|kt|swift|cc?|cpp|hh?|hpp|cs|php|sh|sql|pdf|png|jpe?g|gif|svg|webp)$/i;

function looksLikeFile(name: string): boolean {
  const isBelow = name.includes('/') && /\.\w{1,8}$/.test(name);
  return isBelow || /^(?:~?\/|\.\.?\/)/.test(name) || fileEnding.test(name);
}
