import { nearest } from '../problem/nearest.ts';
import { type Problem, type ProblemSource, sentence, warning } from '../problem/problem.ts';

/** Keys of objects and indexes of lists that lead to a value. */
export type KeyPath = readonly (string | number)[];

/** A part of a value that cannot be used, is missing, or stands under an unknown key. */
export type ShapeProblem =
  | {
      readonly kind: 'unfit';
      readonly path: KeyPath;
      readonly expected: string;
      readonly found: string;
      /** The accepted word that was likely meant. */
      readonly near?: string;
    }
  | { readonly kind: 'missing'; readonly path: KeyPath; readonly expected: string }
  | { readonly kind: 'unknown'; readonly path: KeyPath; readonly known: readonly string[] };

/** Collects the problems of one value while shapes read it. */
export class Report {
  readonly problems: ShapeProblem[] = [];
  /** Accepts what people mean in a file: numbers in quotes, null for "not set", `$ENV:NAME` in any text. */
  readonly isLenient: boolean;
  #path: (string | number)[] = [];
  /** Problems beside unknown keys that spoil the value around them. */
  #unfit = 0;

  constructor({ lenient = false }: { readonly lenient?: boolean } = {}) {
    this.isLenient = lenient;
  }

  /** Reads the part of a value under a key. */
  below<T>(key: string | number, shape: Parsing<T>, value: unknown): T | undefined {
    return this.at([key], shape, value);
  }

  /** Reads the part of a value at a path. */
  at<T>(path: KeyPath, shape: Parsing<T>, value: unknown): T | undefined {
    this.#path.push(...path);
    const parsed = shape.parse(value, this);
    this.#path.length -= path.length;
    return parsed;
  }

  /** Reads a value that counts as a whole or not at all; its problems do not spoil the value around it. */
  whole<T>(shape: Parsing<T>, value: unknown): T | undefined {
    const before = this.#unfit;
    const parsed = shape.parse(value, this);
    const isSound = this.#unfit === before;
    this.#unfit = before;
    return isSound ? parsed : undefined;
  }

  /** Reads a value without reporting; `accept` adds what was found. */
  trial<T>(shape: Parsing<T>, value: unknown, lenient = this.isLenient): Trial<T> {
    const inner = new Report({ lenient });
    inner.#path = [...this.#path];
    const parsed = shape.parse(value, inner);
    return {
      parsed,
      isFit: inner.#unfit === 0 && parsed !== undefined,
      depth: Math.max(0, ...inner.problems.map(({ path }) => path.length)),
      accept: () => {
        this.problems.push(...inner.problems);
        this.#unfit += inner.#unfit;
        return parsed;
      },
    };
  }

  reportUnfit(expected: string, value: unknown, choices: readonly string[] = []): undefined {
    this.#unfit++;
    const path = [...this.#path];
    const found = foundText(value, containers.has(expected) || isSecret(path));
    const [near] = typeof value === 'string' ? nearest(value, choices) : [];
    const meant = near === undefined ? {} : { near };
    this.problems.push({ kind: 'unfit', path, expected, found, ...meant });
  }

  reportMissing(key: string, expected: string): void {
    this.#unfit++;
    this.problems.push({ kind: 'missing', path: [...this.#path, key], expected });
  }

  reportUnknown(key: string, known: readonly string[]): void {
    this.problems.push({ kind: 'unknown', path: [...this.#path, key], known });
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

/** The known key that an unknown one most likely means. */
export function meantKey({ path, known }: Extract<ShapeProblem, { kind: 'unknown' }>): string | undefined {
  return nearest(String(path.at(-1)), known)[0];
}

/** Kind of what is read, such as `setting`, and the file it stands in. */
interface ShapeContext {
  readonly noun?: string;
  readonly source?: ProblemSource | undefined;
}

/** A problem of a value as one that can be shown: `maxTurns: expected an integer, got the string "many"`. */
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

/** A path as people write it: `permissions.deny[0]`. */
export function pathText(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[\w$-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

const longestShown = 60;

/** Fields whose values may hold a key or a password: messages name only their kind. */
const secretFields = /key|token|secret|password|headers|^models?$|^provider$/i;
const secretParents: ReadonlySet<string> = new Set([
  'apiKeys',
  'baseUrls',
  'cloudAccounts',
  'env',
  'headers',
]);

/** A text instead of an object or a list may be a key that was meant to stand inside. */
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
