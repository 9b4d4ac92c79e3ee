import { AgentError } from '@robota-sdk/agent-core';

/** The error for a pattern that is no regular expression. */
export function patternError(reason: string): AgentError {
  const advice = 'Put a backslash before special characters that are meant literally, or set literal: true.';
  return new AgentError('tool', `The pattern is not a valid regular expression: ${reason}\n${advice}`);
}

/** The error for a line break in a pattern that is matched line by line. */
export function multilineNeeded(): AgentError {
  return new AgentError(
    'tool',
    'The pattern contains a line break, but lines are searched one by one. Set multiline: true.',
  );
}

/** What ripgrep says is wrong with a pattern, with the place; undefined if the pattern is not the problem. */
export function reasonOfRipgrep(errors: string, pattern: string): string | undefined {
  const perl = /PCRE2: error compiling pattern at offset \d+: (.+)/.exec(errors)?.[1];
  const own = /regex parse error:\n([\s\S]*?)\nerror: (.+)/.exec(errors);
  if (own === null)
    return perl ?? /(?:regex|pattern)[^\n]*(?:error|too big|size limit)[^\n]*/i.exec(errors)?.[0];
  const [, picture = '', reason = ''] = own;
  // Only the second engine knows these, so it alone tells what is really wrong.
  if (perl !== undefined && /look-around|backreferences/.test(reason)) return perl;
  return `${reason}\n${withoutWrapper(picture, pattern)}`;
}

/** ripgrep shows the pattern in a group that it added. */
function withoutWrapper(picture: string, pattern: string): string {
  const lines = picture.split('\n').filter((line) => !/^~*$/.test(line));
  const isWrapped = lines[0]?.trim() === `(?:${pattern})`;
  if (!isWrapped) return lines.join('\n');
  const marks = lines.slice(1).filter((line) => line.indexOf('^') >= indent + wrapper);
  return [' '.repeat(indent) + pattern, ...marks.map((line) => line.slice(wrapper))].join('\n');
}

const indent = 4;
const wrapper = '(?:'.length;
