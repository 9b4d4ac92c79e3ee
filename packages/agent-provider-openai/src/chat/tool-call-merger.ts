import { type JsonObject, objectAt, parseJson, textAt } from '@robota-sdk/agent-core';

/** A call as far as it has been received. */
export interface PartialCall {
  id: string;
  name: string;
  json: string;
  /** Data that a vendor wants back with the call, such as Google's `thought_signature`. */
  extra?: JsonObject;
  /** The block it became, once it was announced. */
  block?: number;
}

/** The part of a call that a delta added. */
export interface CallDelta {
  readonly call: PartialCall;
  readonly json: string;
}

/**
 * Puts tool calls together from deltas. Vendors number them, or name them by id, or do neither; send a call in
 * pieces or whole; repeat id and name in every piece, or reuse a number for the next call.
 */
export class ToolCallMerger {
  readonly calls: PartialCall[] = [];
  readonly #byIndex = new Map<number, PartialCall>();
  readonly #tools: readonly string[];
  #last: PartialCall | undefined;

  /** The names of the tools tell a name that comes in pieces from the next call. */
  constructor(tools: readonly string[] = []) {
    this.#tools = tools;
  }

  /** True while more of the name may come. */
  mayGrow({ name, json }: PartialCall): boolean {
    return json === '' && this.#tools.some((tool) => tool !== name && tool.startsWith(name));
  }

  push(delta: JsonObject): CallDelta {
    // The wrapping object is missing where a server flattens the call.
    const called = objectAt(delta, 'function') ?? delta;
    const piece: Piece = {
      index: typeof delta.index === 'number' ? delta.index : undefined,
      id: textAt(delta, 'id'),
      name: textAt(called, 'name'),
      json: argumentText(called.arguments),
    };
    const candidate = this.#candidate(piece);
    const continues = candidate !== undefined && this.#continuesName(candidate, piece);
    const call = candidate && (continues || !beginsAnother(candidate, piece)) ? candidate : this.#begin();
    if (continues) call.name += piece.name;
    const extra = objectAt(delta, 'extra_content');
    if (extra) call.extra = { ...call.extra, ...extra };
    if (piece.index !== undefined) this.#byIndex.set(piece.index, call);
    this.#last = call;
    call.id ||= piece.id;
    call.name ||= piece.name;
    call.json += piece.json;
    return { call, json: piece.json };
  }

  #continuesName(call: PartialCall, { id, name }: Piece): boolean {
    if (call.name === '' || name === '' || call.json !== '' || call.block !== undefined) return false;
    if (id !== '' && id !== call.id) return false;
    return name !== call.name && this.#tools.some((tool) => tool.startsWith(call.name + name));
  }

  #candidate(piece: Piece): PartialCall | undefined {
    if (piece.index !== undefined) return this.#byIndex.get(piece.index);
    if (piece.id !== '') return this.calls.find((call) => call.id === piece.id) ?? this.#last;
    return this.#last;
  }

  #begin(): PartialCall {
    const call = { id: '', name: '', json: '' };
    this.calls.push(call);
    return call;
  }
}

interface Piece {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

/** Only a named piece can begin a call; the same name again does so when the call before it is whole. */
function beginsAnother(call: PartialCall, piece: Piece): boolean {
  if (piece.name === '' || call.name === '') return false;
  if (piece.id !== '' && call.id !== '') return piece.id !== call.id;
  if (piece.name !== call.name) return true;
  return piece.id === '' && piece.json !== '' && isWhole(call.json);
}

function isWhole(json: string): boolean {
  return typeof parseJson(json) === 'object';
}

/** Some servers send the arguments as an object instead of its text. */
function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
