import { having } from '../shape/check-arguments.ts';
import { checked } from '../shape/combine.ts';
import type { JsonValue } from '../shape/json.ts';
import { list, words } from '../shape/shape.ts';

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  /** Opaque data of the vendor that made the block (citations, item ids), sent back only to that model. */
  readonly vendorData?: JsonValue;
}

export interface ImageContent {
  readonly type: 'image';
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

export interface ThinkingContent {
  readonly type: 'thinking';
  /** Empty if the vendor hides it. */
  readonly text: string;
  readonly redacted?: boolean;
  /** Signature, encrypted reasoning or redacted data: returned byte for byte within a tool loop. */
  readonly vendorData?: JsonValue;
}

export interface ToolCallContent {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** The parsed arguments; `{}` when they could not be parsed. */
  readonly input: JsonValue;
  /** Why the arguments could not be parsed; such a call is answered with this, never run. */
  readonly invalid?: string;
  /** The call as the model wrote it in its text. */
  readonly raw?: string;
  readonly vendorData?: JsonValue;
}

/** A tool that the vendor runs itself (web search); stored as the vendor sent it. */
export interface ServerToolContent {
  readonly type: 'server-tool';
  readonly phase: 'call' | 'result';
  readonly id: string;
  readonly name: string;
  /** One visible line: the query, or the number of results. */
  readonly summary: string;
  readonly vendorData: JsonValue;
}

export type UserContent = TextContent | ImageContent;
export type AssistantContent = TextContent | ThinkingContent | ToolCallContent | ServerToolContent;
export type Content = UserContent | AssistantContent;

/** The shape of what a program gives as the content of a message. */
export const userContentShape = list(
  checked(having({ type: words('text', 'image') }), 'a block with its text or image', (block) => {
    const { type, ...rest } = block as UserContent;
    const fields = type === 'text' ? ['text'] : ['data', 'mimeType'];
    return fields.every((field) => typeof rest[field as keyof typeof rest] === 'string');
  }),
);

/** Joins the text blocks of a message. */
export function textOf(content: readonly Content[]): string {
  let text = '';
  for (const block of content) if (block.type === 'text') text += block.text;
  return text;
}
