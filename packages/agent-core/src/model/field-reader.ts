import { type ApiKind, apiKinds } from '../message/model-ref.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';

/** pi's names of our API kinds. */
const apiAliases: Readonly<Record<string, ApiKind>> = {
  'openai-completions': 'openai',
  'anthropic-messages': 'anthropic',
  'google-generative-ai': 'google',
};

const userKinds: readonly string[] = apiKinds.filter((kind) => kind !== 'offline');
const piKinds = Object.keys(apiAliases);

/** Reads the fields of an object out of a settings file and notes each one that is not what it must be. */
export class FieldReader {
  readonly #value: JsonObject;
  readonly #path: string;
  readonly #problems: string[];
  #owner: FieldReader | undefined;
  #isSound = true;

  constructor(value: JsonObject, path: string, problems: string[]) {
    this.#value = value;
    this.#path = path;
    this.#problems = problems;
  }

  has(name: string): boolean {
    return this.#value[name] !== undefined;
  }

  /** False once a field was not what it must be. */
  get isSound(): boolean {
    return this.#isSound;
  }

  text(name: string): string | undefined {
    return this.#read(name, 'a text', (value) => (typeof value === 'string' ? value : undefined));
  }

  /** A text that must be there and not be empty. */
  requiredText(name: string): string {
    const value = this.text(name)?.trim();
    if (!this.has(name)) this.report(name, 'is missing');
    else if (value === '') this.report(name, 'must not be empty');
    return value ?? '';
  }

  /** The address of a server. */
  url(name: string): string | undefined {
    return this.#read(name, 'a URL that begins with http:// or https://', (value) =>
      typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
        ? value
        : undefined,
    );
  }

  /** A number of zero or more. */
  amount(name: string): number | undefined {
    return this.#read(name, 'a number, zero or more', (value) =>
      typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined,
    );
  }

  /** A whole number above zero. */
  count(name: string): number | undefined {
    return this.#read(name, 'a number, whole and above zero', (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined,
    );
  }

  flag(name: string): boolean | undefined {
    return this.#read(name, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  /** The fields of an object that is part of this one: what is wrong there is wrong here. */
  part(name: string): FieldReader | undefined {
    const value = this.#object(name);
    if (!value) return undefined;
    const reader = new FieldReader(value, this.#pathOf(name), this.#problems);
    reader.#owner = this;
    return reader;
  }

  /** The objects of a list, each on its own: a bad one does not spoil the others. */
  items(name: string): readonly FieldReader[] {
    return this.list(name).flatMap((value, index) => this.#entry(value, `${name}[${index}]`));
  }

  /** The objects in an object by name, each on its own. */
  members(name: string): readonly (readonly [string, FieldReader])[] {
    return Object.entries(this.#object(name) ?? {}).flatMap(([key, value]) =>
      this.#entry(value, `${name}.${key}`).map((reader) => [key, reader] as const),
    );
  }

  list(name: string): readonly JsonValue[] {
    return this.#read(name, 'a list', (value) => (Array.isArray(value) ? value : undefined)) ?? [];
  }

  /** An object whose values are texts, such as headers. */
  texts(name: string): Readonly<Record<string, string>> | undefined {
    const isTexts = (value: JsonValue): value is Record<string, string> =>
      isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');
    return this.#read(name, 'an object of texts', (value) => (isTexts(value) ? value : undefined));
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const isAllowed = (value: JsonValue): value is T => allowed.includes(value as T);
    return this.#read(name, `one of ${allowed.join(', ')}`, (value) =>
      isAllowed(value) ? value : undefined,
    );
  }

  /** An API kind by our name or pi's; anything else is a problem, never a guess. */
  apiKind(name: string): ApiKind | undefined {
    const kind = this.oneOf(name, [...userKinds, ...piKinds]);
    if (kind === undefined) return undefined;
    return apiAliases[kind] ?? (kind as ApiKind);
  }

  /** Notes that a field is wrong, by its full path. */
  report(name: string, problem: string): void {
    for (let reader: FieldReader | undefined = this; reader; reader = reader.#owner) reader.#isSound = false;
    this.#problems.push(`${this.#pathOf(name)} ${problem}`);
  }

  #object(name: string): JsonObject | undefined {
    return this.#read(name, 'an object', (value) => (isJsonObject(value) ? value : undefined));
  }

  #entry(value: JsonValue, name: string): FieldReader[] {
    if (isJsonObject(value)) return [new FieldReader(value, this.#pathOf(name), this.#problems)];
    this.#problems.push(`${this.#pathOf(name)} must be an object; it is ${kindOf(value)}`);
    return [];
  }

  #pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #read<T>(name: string, expected: string, accept: (value: JsonValue) => T | undefined): T | undefined {
    const value = this.#value[name];
    if (value === undefined) return undefined;
    const accepted = accept(value);
    if (accepted === undefined) {
      const found = mayHoldKey.test(name) ? kindOf(value) : shown(value);
      this.report(name, `must be ${expected}; it is ${found}`);
    }
    return accepted;
  }
}

/** Names only the kind of a composite value: it may hold keys. */
function shown(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list';
  return isJsonObject(value) ? 'an object' : JSON.stringify(value).slice(0, 60);
}

/** Fields whose values must not be repeated in a message. */
const mayHoldKey = /key|token|secret|headers/i;

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
