import {
  type AssistantContent,
  claudeTools,
  costOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  loadCatalogue,
  toOwnCall,
  toolEnd,
  type Usage,
  type UserContent,
  type UserMessage,
} from '@robota-sdk/agent-core';
import {
  type EntryPiece,
  type ForeignSession,
  type MessageBody,
  readCount,
  type SourceNode,
  stringOf,
  timeOf,
} from '../source/foreign-session.ts';
import { parseObject, readJsonLines } from '../source/read-json-lines.ts';
import { SkipCounts, skipReasons } from '../source/skip-counts.ts';
import type { SourceFile } from '../source/source-file.ts';
import { claudeDiff } from './claude-diff.ts';
import { assistantContent, asTyped, blocksOf, stopReasonOf, usageOf, userContent } from './claude-message.ts';
import { type ClaudeNode, ClaudeShape } from './claude-shape.ts';

/** Reads a transcript of Claude Code. */
export function readClaude(file: SourceFile): ForeignSession {
  return new ClaudeReader(file);
}

class ClaudeReader implements ForeignSession {
  readonly format = 'claude';
  readonly labels = new Map<string, string>();
  readonly skipped = new SkipCounts();
  readonly nodes: readonly SourceNode[];
  readonly #file: SourceFile;
  readonly #shape = new ClaudeShape(this.skipped);

  constructor(file: SourceFile) {
    this.#file = file;
    for (const { value, span } of readJsonLines(file, this.skipped)) this.#shape.add(value, span);
    this.nodes = this.#shape.finish();
  }

  get leafId(): string | null | undefined {
    return this.#shape.leafId;
  }

  get cwd(): string | undefined {
    return this.#shape.cwd;
  }

  get started(): string | undefined {
    return this.#shape.started;
  }

  get name(): string | undefined {
    const { titles, isSubagent, agentId } = this.#shape;
    const title = titles.get('custom') ?? titles.get('ai') ?? titles.get('summary');
    return title ?? (isSubagent ? `Subagent ${agentId ?? ''}`.trim() : undefined);
  }

  pieces(id: string): readonly EntryPiece[] {
    const node = this.#shape.nodes.get(id);
    const lines = (node?.spans ?? [])
      .map((span) => parseObject(this.#file.textAt(span)))
      .filter((line) => line !== undefined);
    const [first] = lines;
    if (!node || !first) {
      this.skipped.add(skipReasons.notJson);
      return [];
    }
    return this.#piecesOf(node.kind, first, lines);
  }

  #piecesOf(
    kind: ClaudeNode['kind'],
    first: JsonObject,
    lines: readonly JsonObject[],
  ): readonly EntryPiece[] {
    switch (kind) {
      case 'user':
        return this.#said(first, { content: userContent(messageOf(first).content), ...originOf(first) });
      case 'results':
        return this.#results(first);
      case 'assistant':
        return this.#answer(lines);
      case 'compaction':
        return this.#compaction(lines);
      case 'attachment':
        return this.#attachment(first);
    }
  }

  #said(line: JsonObject, said: { content: UserContent[]; origin?: UserMessage['origin'] }): EntryPiece[] {
    const { origin } = said;
    const content = said.content.map((block) =>
      origin === 'command' && block.type === 'text' ? { ...block, text: asTyped(block.text) } : block,
    );
    if (content.length > 0)
      return [messagePiece(line, { role: 'user', content, ...(origin === undefined ? {} : { origin }) })];
    this.skipped.add(skipReasons.noMessage);
    return [];
  }

  #results(line: JsonObject): EntryPiece[] {
    const blocks = blocksOf(messageOf(line).content);
    const results = blocks.filter(({ type }) => type === 'tool_result');
    const display = results.length === 1 ? claudeDiff(line.toolUseResult) : undefined;
    const pieces = results.flatMap(({ tool_use_id: id, content, is_error }) => {
      if (typeof id !== 'string') return [];
      const name = toOwnCall(claudeTools, this.#shape.toolNames.get(id) ?? '', {}).name;
      const result = {
        toolCallId: id,
        toolName: name,
        content: userContent(content),
        ...toolEnd(is_error === true ? 'error' : 'success'),
      };
      return [messagePiece(line, { role: 'tool', ...result, ...(display ? { display } : {}) })];
    });
    const rest = userContent(blocks);
    return rest.length === 0
      ? pieces
      : [...pieces, ...this.#said(line, { content: rest, ...originOf(line) })];
  }

  #answer(lines: readonly JsonObject[]): EntryPiece[] {
    const [first = {}] = lines;
    const messages = lines.map(messageOf);
    const content = contentOf(messages);
    const id = stringOf(messages[0]?.model) ?? '';
    if (id === '<synthetic>') return this.#ownWords(first, content);
    if (content.length === 0) {
      this.skipped.add(skipReasons.noMessage);
      return [];
    }
    const usage = usageOf(last(messages, 'usage'));
    return [
      messagePiece(first, {
        role: 'assistant',
        content,
        model: { vendor: 'anthropic', id, api: 'anthropic' },
        usage,
        cost: readCount(last(lines, 'costUSD')) ?? priceOf(id, usage),
        stopReason: stopReasonOf(last(messages, 'stop_reason'), content),
      }),
    ];
  }

  /** Text that Claude Code wrote in the model's name: errors are kept as such, fillers are dropped. */
  #ownWords(line: JsonObject, content: readonly AssistantContent[]): EntryPiece[] {
    if (line.isApiErrorMessage !== true) {
      this.skipped.add('that Claude Code wrote in place of an answer');
      return [];
    }
    const message = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return [
      messagePiece(line, {
        role: 'assistant',
        content: [],
        model: { vendor: 'anthropic', id: '', api: 'anthropic' },
        usage: usageOf(undefined),
        cost: 0,
        stopReason: 'error',
        error: { code: 'server', message },
      }),
    ];
  }

  #compaction(lines: readonly JsonObject[]): EntryPiece[] {
    const summary = lines.find(({ type }) => type === 'user');
    const text = summary && userContent(messageOf(summary).content).map(textOfBlock).join('\n');
    if (!text) return [];
    const boundary = isJsonObject(lines[0]?.compactMetadata) ? lines[0].compactMetadata : {};
    const kept = isJsonObject(boundary.preservedSegment) ? boundary.preservedSegment.headUuid : undefined;
    return [
      {
        timestamp: timestampOf(summary),
        body: {
          type: 'compaction',
          summary: text,
          firstKeptEntryId: this.#shape.nodeOf(stringOf(kept) ?? ''),
          tokensBefore: readCount(boundary.preTokens) ?? 0,
        },
      },
    ];
  }

  /** Messages queued during a run, and mentioned files; other attachments are rebuilt in each session. */
  #attachment(line: JsonObject): EntryPiece[] {
    const attachment = isJsonObject(line.attachment) ? line.attachment : {};
    if (attachment.type === 'queued_command') {
      const content = userContent(attachment.prompt);
      const isNotice = /^\s*<task-notification>/.test(content.map(textOfBlock)[0] ?? '');
      return this.#said(line, { content, origin: isNotice ? 'reminder' : 'steering' });
    }
    const text = attachment.type === 'file' ? fileText(attachment) : undefined;
    if (text !== undefined)
      return this.#said(line, { content: [{ type: 'text', text }], origin: 'reminder' });
    this.skipped.add('with reminders that Claude Code attached');
    return [];
  }
}

function messageOf(line: JsonObject): JsonObject {
  return isJsonObject(line.message) ? line.message : {};
}

function timestampOf(line: JsonObject): string {
  return timeOf(line.timestamp) ?? '';
}

type Undated<M> = M extends MessageBody ? Omit<M, 'timestamp'> : never;

function messagePiece(line: JsonObject, message: Undated<MessageBody>): EntryPiece {
  const timestamp = timestampOf(line);
  return {
    timestamp,
    body: { type: 'message', message: { ...message, timestamp: Date.parse(timestamp) || 0 } },
  };
}

/** The blocks of one answer out of all its lines; some versions say a block again in a later line. */
function contentOf(messages: readonly JsonObject[]): AssistantContent[] {
  const seen = new Set<string>();
  return messages.flatMap(({ content }) =>
    blocksOf(content).flatMap((block) => {
      const key = typeof block.id === 'string' ? `#${block.id}` : JSON.stringify(block);
      if (seen.has(key)) return [];
      seen.add(key);
      return assistantContent(block);
    }),
  );
}

/** The last line that says something counts: every line repeats the usage, and only the last knows it all. */
function last(lines: readonly JsonObject[], key: string): JsonValue | undefined {
  return lines.findLast((line) => line[key] !== undefined && line[key] !== null)?.[key];
}

function priceOf(id: string, usage: Usage): number {
  const undated = id.replace(/-\d{8}$/, '');
  const model = loadCatalogue().models.find(
    (each) => each.vendor === 'anthropic' && (each.id === id || each.id.replace(/-\d{8}$/, '') === undated),
  );
  return costOf(usage, model?.price);
}

function originOf(line: JsonObject): { origin?: NonNullable<UserMessage['origin']> } {
  if (line.isMeta === true) return { origin: 'reminder' };
  const text = userContent(messageOf(line).content).map(textOfBlock)[0] ?? '';
  if (/^\s*<(command-(name|message)|local-command-|bash-)/.test(text)) return { origin: 'command' };
  return text.startsWith('[Request interrupted') ? { origin: 'reminder' } : {};
}

function fileText(attachment: JsonObject): string | undefined {
  const content = isJsonObject(attachment.content) ? attachment.content : {};
  const file = isJsonObject(content.file) ? content.file : {};
  const text = stringOf(file.content);
  const path = stringOf(file.filePath) ?? stringOf(attachment.filename) ?? 'a file';
  return text === undefined ? undefined : `Contents of ${path}:\n\n${text}`;
}

function textOfBlock(block: UserContent): string {
  return block.type === 'text' ? block.text : '';
}
