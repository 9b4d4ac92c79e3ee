import { nearest } from '@robota-sdk/agent-diff';
import { type Problem, type ProblemSource, sentence, warning } from '../problem/problem.ts';

/** Keys of objects and indexes of lists that lead to a value. */
export type KeyPath = readonly (string | number)[];

/** An invalid or missing part of a value, or an unknown key. */
export type ShapeProblem =
  | {
      readonly kind: 'unfit';
      readonly path: KeyPath;
      readonly expected: string;
      readonly found: string;
      /** The accepted word that was probably meant. */
      readonly near?: string;
    }
  | { readonly kind: 'missing'; readonly path: KeyPath; readonly expected: string }
  | { readonly kind: 'unknown'; readonly path: KeyPath; readonly known: readonly string[] };

/** Collects the problems of one value while shapes read it. */
export class Report {
  readonly problems: ShapeProblem[] = [];
  /** Accepts common forms in files: numbers in quotes, null for "not set", `$ENV:NAME` in any text. */
  readonly isLenient: boolean;
  /** Only judges: describes no problem, which would cost more than reading the value. */
  readonly #isQuiet: boolean;
  #path: (string | number)[] = [];
  /** Number of problems, except unknown keys, that make the enclosing value invalid. */
  #unfit = 0;
  /** Length of the longest path to a problem. */
  #depth = 0;

  constructor({
    lenient = false,
    quiet = false,
  }: { readonly lenient?: boolean; readonly quiet?: boolean } = {}) {
    this.isLenient = lenient;
    this.#isQuiet = quiet;
  }

  /** A report for a value whose problems its reader does not tell. */
  static quiet(): Report {
    return new Report({ quiet: true });
  }

  /** Reads the part of a value under a key. */
  below<T>(key: string | number, shape: Parsing<T>, value: unknown): T | undefined {
    this.#path.push(key);
    const parsed = shape.parse(value, this);
    this.#path.pop();
    return parsed;
  }

  /** Reads the part of a value at a path. */
  at<T>(path: KeyPath, shape: Parsing<T>, value: unknown): T | undefined {
    this.#path.push(...path);
    const parsed = shape.parse(value, this);
    this.#path.length -= path.length;
    return parsed;
  }

  /** Reads a value that is used completely or not at all; its problems do not affect the enclosing value. */
  whole<T>(shape: Parsing<T>, value: unknown): T | undefined {
    const before = this.#unfit;
    const parsed = shape.parse(value, this);
    const isSound = this.#unfit === before;
    this.#unfit = before;
    return isSound ? parsed : undefined;
  }

  /** Reads a value without reporting; `accept` adds the result. */
  trial<T>(shape: Parsing<T>, value: unknown, lenient = this.isLenient): Trial<T> {
    const inner = new Report({ lenient, quiet: this.#isQuiet });
    inner.#path = [...this.#path];
    const parsed = shape.parse(value, inner);
    return {
      parsed,
      isFit: inner.#unfit === 0 && parsed !== undefined,
      depth: inner.#depth,
      accept: () => {
        this.problems.push(...inner.problems);
        this.#unfit += inner.#unfit;
        this.#depth = Math.max(this.#depth, inner.#depth);
        return parsed;
      },
    };
  }

  reportUnfit(expected: string, value: unknown, choices: readonly string[] = []): undefined {
    this.#unfit++;
    if (this.#isUntold(0)) return;
    const path = [...this.#path];
    const found = foundText(value, containers.has(expected) || isSecret(path));
    const [near] = typeof value === 'string' ? nearest(value, choices) : [];
    const meant = near === undefined ? {} : { near };
    this.problems.push({ kind: 'unfit', path, expected, found, ...meant });
  }

  reportMissing(key: string, expected: string): void {
    this.#unfit++;
    if (!this.#isUntold(1)) this.problems.push({ kind: 'missing', path: [...this.#path, key], expected });
  }

  reportUnknown(key: string, known: readonly string[]): void {
    if (!this.#isUntold(1)) this.problems.push({ kind: 'unknown', path: [...this.#path, key], known });
  }

  /** Notes how deep a problem is; true if nothing else is to be kept of it. */
  #isUntold(further: 0 | 1): boolean {
    this.#depth = Math.max(this.#depth, this.#path.length + further);
    return this.#isQuiet;
  }
}

interface Parsing<T> {
  parse(value: unknown, report: Report): T | undefined;
}

interface Trial<T> {
  readonly parsed: T | undefined;
  readonly isFit: boolean;
  readonly depth: number;
  accept(): T | undefined;
}

/** The known key that an unknown one probably means. */
export function meantKey({ path, known }: Extract<ShapeProblem, { kind: 'unknown' }>): string | undefined {
  return nearest(String(path.at(-1)), known)[0];
}

/** The kind of value, such as `setting`, and its file. */
interface ShapeContext {
  readonly noun?: string;
  readonly source?: ProblemSource | undefined;
}

/** Formats a problem of a value: `maxTurns: expected an integer, got the string "many"`. */
export function describeMismatch(
  found: ShapeProblem,
  { noun = 'field', source }: ShapeContext = {},
): Problem {
  const subject = pathText(found.path);
  if (found.kind === 'unknown') {
    const near = meantKey(found);
    const hint =
      near === undefined ? undefined : `Did you mean "${pathText([...found.path.slice(0, -1), near])}"?`;
    return warning(`${noun}.unknown`, sentence`Unknown ${{ noun }} "${{ subject }}".`, {
      subject,
      source,
      hint,
    });
  }
  const place = subject === '' ? 'the file' : subject;
  const { expected } = found;
  if (found.kind === 'missing') {
    const message = sentence`${{ place }}: expected ${{ expected }}, but it is missing`;
    return warning(`${noun}.missing`, message, { subject, source });
  }
  const message = sentence`${{ place }}: expected ${{ expected }}, got ${{ found: found.found }}`;
  const hint = found.near === undefined ? undefined : `Did you mean "${found.near}"?`;
  return warning(`${noun}.invalid`, message, { subject, source, hint });
}

/** Formats a path as `permissions.deny[0]`. */
export function pathText(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[\w$-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

const longestShown = 60;

/** Fields that may hold a key or a password: messages show only the kind of value. */
const secretFields = /key|token|secret|password|headers|^models?$|^provider$/i;
const secretParents: ReadonlySet<string> = new Set([
  'apiKeys',
  'baseUrls',
  'cloudAccounts',
  'env',
  'headers',
]);

/** A text instead of an object or a list may be a key that belongs inside it. */
const containers: ReadonlySet<string> = new Set(['an object', 'a list']);

function isSecret(path: KeyPath): boolean {
  const field = String(path.findLast((part) => typeof part === 'string') ?? '');
  return secretFields.test(field) || path.some((part) => secretParents.has(String(part)));
}

function foundText(value: unknown, isHidden: boolean): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return isHidden ? `a ${typeof value}` : String(value);
  return isHidden || value.length > longestShown ? 'a string' : `the string ${JSON.stringify(value)}`;
}
