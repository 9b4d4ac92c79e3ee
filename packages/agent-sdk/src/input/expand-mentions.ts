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
import { findMentions, type Mention, withoutEnd } from './find-mentions.ts';

export interface MentionOptions {
  /**
   * The author of the text: mentions of the user need no question, those of a file are judged like the
   * model's reads.
   */
  readonly by: 'user' | 'file';
  readonly signal: AbortSignal;
}

/** The files that a text mentions, as the model gets them, and what is to be said about others. */
export interface ExpandedMentions {
  readonly attachments: readonly UserContent[];
  /** Paths as they were given. */
  readonly files: readonly string[];
  readonly notices: readonly string[];
}

const maxFiles = 20;
/** Pasted code may be full of words with an `@`. */
const maxMentions = 500;
const maxCharacters = 200_000;
const maxNames = 200;

/** Reads the files and directories that a text mentions. The text itself stays as it is. */
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
    const resource = mention.isExplicit ? undefined : resourceIn(this.#session, mention.name);
    if (resource && this.#by === 'user') return this.#readResource(resource);
    const found = this.#find(mention);
    if (!found) return this.#tellMissing(mention);
    const { path, isDirectory } = found;
    const key = `${path}${mention.lines ? `#L${mention.lines.first}-${mention.lines.last}` : ''}`;
    if (this.files.includes(key)) return;
    if (this.files.length >= maxFiles || this.#characters >= maxCharacters)
      return void this.notices.push(`@${path} was not attached: there is enough with the files before it.`);
    try {
      const problem = await this.#whyNot(path, isDirectory);
      if (problem !== undefined) return void this.notices.push(`@${path} was not attached: ${problem}`);
      const content = isDirectory ? await this.#list(path) : await this.#contentOf(path, mention);
      this.files.push(key);
      this.attachments.push(...content);
      if (this.#isOutside(path) && !this.#isPasted(path))
        this.notices.push(`@${path} lies outside the workspace and was attached.`);
      this.#characters += textOf(content).length;
    } catch (thrown) {
      this.notices.push(`@${path} was not attached: ${errorMessage(thrown)}`);
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

  /** The path as it stands there, or without what ends the sentence. */
  #find({ name }: Mention): { readonly path: string; readonly isDirectory: boolean } | undefined {
    const { workspace } = this.#context;
    const named = name.replace(/^~(?=\/|$)/, workspace.home);
    for (const path of new Set([named, withoutEnd(named)])) {
      const stats =
        path === '' ? undefined : statSync(resolve(workspace.cwd, path), { throwIfNoEntry: false });
      if (stats) return { path, isDirectory: stats.isDirectory() };
    }
    return undefined;
  }

  /** A word after an `@` is often no file; only what looks like one is worth a remark. */
  #tellMissing({ name, isExplicit }: Mention): void {
    if (isExplicit || looksLikeFile(withoutEnd(name)))
      this.notices.push(`There is no file ${withoutEnd(name)}; the text is sent as it is.`);
  }

  async #whyNot(path: string, isDirectory: boolean): Promise<string | undefined> {
    const { workspace } = this.#context;
    const absolute = resolve(workspace.cwd, path);
    // A relative path is about the project; who wants another file says so in full.
    if (!isAbsolute(path) && this.#isOutside(path))
      return `it lies outside the workspace. Give its whole path if it is meant: @${realPathOf(absolute)}.`;
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

  /** Pasted images lie in our folder; its path is not shown. */
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

  async #contentOf(path: string, { lines }: Mention): Promise<readonly UserContent[]> {
    const range = lines ? { offset: lines.first, limit: Math.max(1, lines.last - lines.first + 1) } : {};
    const output = await readTool.execute({ file_path: path, ...range }, this.#context);
    const { display } = output;
    if (output.content.some(({ type }) => type === 'image'))
      return [{ type: 'text', text: `@file:${path}\n` }, ...output.content];
    const text = textOf(output.content);
    if (display?.kind !== 'file') return [{ type: 'text', text: `@file:${path}\n${text}\n` }];
    const note = /\n\n(\[[^\n]*\])$/.exec(text)?.[1];
    const first = lines ? `#L${lines.first}-${lines.last}` : '';
    const body = note === undefined ? display.text : `${display.text}\n\n${note}`;
    return [{ type: 'text', text: `@file:${path}${first}\n${body}\n` }];
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

/** Names end so that are files and nothing else: `@app.route` and `@pytest.fixture` are code. */
const fileEnding =
  /\.(?:txt|md|jsonc?|jsonl|ya?ml|toml|ini|xml|html?|s?css|csv|tsv|log|[cm]?[jt]sx?|py|rs|go|rb|java|kt|swift|cc?|cpp|hh?|hpp|cs|php|sh|sql|pdf|png|jpe?g|gif|svg|webp)$/i;

function looksLikeFile(name: string): boolean {
  const isBelow = name.includes('/') && /\.\w{1,8}$/.test(name);
  return isBelow || /^(?:~?\/|\.\.?\/)/.test(name) || fileEnding.test(name);
}
