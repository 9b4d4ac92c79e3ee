import { isJsonObject, type JsonValue } from '@robota-sdk/agent-core';

const telling = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'prompt', 'skill', 'description'];

/** What says most about a call in one line: its command, path or pattern. */
export function callTitle(input: JsonValue): string {
  if (!isJsonObject(input)) return typeof input === 'string' ? firstLine(input) : '';
  const named = telling.map((key) => input[key]).find((value) => typeof value === 'string');
  const value = named ?? Object.values(input).find((one) => typeof one === 'string');
  return typeof value === 'string' ? firstLine(value) : '';
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
