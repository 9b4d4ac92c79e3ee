import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { errorMessage, givenFields, parseJson, shortLine, text } from '@robota-sdk/agent-core';
import { decodeLine } from '../entry/codec.ts';
import { formatVersion, type SessionHeader } from '../entry/entry.ts';
import { isCountedMessage } from '../entry/is-counted-message.ts';
import { isRequest } from '../entry/is-request.ts';
import { typedText } from '../entry/spoken-content.ts';
import type { SessionProblem } from './session-problem.ts';
import type { SessionSummary } from './session-store.ts';

const headBytes = 16 * 1024;
const tailBytes = 32 * 1024;
const promptCharacters = 200;

/** Describes a session's file from its first and last bytes; undefined if it is not a session. */
export function summarizeFile(path: string, fallbackId: string): SessionSummary | undefined {
  const ends = readEnds(path);
  if (!ends || ends.size === 0) return undefined;
  const { header, firstPrompt } = readHead(ends.head);
  if (!header && ends.head.trim() === '') return undefined;
  return {
    id: header?.id ?? fallbackId,
    cwd: header?.cwd ?? '',
    created: header?.timestamp ?? ends.modified,
    modified: ends.modified,
    path,
    ...givenFields({ name: lastName(ends.tail), firstPrompt, ...originOf(header) }),
    ...(header === undefined || header.version <= formatVersion ? {} : { newerFormat: header.version }),
  };
}

/** When a session's file was last written; undefined for a missing one, and for a broken one, which is reported. */
export function modifiedTime(
  path: string,
  report: (problem: SessionProblem) => void,
): { path: string; time: number } | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat && { path, time: stat.mtimeMs };
  } catch (error) {
    const message = `A session was skipped: ${errorMessage(error)}. Repair or remove it.`;
    report({ code: 'disk', count: 1, message });
    return undefined;
  }
}

/** The session or file that a session comes from. */
export function originOf(header: SessionHeader | undefined) {
  return { copyOf: header?.parentSession, importedFrom: header?.importedFrom };
}

/** Like `summarizeFile`; undefined for a session without messages. */
export function summarizeUsed(path: string, fallbackId: string): SessionSummary | undefined {
  const summary = summarizeFile(path, fallbackId);
  return summary?.firstPrompt === undefined && isBlankFile(path) ? undefined : summary;
}

/** Entries that only record settings. */
const choices: ReadonlySet<string> = new Set(['model_change', 'thinking_level_change']);

/** True if a session's file has no messages and nothing stored by a tool; false for one that is too long to check. */
export function isBlankFile(path: string): boolean {
  const ends = readEnds(path);
  if (!ends || ends.size > tailBytes) return false;
  return ends.head.split('\n').every(isBlankLine);
}

/** True if a line does not make a session worth listing. */
export function isBlankLine(text: string): boolean {
  const line = decodeLine(text);
  if (line.kind === 'fact') return line.fact.type !== 'session_info' || line.fact.name === '';
  if (line.kind !== 'entry') return line.kind === 'header' || text.trim() === '';
  const { entry } = line;
  return entry.type === 'message' ? !isCountedMessage(entry.message) : choices.has(entry.type);
}

function readEnds(path: string): { head: string; tail: string; size: number; modified: string } | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const { size, mtime } = fstatSync(fd);
    const isSmall = size <= tailBytes;
    const head = readAt(fd, 0, isSmall ? size : headBytes);
    const tail = isSmall ? head : readAt(fd, size - tailBytes, tailBytes);
    return { head, tail, size, modified: mtime.toISOString() };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readAt(fd: number, position: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, length, position));
}

function readHead(head: string) {
  const lines = head.split('\n');
  const first = decodeLine(lines[0]?.replace(/^\uFEFF/, '') ?? '');
  const header = first.kind === 'header' ? first.header : undefined;
  return { header, firstPrompt: firstPromptOf(lines) };
}

/** A title without characters that a terminal obeys, or that turn the direction of a line. */
export function shownTitle(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');
}

/** The first prompt in lines of a session, or else the first command the user ran, shortened for a list. */
export function firstPromptOf(lines: readonly string[]): string | undefined {
  let command: string | undefined;
  for (const text of lines) {
    if (!/"role"\s*:\s*"(?:user|bashExecution)"/.test(text)) continue;
    const line = decodeLine(text);
    if (line.kind === 'problem') return clip(cutOffText(text));
    if (line.kind !== 'entry') continue;
    const { entry } = line;
    if (entry.type === 'shell') command ??= clip(`!${entry.command}`);
    if (entry.type !== 'message' || entry.message.role !== 'user') continue;
    if (isRequest(entry.message)) return clip(typedText(entry.message));
  }
  return command;
}

/** The beginning of a prompt whose line is longer than the head. */
function cutOffText(line: string): string {
  const opening = /"(?:shown|text)"\s*:\s*"/.exec(line);
  if (!opening) return '';
  const start = opening.index + opening[0].length;
  const escaped = line.slice(start, start + promptCharacters * 2).replace(/\\(u[0-9a-f]{0,3})?$/i, '');
  const whole = /^(?:[^"\\]|\\.)*/.exec(escaped)?.[0] ?? '';
  return text.parse(parseJson(`"${whole}"`)) ?? '';
}

function clip(text: string): string | undefined {
  return shortLine(text.slice(0, promptCharacters * 2), promptCharacters) || undefined;
}

function lastName(tail: string): string | undefined {
  const at = [...tail.matchAll(/"type"\s*:\s*"session_info"/g)].at(-1)?.index;
  if (at === undefined) return undefined;
  const start = tail.lastIndexOf('\n', at) + 1;
  const end = tail.indexOf('\n', at);
  const line = decodeLine(tail.slice(start, end < 0 ? undefined : end));
  if (line.kind !== 'fact' || line.fact.type !== 'session_info') return undefined;
  return line.fact.name === '' ? undefined : line.fact.name;
}

export function byTime(a: SessionSummary, b: SessionSummary): number {
  if (a.modified !== b.modified) return a.modified < b.modified ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
