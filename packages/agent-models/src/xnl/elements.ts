import type { JsonValue } from '@robota-sdk/agent-core';
import { routeName } from './tool-routes.ts';

interface TextContent {
  readonly tag: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The marker that is taken unless the text holds its closer. */
  readonly marker?: string;
  readonly text: string;
}

/** An element with a text that is written as it stands; the marker is one that the text can't close. */
export function textElement({ tag, metadata = {}, marker = '', text }: TextContent): string {
  const written = Object.entries(metadata).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  const safe = safeMarker(text, /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(marker) ? marker : '');
  return `<${tag}${written.join('')} #${safe}>${text}</#${safe}>`;
}

/** A call of a tool as a model should have written it. */
export function callElement(call: {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
}): string {
  const code = `${routeName(call.name)}(${JSON.stringify(call.input)})`;
  return textElement({
    tag: 'tool_call',
    metadata: { id: call.id, lang: 'javascript' },
    text: `\n${code}\n`,
  });
}

function safeMarker(text: string, wanted: string): string {
  let marker = wanted;
  for (let count = 1; text.includes(`</#${marker}>`); count++) marker = `${wanted || 'text'}_${count}`;
  return marker;
}
