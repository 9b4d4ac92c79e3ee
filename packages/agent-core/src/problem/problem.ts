import type { JsonObject } from '../shape/json.ts';
import { endSentence } from './end-sentence.ts';

/** `error`: something failed; `warning`: it does less than expected; `info`: worth knowing. */
type ProblemSeverity = 'error' | 'warning' | 'info';

/** A file, or an option such as `--settings`; lines and columns count from 1. */
export interface ProblemSource {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Advice: a sentence, or a command of this program with an introduction. */
export type ProblemHint = string | { readonly text?: string; readonly run: readonly string[] };

/** Something wrong, as data. Code uses its fields; only `describeProblem` turns it into text. */
export interface Problem {
  /** The kind, for programs: `rule.unknown-tool`, `mcp.untrusted`. */
  readonly code: string;
  readonly severity: ProblemSeverity;
  /** One or two sentences, without the source and the hint. */
  readonly message: string;
  /** The message with `{name}` instead of each value, for programs that group or translate problems. */
  readonly template?: string | undefined;
  readonly values?: ProblemValues | undefined;
  /** The tool, server, plugin, setting or vendor concerned. */
  readonly subject?: string | undefined;
  readonly source?: ProblemSource | undefined;
  readonly hint?: ProblemHint | undefined;
  /** The message in a few words, for a tool call's line: `not found`. */
  readonly brief?: string | undefined;
  /** Lines below the message, such as the items that it counts. */
  readonly details?: readonly string[] | undefined;
  /** True if something in a file does not run, apply or protect. Print mode repeats these at every run. */
  readonly isInactive?: boolean | undefined;
}

/** The values in a message, by name. */
export type ProblemValues = Readonly<Record<string, string | number>>;

/** A problem without its code, severity and message. */
export type ProblemDetails = Omit<Problem, 'code' | 'severity' | 'message'>;

/** A message with its values kept separately; made by `sentence`. */
export interface ProblemText {
  readonly message: string;
  readonly template: string;
  readonly values: ProblemValues;
}

/** Keeps the values of a message by name: sentence`Unknown tool ${{ tool }} in rule ${{ rule }}.` */
export function sentence(parts: TemplateStringsArray, ...named: readonly ProblemValues[]): ProblemText {
  const filled = named.map((each) => Object.values(each).join(' '));
  const names = named.map((each) => `{${Object.keys(each).join(' ')}}`);
  return {
    message: String.raw({ raw: parts }, ...filled),
    template: String.raw({ raw: parts }, ...names),
    values: Object.assign({}, ...named) as ProblemValues,
  };
}

/** The message fields of a problem; plain text has no values. */
export function messageParts(
  message: string | ProblemText,
): Pick<Problem, 'message' | 'template' | 'values'> {
  return typeof message === 'string' ? { message } : message;
}

/** Appends a sentence to a problem, such as its effect. */
export function addSentence<T extends Problem>(problem: T, added: string): T {
  const joined = (text: string) => `${endSentence(text)} ${added}`;
  const { message, template } = problem;
  return {
    ...problem,
    message: joined(message),
    ...(template === undefined ? {} : { template: joined(template) }),
  };
}

/** Creates a warning. */
export function warning(code: string, message: string | ProblemText, details: ProblemDetails = {}): Problem {
  return { code, severity: 'warning', ...messageParts(message), ...details };
}

/** The text of a problem for users: source, message, hint, then each detail on its own line. */
export function describeProblem(problem: Problem, program = 'robota'): string {
  return [summarizeProblem(problem, program), ...(problem.details ?? [])].join('\n');
}

/** The texts of several problems. */
export function describeProblems(problems: readonly Problem[], program?: string): string[] {
  return problems.map((problem) => describeProblem(problem, program));
}

/** The first line of `describeProblem`. */
export function summarizeProblem({ source, message, hint }: Problem, program = 'robota'): string {
  const place = source === undefined ? '' : `${formatSource(source)}: `;
  if (hint === undefined) return `${place}${message}`;
  return `${place}${endSentence(message)} ${describeHint(hint, program)}`;
}

/** The text of a hint, with the command as the user runs it. */
export function describeHint(hint: ProblemHint, program = 'robota'): string {
  if (typeof hint === 'string') return hint;
  return `${hint.text ?? 'Run'}: ${[program, ...hint.run.map(quoteWord)].join(' ')}`;
}

/** Formats a location as editors and terminals expect: `file:line:column`. */
function formatSource({ file, line, column }: ProblemSource): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** Quotes a word for the shell if needed. */
function quoteWord(word: string): string {
  if (word !== '' && !/[\s"'`$\\|&;<>()*?[\]{}!#~]/.test(word)) return word;
  return /["`$\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}

/** Distinguishes a problem from the expected value. */
export function isProblem<T extends object>(value: T | Problem): value is Problem {
  return 'severity' in value && 'code' in value;
}

/** Converts a problem to plain JSON. */
export function problemData(problem: Problem): JsonObject {
  return JSON.parse(JSON.stringify(problem)) as JsonObject;
}
