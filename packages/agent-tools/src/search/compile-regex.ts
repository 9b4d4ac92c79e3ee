import { errorMessage } from '@robota-sdk/agent-core';
import { patternError, ripgrepNeeded } from './pattern-error.ts';

export interface RegexOptions {
  readonly isLiteral: boolean;
  readonly ignoreCase: boolean;
  readonly isMultiline: boolean;
}

/** An escape, a group's start, or a class up to its end. */
const parts = /\\(?<escaped>.)\{?|\(\?P|\[\^?(?<members>\]?(?:\\.|[^\]\\])*)\\?(?:\]|$)/gs;

/** Compiles a pattern that means the same in ripgrep and in JavaScript; refuses what only ripgrep knows. */
export function compileRegex(pattern: string, options: RegexOptions): RegExp {
  if (options.isLiteral) return build(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), options, '');
  const [start = '', added = '', removed = ''] = /^\(\?([imsuU]*)(?:-([imsu]+))?\)/.exec(pattern) ?? [];
  const source = pattern.slice(start.length);
  for (const [part, escaped = '', members] of source.matchAll(parts)) {
    const isForeign =
      part === '(?P' ||
      /[pPAzZ<>haeQE]/.test(escaped) ||
      /^\\[xuU]\{/.test(part) ||
      (members !== undefined && /^\]|\[|&&|--|~~|\\[pPhae]|\\[xuU]\{/.test(members));
    if (isForeign) throw ripgrepNeeded(part);
  }
  const ignoreCase = (options.ignoreCase || added.includes('i')) && !removed.includes('i');
  const dotAll = added.includes('s') && !removed.includes('s') ? 's' : '';
  return build(source, { ...options, ignoreCase }, dotAll);
}

function build(source: string, options: RegexOptions, dotAll: string): RegExp {
  const flags = `g${options.ignoreCase ? 'i' : ''}${options.isMultiline ? 'ms' : dotAll}`;
  try {
    return new RegExp(source, flags);
  } catch (thrown) {
    throw patternError(errorMessage(thrown).replace(/^Invalid regular expression: .*\/[a-z]*: /s, ''));
  }
}
