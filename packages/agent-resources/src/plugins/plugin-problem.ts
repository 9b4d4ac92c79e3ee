import { lineOfKey } from '@robota-sdk/agent-config';
import {
  type Problem,
  type ProblemDetails,
  type ProblemSource,
  problemOf,
  warning,
} from '@robota-sdk/agent-core';

/**
 * Something wrong with a plugin or a marketplace. Those with the severity `info` are for its author and its
 * installation, not for the start of every session.
 */
export type PluginProblem = Problem & { readonly source: ProblemSource };

/** Codes of problems that only concern other programs. */
const foreignCodes: readonly string[] = ['plugin.foreign-field', 'hook.foreign-event'];

/** True if a problem only concerns other programs. */
export function isForeign({ code }: Problem): boolean {
  return foreignCodes.includes(code);
}

/** A failure to read a file of a plugin, in that file. */
export function problemFrom(file: string, thrown: unknown): PluginProblem {
  const { message, source = { file }, hint } = problemOf(thrown);
  return { ...warning('plugin.unreadable', message, { hint, isInactive: true }), source };
}

/** The problems to report for links that were not copied. */
export function skippedLinks(names: readonly string[]): PluginProblem[] {
  const message = 'The link leads out of its folder; it is skipped.';
  return names.map((file) => ({ ...warning('plugin.skipped-link', message), source: { file } }));
}

/** A problem with a key of a JSON file. */
export function problemAt(
  {
    file,
    text,
    code = 'plugin.invalid',
  }: { readonly file: string; readonly text: string; readonly code?: string },
  key: string,
  details: string | (ProblemDetails & { readonly message: string }),
): PluginProblem {
  const { message, ...rest } = typeof details === 'string' ? { message: details } : details;
  return {
    ...warning(code, message, { isInactive: true, ...rest }),
    source: { file, line: lineOfKey(text, key) },
  };
}
