import type { Pin } from './pins.ts';

/** The verbatim part after the notes of a summary. */
export interface Verbatim {
  readonly pins: readonly Pin[];
  /** The todo list as text; empty if there is none. */
  readonly todos: string;
  /** The current request, if it is too long to keep as a message. */
  readonly request?: string;
}

const opening = '<kept-verbatim>';
const closing = '</kept-verbatim>';

/** Appends the section to a summary. A model's summary must not be able to start one. */
export function withVerbatim(summary: string, verbatim: Verbatim): string {
  const notes = summary.replaceAll(opening, '').trim();
  const parts = [requestPart(verbatim.request), todoPart(verbatim.todos), pinPart(verbatim.pins)];
  const body = parts.filter((part) => part !== '').join('\n\n');
  return body === '' ? notes : `${notes}\n\n${opening}\n${body}\n${closing}`;
}

/** A summary without the section, which is rebuilt each time. Everything after its first marker is ours. */
export function withoutVerbatim(summary: string): string {
  const at = summary.indexOf(`\n\n${opening}\n`);
  return at < 0 ? summary : summary.slice(0, at);
}

function requestPart(request: string | undefined): string {
  return request === undefined ? '' : `The request being worked on, shortened:\n${request}`;
}

function todoPart(todos: string): string {
  return todos === '' ? '' : `The todo list:\n${todos}`;
}

function pinPart(pins: readonly Pin[]): string {
  if (pins.length === 0) return '';
  const texts = pins.map(({ text }, index) => `<pin number="${index + 1}">\n${text}\n</pin>`);
  return `Pinned by the user; it holds until the user takes it back:\n${texts.join('\n')}`;
}
