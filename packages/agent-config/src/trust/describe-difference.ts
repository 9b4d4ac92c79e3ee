import { textRedactor } from '@robota-sdk/agent-core';
import { diffFragments } from '@robota-sdk/agent-diff';
import type { AgreedItem, TrustItem } from './trust-item.ts';

const shownLines = 20;

/** Describes the changes since the approval, as lines: of the text, and of the files that run with it. */
export function describeDifference(before: AgreedItem, now: TrustItem): readonly string[] {
  const text = before.content === undefined ? [] : linesBetween(before.content, textRedactor()(now.content));
  const files = filesBetween(before.scripts ?? [], now.scripts ?? []);
  const all = [...text, ...files];
  if (all.length === 0)
    return [before.content === undefined ? 'Its previous state is unknown.' : 'A secret value has changed.'];
  const rest = all.length - shownLines;
  return [...all.slice(0, shownLines), ...(rest > 0 ? [`… ${rest} more`] : [])];
}

function linesBetween(before: string, now: string): string[] {
  const lines = diffFragments(before, now);
  const of = (wanted: 'added' | 'removed') => lines.filter(({ kind }) => kind === wanted);
  return [
    ...of('removed').map(({ text }) => `before: ${text}`),
    ...of('added').map(({ text }) => `now:    ${text}`),
  ];
}

type Scripts = NonNullable<TrustItem['scripts']>;

function filesBetween(before: Scripts, now: Scripts): string[] {
  const old = new Map(before);
  const current = new Map(now);
  const gone = [...old.keys()].filter((path) => !current.has(path)).map((path) => `file gone: ${path}`);
  const other = [...current].flatMap(([path, sum]) => {
    if (old.get(path) === sum) return [];
    return [old.has(path) ? `file changed: ${path}` : `new file: ${path}`];
  });
  return [...gone, ...other];
}
