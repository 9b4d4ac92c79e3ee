import { isJsonObject, type JsonValue } from '@robota-sdk/agent-core';

type Environment = Readonly<Record<string, string | undefined>>;

/** A value with expanded variables, their names, and those that were missing without a default. */
export interface Expanded<T> {
  readonly value: T;
  readonly filled: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
}

/** `${NAME}`, `${NAME:-default}`, and pi's `$env:NAME`; also an unclosed one, which is unchanged. */
const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?(?:\}|$)|\$env:([A-Za-z_]\w*)/gi;

/** Expands environment variables in all texts. */
export function expandVariables<T extends JsonValue>(value: T, env: Environment): Expanded<T> {
  const missing = new Set<string>();
  const filled: Record<string, string> = {};
  const fill = (item: JsonValue): JsonValue => {
    if (typeof item === 'string') return expandText(item, env, { missing, filled });
    if (Array.isArray(item)) return item.map(fill);
    if (!isJsonObject(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, fill(inner)]));
  };
  return { value: fill(value) as T, filled, missing: [...missing] };
}

interface Expansion {
  readonly missing: Set<string>;
  readonly filled: Record<string, string>;
}

function expandText(text: string, env: Environment, { missing, filled }: Expansion): string {
  return text.replace(reference, (...match: (string | undefined)[]) => {
    const [all = '', braced, fallback, plain] = match;
    if (braced !== undefined && !all.endsWith('}')) return all;
    const name = braced ?? plain ?? '';
    const found = env[name];
    // As in the shell, a default replaces an empty variable.
    if (found !== undefined && (found !== '' || fallback === undefined)) {
      filled[name] = found;
      return found;
    }
    if (fallback === undefined) missing.add(name);
    return fallback ?? '';
  });
}
