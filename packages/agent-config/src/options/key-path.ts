import {
  AgentError,
  isJsonObject,
  type JsonValue,
  type KeyPath,
  nearest,
  type ProblemHint,
  parseJson,
  pathText,
  shapeAt,
} from '@robota-sdk/agent-core';
import { settingsShape } from './settings-shape.ts';

/** Reads the name of a setting: `permissions.deny`, `models.profiles[0].name`, `compaction.models["vendor/id"]`. */
export function parseKey(text: string): KeyPath {
  const path: (string | number)[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [whole = '', name, index, quoted] =
      /^(?:\.?([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/.exec(rest) ?? [];
    if (whole === '' || (path.length === 0 && whole.startsWith('.'))) throw unreadable(text);
    if (index !== undefined) path.push(Number(index));
    else path.push(quoted === undefined ? (name ?? '') : unquoted(quoted, text));
    rest = rest.slice(whole.length);
  }
  if (path.length === 0) throw unreadable(text);
  assertKnown(path);
  return path;
}

function unquoted(quoted: string, text: string): string {
  const name = parseJson(quoted);
  if (typeof name === 'string') return name;
  throw unreadable(text);
}

/** The value at a path; nothing where there is none. */
export function valueAt(value: JsonValue | undefined, path: KeyPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((inner, part) => {
    if (Array.isArray(inner)) return typeof part === 'number' ? inner[part] : undefined;
    return isJsonObject(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined;
  }, value);
}

function assertKnown(path: KeyPath): void {
  for (let length = 1; length <= path.length; length++) {
    const part = path.slice(0, length);
    if (shapeAt(settingsShape, part)) continue;
    const known = shapeAt(settingsShape, part.slice(0, -1))?.keys ?? [];
    const word = String(part.at(-1));
    const near = nearest(word, known)[0] ?? known.find((each) => each.startsWith(word));
    const meant = near === undefined ? undefined : pathText([...part.slice(0, -1), near]);
    const hint = meant === undefined ? available(known) : `Did you mean "${meant}"?`;
    throw new AgentError('usage', `Unknown setting "${pathText(part)}".`, { hint });
  }
}

/** More names than this are no help. */
const mostNames = 20;

function available(known: readonly string[]): ProblemHint {
  if (known.length > mostNames) return { text: 'List all settings with', run: ['config', 'schema'] };
  return known.length === 0 ? 'It has no settings below it.' : `Available: ${known.join(', ')}.`;
}

function unreadable(text: string): AgentError {
  const advice =
    'Write it like permissions.defaultMode, or compaction.models["vendor/id"] where a name has dots.';
  return new AgentError('usage', `"${text}" is not a setting. ${advice}`);
}
