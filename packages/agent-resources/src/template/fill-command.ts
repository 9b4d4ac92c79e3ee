import { splitArguments } from './split-arguments.ts';

/**
 * Inserts quoted arguments into a shell command of a template, so that they are never code and permission
 * checks see them. If the quoting is ambiguous, the command stays unchanged and `$ARGUMENTS` becomes an
 * environment variable.
 */
export function fillCommand(written: string, args: string): string {
  const command = written.replace(quotedProgram, '$1');
  if (unclear.test(command)) return command;
  const words = splitArguments(args);
  let quote: '"' | "'" | undefined;
  return command.replace(token, (all: string, ...[mark, index, number]: (string | undefined)[]) => {
    if (mark === '"' || mark === "'") {
      quote = quote === undefined ? mark : quote === mark ? undefined : quote;
      return all;
    }
    const position = index === undefined ? number && Number(number) - 1 : Number(index);
    if (position === undefined || position === '') return whole({ all, args, words }, quote);
    const word = words[position];
    return word === undefined || quote === "'" ? all : quoted(word, quote);
  });
}

/** A program whose path needs no quotes; rules are written without them. */
const quotedProgram = /^"([\w@%+:,.-]*\/[\w@%+:,./-]+)"(?=\s|$)/;

/** Quotes have another meaning in or after these; a backslash or a comment may hide one. */
const unclear = /[`\\#]|\$\(|\(\(|<<|\$['"[]|\$\{(?!(?:ARGUMENTS|\d|@|\w+)\})/;

/** Groups: a quote, the index of `$ARGUMENTS[n]`, a number; otherwise all arguments. */
const token =
  /(["'])|\$ARGUMENTS\[(\d{1,4})\]|\$\{?([1-9])(?!\d)\}?|\$(?:ARGUMENTS(?!\w)|\{ARGUMENTS\}|@|\{@\})/g;

interface Arguments {
  /** The placeholder. */
  readonly all: string;
  readonly args: string;
  readonly words: readonly string[];
}

function whole({ all, args, words }: Arguments, quote: '"' | "'" | undefined): string {
  // Single-quoted text may be a program for another interpreter.
  if (quote === "'") return all;
  const list = words.map((word) => quoted(word, undefined)).join(' ');
  if (quote === undefined) return list;
  // Each argument becomes a separate word.
  if (quote === '"' && all.includes('@')) return `"${list}"`;
  return quoted(args.trim(), quote);
}

function quoted(text: string, quote: '"' | undefined): string {
  if (quote === '"') return text.replace(/["$`\\]/g, '\\$&');
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** True if a command may evaluate quoted arguments as code: array indexes are arithmetic, which may run a command. */
export function mayEvaluate(command: string, args: string): boolean {
  return /\[/.test(args) && /[$`]/.test(args) && evaluating.test(command);
}

const evaluating =
  /\(\(|\[|\b(?:let|declare|typeset|local|export|readonly|printf|read|unset|test|wait|mapfile|readarray|getopts)\b/;
