import { isJsonObject, type JsonObject, type JsonValue, type ToolSpec } from '@robota-sdk/agent-core';
import { routeName } from './tool-routes.ts';

/** With more required fields than these, their order is fixed: each set of fields is a rule. */
const mostFreeFields = 4;
/** Deeper schemas are not followed: any value is taken there. */
const deepestSchema = 4;

/** Names that can be written in a call. */
const callable = /^[A-Za-z_$][\w$-]*(?:\.[\w$-]+){0,16}$/;
const bareKey = /^[A-Za-z_$][\w$]*$/;

/**
 * A grammar of llama.cpp (GBNF) for the answer of a model that writes its calls. Text is free until the line that begins
 * a block; from there on only whole calls of the given tools can be written, with their fields and types, and then the
 * answer ends. Unlike the server's own lazy grammars, this one needs no trigger: the chat endpoint takes none from clients.
 */
export function callGrammar(tools: readonly ToolSpec[]): string {
  return new GrammarWriter(tools).write();
}

class GrammarWriter {
  readonly #tools: readonly ToolSpec[];
  readonly #rules: string[] = [];
  #made = 0;

  constructor(tools: readonly ToolSpec[]) {
    this.#tools = tools.filter(({ name }) => callable.test(routeName(name)));
  }

  write(): string {
    const calls = this.#tools.map((tool) => this.#call(tool));
    const unlisted = this.#tools.some(({ name }) => name === 'McpCall')
      ? ['"Mcp." name "." name "(" ws (object ws)? ")"']
      : [];
    this.#rules.push(
      ...textRules,
      ...blockRules,
      `code ::= ${[...calls, ...unlisted].join(' | ')}`,
      ...valueRules,
    );
    return `${this.#rules.join('\n')}\n`;
  }

  #call({ name, input }: ToolSpec): string {
    const fields = this.#object(input, 0);
    const mayBeEmpty = requiredOf(input).length === 0;
    const written = mayBeEmpty ? `(${fields} ws)?` : `${fields} ws`;
    return `${quoted(`${routeName(name)}(`)} ws ${written} ")" ";"?`;
  }

  /** The rule of an object: known fields in any order, each required one once. */
  #object(schema: JsonObject, depth: number): string {
    const properties = isJsonObject(schema.properties) ? schema.properties : undefined;
    const { additionalProperties } = schema;
    const isOpen = additionalProperties === true || isJsonObject(additionalProperties);
    if (!properties || isOpen || depth >= deepestSchema) return 'object';
    const required = requiredOf(schema);
    const names = Object.keys(properties);
    const pairs = new Map(names.map((name) => [name, this.#pair(name, properties[name] ?? true, depth)]));
    if (required.some((name) => !pairs.has(name))) return 'object';
    const prefix = this.#name('fields');
    const optional = names.filter((name) => !required.includes(name));
    this.#states({ prefix, required, optional: optional.flatMap((name) => pairs.get(name) ?? []), pairs });
    return `"{" ws ${prefix}-0`;
  }

  /** A rule for each set of required fields that were written: before a field, and after one. */
  #states({ prefix, required, optional, pairs }: ObjectFields): void {
    const all = (1 << required.length) - 1;
    const isOrdered = required.length > mostFreeFields;
    const sets = isOrdered ? required.map((_, index) => (1 << index) - 1).concat(all) : range(all + 1);
    for (const set of sets) {
      const missing = required
        .map((name, index) => ({ name, bit: 1 << index }))
        .filter(({ bit }) => !(set & bit));
      const next = (isOrdered ? missing.slice(0, 1) : missing).map(
        ({ name, bit }) => `${pairs.get(name)} ws ${prefix}-after-${set | bit}`,
      );
      const free = optional.map((pair) => `${pair} ws ${prefix}-after-${set}`);
      const end = set === all ? ['"}"'] : [];
      this.#rules.push(`${prefix}-${set} ::= ${[...next, ...free, ...end].join(' | ')}`);
      if (set !== 0 || optional.length > 0)
        this.#rules.push(`${prefix}-after-${set} ::= ${[`"," ws ${prefix}-${set}`, ...end].join(' | ')}`);
    }
  }

  #pair(name: string, schema: JsonValue, depth: number): string {
    const keys = [...inQuotes(name, ['"', "'"]), ...(bareKey.test(name) ? [quoted(name)] : [])];
    return this.#rule('field', `(${keys.join(' | ')}) ws ":" ws ${this.#value(schema, depth + 1)}`);
  }

  #value(schema: JsonValue, depth: number): string {
    if (!isJsonObject(schema)) return 'value';
    if (schema.const !== undefined) return literals([schema.const]);
    if (Array.isArray(schema.enum)) return literals(schema.enum);
    const choices = [schema.anyOf, schema.oneOf].find(Array.isArray);
    if (choices) return either(choices.map((each) => this.#value(each, depth)));
    if (Array.isArray(schema.type))
      return either(schema.type.map((type) => this.#value({ ...schema, type }, depth)));
    switch (schema.type) {
      case 'string':
        return 'string';
      case 'integer':
      case 'number':
      case 'boolean':
      case 'null':
        return schema.type;
      case 'array':
        return this.#array(schema.items ?? true, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return 'value';
    }
  }

  #array(items: JsonValue, depth: number): string {
    const item = depth >= deepestSchema ? 'value' : this.#value(items, depth + 1);
    return this.#rule('list', `"[" ws (${item} ws ("," ws ${item} ws)* ("," ws)?)? "]"`);
  }

  #rule(kind: string, body: string): string {
    const name = this.#name(kind);
    this.#rules.push(`${name} ::= ${body}`);
    return name;
  }

  #name(kind: string): string {
    return `${kind}-${this.#made++}`;
  }
}

interface ObjectFields {
  readonly prefix: string;
  readonly required: readonly string[];
  /** The rules of the optional fields. */
  readonly optional: readonly string[];
  readonly pairs: ReadonlyMap<string, string>;
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function literals(values: readonly JsonValue[]): string {
  return either(
    values.flatMap((value) => {
      if (typeof value === 'string') return inQuotes(value, ['"', "'", '`']);
      return value === null || typeof value !== 'object' ? [quoted(JSON.stringify(value))] : ['value'];
    }),
  );
}

/** A text in each kind of quotes, where nothing in it needs a backslash. */
function inQuotes(text: string, quotes: readonly string[]): readonly string[] {
  if (!/^[\w .:/@+-]*$/.test(text)) return [quoted(JSON.stringify(text))];
  return quotes.map((quote) => quoted(quote + text + quote));
}

function either(alternatives: readonly string[]): string {
  return `(${[...new Set(alternatives)].join(' | ')})`;
}

/** A text in a grammar. JSON's escapes are those of llama.cpp, but for a few that no name has. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}

/** Whatever `\s` of JavaScript takes besides blanks: behind a marker, each of them begins a block, too. */
const otherBlanks = '\\r\\x0B\\x0C\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF';

/**
 * Free text, one rule for each beginning of a marker: `!unquote_start` with a blank behind it begins a block, unless a
 * backtick stands before it; what is between `!quote_start` and `!quote_end` is only text.
 */
const textRules: readonly string[] = [
  'root ::= text',
  'text ::= ( [^!`] text | "!" text-1 | "`" tick )?',
  'tick ::= ( "`" tick | [^`] text )?',
  'text-1 ::= ( "u" text-u1 | "q" text-q1 | "!" text-1 | "`" tick | [^uq!`] text )?',
  ...spelled({ prefix: 'text-u', word: 'nquote_start', back: backToText }),
  `text-u13 ::= [ \\n\\t] ws calls | "!" text-1 | "\`" tick | [^ \\n\\t<!\`${otherBlanks}] text`,
  ...spelled({ prefix: 'text-q', word: 'uote_start', back: backToText }),
  `text-q11 ::= ( [ \\n\\t<${otherBlanks}] quote | "!" text-1 | "\`" tick | [^ \\n\\t<!\`${otherBlanks}] text )?`,
  'quote ::= ( [^!] quote | "!" quote-1 )?',
  ...spelled({ prefix: 'quote-', word: 'quote_end', back: (not) => `"!" quote-1 | [^!${not}] quote` }),
  'quote-10 ::= ( [a-zA-Z0-9_] quote | "!" text-1 | "`" tick | [^a-zA-Z0-9_!`] text )?',
];

function backToText(not: string): string {
  return `"!" text-1 | "\`" tick | [^!\`${not}] text`;
}

/** A rule for each letter of a word; any other letter goes back, and the answer may end anywhere. */
function spelled({ prefix, word, back }: Spelling): readonly string[] {
  return [...word].map((letter, index) => {
    const rule = `${prefix}${index + 1}`;
    return `${rule} ::= ( "${letter}" ${prefix}${index + 2} | ${back(letter)} )?`;
  });
}

interface Spelling {
  readonly prefix: string;
  readonly word: string;
  back(not: string): string;
}

const blockRules: readonly string[] = [
  'calls ::= call ws (call ws)* "!unquote_end" [ \\n]{0,4}',
  'call ::= "<tool_call id=\\"" [a-zA-Z0-9_-]{1,32} "\\"" (" lang=\\"javascript\\"")? " #>" ws code ws "</#>"',
];

/** Rules of a text in quotes. It must not hold `</#>`, which ends the element; a backslash keeps it apart: `<\/#>`. */
function textIn(name: string, quote: string): readonly string[] {
  const isTemplate = quote === '`';
  const mark = isTemplate ? quote : quote.replace('"', '\\"');
  const dollar = isTemplate ? '$' : '';
  const common = [
    `"${mark}"`,
    `"\\\\" ${name}-escape`,
    `"<" ${name}-1`,
    ...(isTemplate ? [`"$" ${name}-dollar`] : []),
  ];
  const rule = (suffix: string, more: readonly string[], not: string) =>
    `${name}-${suffix} ::= ${[...common, ...more, `[^${mark}\\\\<${dollar}${not}] ${name}-0`].join(' | ')}`;
  return [
    `${name} ::= "${mark}" ${name}-0`,
    rule('0', [], ''),
    rule('1', [`"/" ${name}-2`], '/'),
    rule('2', [`"#" ${name}-3`], '#'),
    rule('3', [], '>'),
    ...(isTemplate ? [rule('dollar', [], '{')] : []),
    `${name}-escape ::= "u" hex hex hex hex ${name}-0 | "<" ${name}-1 | [^u<] ${name}-0`,
  ];
}

const valueRules: readonly string[] = [
  'value ::= object | list | string | number | boolean | null',
  'object ::= "{" ws (pair ws ("," ws pair ws)* ("," ws)?)? "}"',
  'pair ::= (bare | double | single) ws ":" ws value',
  'list ::= "[" ws (value ws ("," ws value ws)* ("," ws)?)? "]"',
  'string ::= double | single | template',
  ...textIn('double', '"'),
  ...textIn('single', "'"),
  ...textIn('template', '`'),
  'hex ::= [0-9a-fA-F]',
  'integer ::= "-"? [0-9]{1,15}',
  'number ::= "-"? [0-9]{1,15} ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
  'boolean ::= "true" | "false"',
  'null ::= "null"',
  'bare ::= [a-zA-Z_] [a-zA-Z0-9_]{0,63}',
  'name ::= [a-zA-Z0-9_-]{1,64}',
  'ws ::= [ \\n\\t]{0,40}',
];
