import { isJsonObject, type Message, type ToolCallContent, toolCallsOf } from '@robota-sdk/agent-core';
import { summaryOf } from '../entry/summary-message.ts';
import { withoutVerbatim } from './verbatim.ts';

/** The files a part of a conversation dealt with, sorted. */
export interface TouchedFiles {
  readonly read: readonly string[];
  readonly modified: readonly string[];
}

/** Gathers the files that were read and changed, those of an earlier summary included. */
export function touchedFiles(messages: readonly Message[]): TouchedFiles {
  const read = new Set<string>();
  const modified = new Set<string>();
  for (const message of messages) {
    const told = summaryOf(message);
    if (told !== undefined) {
      const summary = withoutVerbatim(told);
      for (const path of listIn(summary, 'read-files')) read.add(path);
      for (const path of listIn(summary, 'modified-files')) modified.add(path);
    }
    for (const call of toolCallsOf(message)) {
      const path = pathOf(call);
      const name = call.name.toLowerCase();
      if (path === undefined) continue;
      if (name === 'read') read.add(path);
      if (name === 'write' || name === 'edit') modified.add(path);
    }
  }
  return { read: [...read].filter((path) => !modified.has(path)).sort(), modified: [...modified].sort() };
}

/** The lists at the end of a summary. */
export function withFileLists(summary: string, { read, modified }: TouchedFiles): string {
  const lists = [listText('read-files', read), listText('modified-files', modified)];
  return [withoutFileLists(summary), ...lists].filter((part) => part !== '').join('\n\n');
}

/** A summary without the file lists, which are rebuilt each time. */
export function withoutFileLists(summary: string): string {
  return withoutSections(withoutSections(summary, 'read-files'), 'modified-files').trim();
}

function withoutSections(text: string, tag: string): string {
  const opening = `<${tag}>`;
  const closing = `</${tag}>`;
  let rest = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(opening, from);
    const end = start < 0 ? -1 : text.indexOf(closing, start);
    if (end < 0) return rest + text.slice(from);
    rest += text.slice(from, start).trimEnd();
    from = end + closing.length;
  }
}

function listText(tag: string, paths: readonly string[]): string {
  return paths.length === 0 ? '' : `<${tag}>\n${paths.join('\n')}\n</${tag}>`;
}

function listIn(summary: string, tag: string): string[] {
  const opening = `<${tag}>\n`;
  const start = summary.indexOf(opening);
  const end = summary.indexOf(`\n</${tag}>`, start + opening.length);
  return start < 0 || end < 0 ? [] : summary.slice(start + opening.length, end).split('\n');
}

function pathOf({ input }: ToolCallContent): string | undefined {
  if (!isJsonObject(input)) return undefined;
  const path = input.file_path ?? input.path;
  return typeof path === 'string' && path !== '' && !path.includes('\n') ? path : undefined;
}
