import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@robota-sdk/agent-core';
import { type SkipCounts, skipReasons } from './skip-counts.ts';
import type { LineSpan, SourceFile } from './source-file.ts';

/** An object of a file of JSON lines, with its place. */
export interface JsonLine {
  readonly value: JsonObject;
  readonly span: LineSpan;
}

/** The objects of a file of JSON lines; whatever is none is counted and passed over. */
export function* readJsonLines(file: SourceFile, skipped: SkipCounts): Generator<JsonLine> {
  for (const { text, span } of file.lines()) {
    if (text === undefined) {
      skipped.add(skipReasons.notUtf8);
      continue;
    }
    if (text.trim() === '') continue;
    const value = parseObject(text);
    if (value) yield { value, span };
    else skipped.add(skipReasons.notJson);
  }
}

/** No program writes values that are nested deeper; what stores and shows them would run out of stack. */
const mostLevels = 500;

/** The object a text says; nothing for any other text. */
export function parseObject(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  const value = parseJson(text);
  return isJsonObject(value) && fits(value, mostLevels) ? value : undefined;
}

function fits(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner: JsonValue) => fits(inner, levels - 1));
}
