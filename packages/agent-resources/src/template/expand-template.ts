import { fillCommand } from './fill-command.ts';
import { splitArguments } from './split-arguments.ts';
import { templateSegments } from './template-segments.ts';

/** The values for variables and shell commands in a template. */
export interface TemplateInput {
  /** The text after the name, unchanged. */
  readonly arguments: string;
  /** `$1` is the second argument, as Claude Code counts; otherwise that depends on whether `$0` is used. */
  readonly countsFromZero?: boolean | undefined;
  /** Names of the arguments in their order, for templates that say `$name`. */
  readonly argumentNames?: readonly string[] | undefined;
  /** Values for `${NAME}`. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /**
   * Runs a command of the template and returns its replacement; it handles permission and trust. A named variable in
   * the command is expanded only if no shell could misread its value.
   */
  runShell?(command: string): Promise<string>;
}

/** An expanded template. */
export interface ExpandedTemplate {
  readonly text: string;
  /** False if no placeholder used the arguments, which should then follow the text. */
  readonly usesArguments: boolean;
}

/**
 * Expands a template: `$1`…`$9`, `$@`, `$ARGUMENTS`, `$ARGUMENTS[0]`, `${1:-default}`, `${@:2}`, `${@:2:1}`, `${NAME}`,
 * and commands in `` !`…` ``. A number without an argument is unchanged: `awk '{print $1}'` has no placeholder. A
 * backslash escapes any of them. Values are not expanded again, so nothing in them can become a variable or a command.
 */
export async function expandTemplate(template: string, input: TemplateInput): Promise<ExpandedTemplate> {
  const segments = templateSegments(template);
  // In a shell command, `$0` is the shell's own.
  const written = segments.map((segment) => (segment.kind === 'text' ? segment.text : '')).join('');
  const filler = new Filler(written, input);
  const parts: string[] = [];
  for (const segment of segments) {
    if (segment.kind === 'text') parts.push(filler.fill(segment.text));
    else if (input.runShell) parts.push(await input.runShell(commandWith(segment.command, input)));
    else parts.push(`!\`${segment.command}\``);
  }
  return { text: parts.join(''), usesArguments: filler.usesArguments };
}

/** A text followed by its arguments, if no placeholder used them. */
export function withArguments({ text, usesArguments }: ExpandedTemplate, args: string): string {
  return usesArguments || args.trim() === '' ? text : `${text.trimEnd()}\n\n${args.trim()}`;
}

/**
 * Groups: the index of `$ARGUMENTS[n]`, `$ARGUMENTS` or `$@`, a digit, the content of braces, a name. Amounts of money
 * are not variables.
 */
const placeholder =
  /\\?\$(?:ARGUMENTS\[(\d{1,4})\]|(ARGUMENTS(?!\w)|@)|(\d)(?!\d|[.,]\d)|\{([^{}\n]*)\}|([A-Za-z_]\w*))/g;

/** The content of braces: a name, `@` or a number; then a default, or the start and length of a slice. */
const inBraces = /^(\w+|@)(?::-(.*)|:(\d{1,4})(?::(\d{1,4}))?)?$/;

/** Puts values into texts and remembers whether the arguments were among them. */
class Filler {
  usesArguments = false;
  readonly #input: TemplateInput;
  readonly #list: readonly string[];
  /** A template of Claude Code, or one that uses `$0`, counts from 0, others from 1. */
  readonly #first: 0 | 1;

  constructor(template: string, input: TemplateInput) {
    this.#input = input;
    this.#list = splitArguments(input.arguments);
    this.#first = input.countsFromZero || /(?<!\\)\$(?:0(?!\d|[.,]\d)|\{0[:}])/.test(template) ? 0 : 1;
  }

  fill(text: string): string {
    return text.replace(placeholder, (all: string, ...groups: (string | undefined)[]) => {
      const value = this.#valueOf(groups);
      if (value === undefined) return all;
      if (all.startsWith('\\')) return all.slice(1);
      this.usesArguments ||= value.ofArguments;
      return value.text;
    });
  }

  #valueOf([index, whole, digit, braces, name]: (string | undefined)[]): Value | undefined {
    if (index !== undefined) return this.#at(Number(index));
    if (whole !== undefined) return this.#named(whole);
    if (digit !== undefined) return this.#numbered(digit);
    if (braces !== undefined) return this.#braced(braces);
    const position = this.#input.argumentNames?.indexOf(name ?? '') ?? -1;
    return position === -1 ? undefined : ofArguments(this.#list[position]);
  }

  #braced(content: string): Value | undefined {
    const [, name, fallback, start, length] = inBraces.exec(content) ?? [];
    if (name === undefined) return undefined;
    if (start !== undefined) return name === '@' ? this.#slice(Number(start), length) : undefined;
    const value = /^\d+$/.test(name) ? this.#numbered(name) : this.#named(name);
    if (fallback === undefined) return value;
    const isOurs = value !== undefined || /^\d+$|^@$/.test(name);
    return isOurs && !value?.text ? { text: fallback, ofArguments: value?.ofArguments ?? true } : value;
  }

  #numbered(number: string): Value | undefined {
    return this.#at(Number(number) - this.#first);
  }

  #at(index: number): Value | undefined {
    const text = this.#list[index];
    return text === undefined ? undefined : ofArguments(text);
  }

  #named(name: string): Value | undefined {
    if (name === '@') return this.#list.length === 0 ? undefined : ofArguments(this.#list.join(' '));
    if (name === 'ARGUMENTS') return ofArguments(this.#input.arguments.trim());
    const { variables = {} } = this.#input;
    return Object.hasOwn(variables, name) ? { text: variables[name] ?? '', ofArguments: false } : undefined;
  }

  #slice(start: number, length: string | undefined): Value | undefined {
    if (this.#list.length === 0) return undefined;
    const from = Math.max(0, start - this.#first);
    return ofArguments(
      this.#list.slice(from, length === undefined ? undefined : from + Number(length)).join(' '),
    );
  }
}

interface Value {
  readonly text: string;
  readonly ofArguments: boolean;
}

function ofArguments(text: string | undefined): Value {
  return { text: text ?? '', ofArguments: true };
}

function commandWith(command: string, input: TemplateInput): string {
  return fillCommand(withSafeVariables(command, input), input.arguments);
}

/** A value with other characters is left for the shell to expand. */
function withSafeVariables(command: string, { variables = {} }: TemplateInput): string {
  return command.replace(/\$\{(\w+)\}/g, (all, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value !== undefined && /^[\w@%+=:,./-]+$/.test(value) ? value : all;
  });
}
