import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { ownWriter } from '@robota-sdk/agent-sessions';
import { geminiDirectory } from '../rows/gemini-directory.ts';
import { isDatabase } from '../rows/opencode-source.ts';
import { codexPayload } from '../rows/read-codex.ts';
import type { SourceFormat } from '../source/foreign-session.ts';
import { parseObject } from '../source/read-json-lines.ts';
import type { SourceFile } from '../source/source-file.ts';

/** Facts from the beginning of a file. */
export interface SourceHead {
  /**
   * `robota` for a session of our own, `empty` for nothing but blank space; `database` and `compressed` may hold
   * sessions.
   */
  readonly format: SourceFormat | 'robota' | 'database' | 'compressed' | 'empty' | 'unknown';
  /** The directory of the session, if given near the beginning. */
  readonly cwd: string | undefined;
  /** The conversation of a subagent. */
  readonly isSubagent: boolean;
  /** The hash that Gemini CLI keeps in place of a directory. */
  readonly projectHash?: string;
}

/** The beginning of a file may be damaged: so many lines are looked at before it counts as unknown. */
const linesToLookAt = 200;

/** Tells by its content, and never by its name, which program wrote a file. */
export function detectFormat(file: SourceFile): SourceHead {
  const packed = packedFormat(file);
  if (packed) return { format: packed, cwd: undefined, isSubagent: false };
  let lines = 0;
  let isArray = false;
  let format: SourceHead['format'] = 'empty';
  let cwd: string | undefined;
  let isSubagent: boolean | undefined;
  let projectHash: string | undefined;
  for (const { text } of file.lines()) {
    if (text?.trim() === '') continue;
    if (++lines > linesToLookAt) break;
    const line = parseObject(text);
    isArray ||= lines === 1 && /^\s*\[/.test(text ?? '');
    if (format === 'empty' || format === 'unknown')
      format = (line ? formatOf(line) : formatOfText(text ?? '', { isArray })) ?? 'unknown';
    const facts = factsOf(line, text ?? '');
    isSubagent ??= facts.isSubagent;
    projectHash ??= facts.projectHash;
    cwd ??= facts.cwd;
    if (isKnownBy(format, cwd)) break;
  }
  if (projectHash !== undefined) cwd ??= geminiDirectory(file.path, projectHash);
  return {
    format,
    cwd,
    isSubagent: isSubagent === true,
    ...(projectHash === undefined ? {} : { projectHash }),
  };
}

/** Files whose content has to be unpacked before it tells anything. */
function packedFormat(file: SourceFile): 'database' | 'compressed' | undefined {
  const head = file.bytes(16);
  if (isDatabase(head.toString('latin1'))) return 'database';
  return head.toString('latin1', 0, 4) === '\x28\xb5\x2f\xfd' ? 'compressed' : undefined;
}

interface HeadFacts {
  readonly cwd?: string;
  readonly isSubagent?: boolean;
  readonly projectHash?: string;
}

/** Facts in a line, or in one of the lines of an object that takes many. */
function factsOf(line: JsonObject | undefined, text: string): HeadFacts {
  if (!line) {
    const [, name, value] = /^\s*"(projectHash|directory|parentID)"\s*:\s*"([^"]+)"/.exec(text) ?? [];
    if (value === undefined) return {};
    if (name === 'directory') return { cwd: value };
    if (name === 'parentID') return value.startsWith('ses_') ? { isSubagent: true } : {};
    return { projectHash: value };
  }
  const inner = isJsonObject(line.opencode) ? line.opencode : codexPayload(line);
  const cwd = [line.cwd, inner.cwd, inner.directory].find((each) => typeof each === 'string' && each !== '');
  const isSub =
    line.isSidechain === true ||
    line.kind === 'subagent' ||
    String(inner.parentID).startsWith('ses_') ||
    (isJsonObject(inner.source) && inner.source.subagent !== undefined);
  return {
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(isSub ? { isSubagent: true } : line.isSidechain === false ? { isSubagent: false } : {}),
    ...(typeof line.projectHash === 'string' ? { projectHash: line.projectHash } : {}),
  };
}

const claudeTypes: ReadonlySet<unknown> = new Set([
  'user',
  'assistant',
  'system',
  'summary',
  'attachment',
  'progress',
  'file-history-snapshot',
  'queue-operation',
  'last-prompt',
  'custom-title',
  'ai-title',
]);
const flatRoles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'toolResult', 'tool']);

function formatOf(line: JsonObject): SourceHead['format'] | undefined {
  const { type, kind, role, id, message } = line;
  if (isJsonObject(line.opencode) || (isJsonObject(line.info) && /^ses_/.test(String(line.info.id))))
    return 'opencode';
  if (typeof id === 'string' && /^ses_/.test(id) && typeof line.directory === 'string') return 'opencode';
  if (typeof line.projectHash === 'string' && typeof line.sessionId === 'string') return 'gemini';
  if (isCodex(line) || isCodexObject(line)) return 'codex';
  if (kind === 'header' && typeof line.version === 'number') return 'pi-4';
  if (type === 'session') return ofHeader(line);
  if (type === undefined && flatRoles.has(role)) return 'flat';
  if (claudeTypes.has(type) && hasClaudeMark(line)) return 'claude';
  if (type === 'message' && typeof message === 'object') return 'pi';
  return kind === 'entry' && typeof id === 'string' ? 'pi-4' : undefined;
}

const codexTypes: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
]);

/** A session of the versions in TypeScript, which wrote one object. */
export function isCodexObject({ session, items }: JsonObject): boolean {
  return isJsonObject(session) && typeof session.id === 'string' && Array.isArray(items);
}

/** A line in an envelope, or the first line of the versions that had none. */
function isCodex(line: JsonObject): boolean {
  if (codexTypes.has(line.type)) return isJsonObject(line.payload);
  const { id, timestamp, type, git, instructions } = line;
  const isOlder = type === undefined && typeof id === 'string' && typeof timestamp === 'string';
  return isOlder && (git !== undefined || instructions !== undefined);
}

function ofHeader({ writer, v }: JsonObject): SourceHead['format'] {
  if (writer === ownWriter) return 'robota';
  return v === undefined ? 'pi' : 'flat';
}

function hasClaudeMark(line: JsonObject): boolean {
  return ['sessionId', 'uuid', 'leafUuid', 'snapshot', 'parentUuid'].some((key) => line[key] !== undefined);
}

/** A record in XNL by its first element, one in JSON by the first role in its array. */
function formatOfText(
  text: string,
  { isArray }: { readonly isArray: boolean },
): SourceHead['format'] | undefined {
  if (/^\s*"projectHash"\s*:/.test(text)) return 'gemini';
  if (/^\s*"id"\s*:\s*"ses_/.test(text)) return 'opencode';
  if (/^\s*"session"\s*:\s*\{\s*$/.test(text)) return 'codex';
  if (/^<(system|user|assistant|tool)[\s{>]/.test(text)) return 'eidolon-xnl';
  return isArray && /"role"\s*:\s*"(system|user|assistant|tool)"/.test(text) ? 'eidolon-json' : undefined;
}

/** True if no further line can tell more. An object over many lines names its parent behind its directory. */
function isKnownBy(format: SourceHead['format'], cwd: string | undefined): boolean {
  if (format === 'unknown' || format === 'empty' || format === 'opencode') return false;
  const isOfLines = format !== 'eidolon-json' && format !== 'eidolon-xnl' && format !== 'robota';
  return cwd !== undefined || !isOfLines;
}
