import { AgentError } from '@robota-sdk/agent-core';

/** The error for a pattern that is no regular expression. */
export function patternError(reason: string): AgentError {
  const advice = 'Put a backslash before special characters that are meant literally, or set literal: true.';
  return new AgentError('tool', `The pattern is not a valid regular expression: ${reason}\n${advice}`);
}

/** The error for a form that only ripgrep's engine knows; ripgrep is missing. */
export function ripgrepNeeded(part: string): AgentError {
  return new AgentError(
    'tool',
    `${JSON.stringify(part)} in the pattern needs ripgrep, which is not installed. Write the pattern without it.`,
  );
}

/** The error for a line break in a pattern that is matched line by line. */
export function multilineNeeded(): AgentError {
  return new AgentError(
    'tool',
    'The pattern contains a line break, but lines are searched one by one. Set multiline: true.',
  );
}

/** The error for a pattern that backtracks too long; ripgrep, which does not backtrack, is missing. */
export function patternTooSlow(path: string): AgentError {
  return new AgentError(
    'tool',
    `The pattern takes too long in ${path}. Avoid nested or adjacent repetitions, or install ripgrep.`,
  );
}

/** Ripgrep's error about a pattern, with the position; undefined if the pattern is fine. */
export function reasonOfRipgrep(errors: string, pattern: string): string | undefined {
  const perl = /PCRE2: error compiling pattern at offset \d+: (.+)/.exec(errors)?.[1];
  const [, own] = errors.split('regex parse error:\n', 2);
  const end = own?.indexOf('\nerror: ') ?? -1;
  if (own === undefined || end < 0) return perl ?? complaintIn(errors);
  const picture = own.slice(0, end);
  const [reason = ''] = own.slice(end + '\nerror: '.length).split('\n', 1);
  // Only the second engine supports these, so its error is the relevant one.
  if (perl !== undefined && /look-around|backreferences/.test(reason)) return perl;
  return `${reason}\n${withoutWrapper(picture, pattern)}`;
}

/** Any other error of ripgrep about the pattern. */
function complaintIn(errors: string): string | undefined {
  const line = errors
    .split('\n')
    .find((each) => /regex|pattern/i.test(each) && /error|too big|size limit/i.test(each));
  return line?.slice(line.search(/regex|pattern/i));
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
