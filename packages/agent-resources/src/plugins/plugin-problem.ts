import { lineOfKey } from '@robota-sdk/agent-config';

/** Something that is wrong with a plugin or a marketplace, and where. */
export interface PluginProblem {
  readonly file: string;
  readonly line?: number;
  readonly message: string;
  /**
   * For authors and `plugin install`, not for the start of a session: a probable mistake, or a harmless field
   * of another program.
   */
  readonly hint?: 'mistake' | 'foreign';
}

/** `file:line: what is wrong`. */
export function describeProblem({ file, line, message }: PluginProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${message}`;
}

/** A problem of a text like `file:line: what is wrong`. */
export function problemFrom(file: string, text: string): PluginProblem {
  if (!text.startsWith(file)) return { file, message: text };
  const [, line, rest] = /^:(\d+)(?::\d+)?: ([\s\S]*)$/.exec(text.slice(file.length)) ?? [];
  return line === undefined || rest === undefined
    ? { file, message: text.slice(file.length).replace(/^: ?/, '') }
    : { file, line: Number(line), message: rest };
}

/** The problems to report for links that were not copied. */
export function skippedLinks(names: readonly string[]): PluginProblem[] {
  return names.map((file) => ({ file, message: 'is a link that leads out of its folder; it is left out.' }));
}

/** A problem with a key of a JSON file. */
export function problemAt(
  { file, text }: { readonly file: string; readonly text: string },
  key: string,
  message: string,
): PluginProblem {
  const line = lineOfKey(text, key);
  return { file, message, ...(line === undefined ? {} : { line }) };
}
