import { createHash } from 'node:crypto';
import type { Content, Message, ModelRequest } from '@robota-sdk/agent-core';

/** Paths that differ between machines, with their placeholders. */
type PlaceNames = readonly (readonly [path: string, name: string])[];

/** Options that make the fingerprints of two runs comparable. */
export interface PrintMaking {
  readonly places: PlaceNames;
  /** Removes secrets from a text. */
  redact(text: string): string;
}

/** The fingerprint of a request: everything a model sees of the conversation, without our ids and times. */
export interface RequestPrint {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly string[];
  readonly messages: readonly string[];
}

/** The placeholders of a session's paths, longest first, because one may contain another. */
export function placeNames(
  ...places: readonly { readonly cwd: string; readonly home: string }[]
): PlaceNames {
  return places
    .flatMap(({ cwd, home }) => [[cwd, '<cwd>'] as const, [home, '<home>'] as const])
    .filter(([path]) => path.length > 1)
    .sort(([a], [b]) => b.length - a.length);
}

/** Makes the print of a request. */
export function printOf(request: ModelRequest, { places, redact }: PrintMaking): RequestPrint {
  // The date changes every day and does not affect the run.
  const system = withNames(request.system, places).replace(/^Date: .*$/m, '');
  return {
    model: `${request.model.vendor}/${request.model.id}`,
    system: hashOf(system),
    tools: request.tools.map((tool) => `${tool.name} ${hashOf(JSON.stringify(tool))}`),
    messages: request.messages.map((message) => withNames(messageText(message, redact), places)),
  };
}

function messageText(message: Message, redact: PrintMaking['redact']): string {
  const head =
    message.role === 'tool' ? `tool ${message.toolCallId}${message.isError ? ' (error)' : ''}` : message.role;
  return [head, ...message.content.map((block) => blockText(block, redact))].join('\n');
}

function blockText(block: Content, redact: PrintMaking['redact']): string {
  switch (block.type) {
    case 'text':
      return redact(block.text);
    case 'thinking':
      return `[thinking] ${redact(block.text)}`;
    case 'image':
      return `[image ${hashOf(JSON.stringify(block))}]`;
    case 'tool-call':
      return `[call ${block.id} ${block.name}] ${redactedJson(block.input, redact)}`;
    case 'server-tool':
      return `[${block.name}] ${redact(block.summary)}`;
  }
}

/** A value as JSON with secrets removed from every text first: after escaping, a secret may be unrecognizable. */
export function redactedJson(value: unknown, redact: PrintMaking['redact']): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? redact(part) : part));
}

function withNames(text: string, places: PlaceNames): string {
  return places.reduce((named, [path, name]) => named.replaceAll(path, name), text);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
