import type { JsonObject } from '@robota-sdk/agent-core';
import { ownWriter } from '@robota-sdk/agent-sessions';
import type { SourceFormat } from './foreign-session.ts';
import { parseObject } from './read-json-lines.ts';
import type { SourceFile } from './source-file.ts';

/** Facts from the beginning of a file. */
export interface SourceHead {
  /** `robota` for a session of our own, `empty` for nothing but blank space. */
  readonly format: SourceFormat | 'robota' | 'empty' | 'unknown';
  /** The directory of the session, if given near the beginning. */
  readonly cwd: string | undefined;
  /** A transcript of Claude Code that begins with what a subagent was told. */
  readonly isSubagent: boolean;
}

/** The beginning of a file may be damaged: so many lines are looked at before it counts as unknown. */
const linesToLookAt = 200;

/** Tells by its content, and never by its name, which program wrote a file. */
export function detectFormat(file: SourceFile): SourceHead {
  let lines = 0;
  let isArray = false;
  let format: SourceHead['format'] = 'empty';
  let cwd: string | undefined;
  let isSubagent: boolean | undefined;
  for (const { text } of file.lines()) {
    if (text?.trim() === '') continue;
    if (++lines > linesToLookAt) break;
    const line = parseObject(text);
    isArray ||= lines === 1 && /^\s*\[/.test(text ?? '');
    if (format === 'empty' || format === 'unknown')
      format = (line ? formatOf(line) : formatOfText(text ?? '', { isArray })) ?? 'unknown';
    if (line && typeof line.isSidechain === 'boolean') isSubagent ??= line.isSidechain;
    if (typeof line?.cwd === 'string' && line.cwd !== '') cwd ??= line.cwd;
    if (format !== 'unknown' && (cwd !== undefined || !isLineFormat(format))) break;
  }
  return { format, cwd, isSubagent: isSubagent === true };
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
  if (kind === 'header' && typeof line.version === 'number') return 'pi-4';
  if (type === 'session') return ofHeader(line);
  if (type === undefined && flatRoles.has(role)) return 'flat';
  if (claudeTypes.has(type) && hasClaudeMark(line)) return 'claude';
  if (type === 'message' && typeof message === 'object') return 'pi';
  return kind === 'entry' && typeof id === 'string' ? 'pi-4' : undefined;
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
  if (/^<(system|user|assistant|tool)[\s{>]/.test(text)) return 'eidolon-xnl';
  return isArray && /"role"\s*:\s*"(system|user|assistant|tool)"/.test(text) ? 'eidolon-json' : undefined;
}

function isLineFormat(format: SourceHead['format']): boolean {
  return format !== 'eidolon-json' && format !== 'eidolon-xnl' && format !== 'robota';
}
