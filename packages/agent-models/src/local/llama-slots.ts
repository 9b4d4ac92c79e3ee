import {
  type Connection,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelProvider,
  type ModelRequest,
  type ModelStream,
} from '@robota-sdk/agent-core';
import { httpFetch } from '@robota-sdk/agent-http';
import { enforcingSchema } from './answer-schema.ts';

const patienceMs = 1_000;

/**
 * A provider that keeps each conversation in one slot of llama.cpp's server. A slot remembers the prompt that it read
 * last: requests of titles and agents in the same slot would make it read the whole conversation again. A server that
 * shares its memory among its slots empties the idle ones; it finds a conversation again only if it chooses the slot.
 */
export function inSlots(provider: ModelProvider, connection: Connection): ModelProvider {
  const inner = enforcingSchema(provider);
  const assigned = new Map<string, Promise<number | undefined>>();
  let keepsPrompts: boolean | undefined;
  const look = async (model: string) => {
    const slots = await askSlots(connection, model);
    keepsPrompts ??= keepsPromptsOf(slots);
    return slots;
  };
  const slotOf = async (id: string, model: string): Promise<number | undefined> => {
    const others = [...assigned.values()];
    const known = assigned.get(id);
    if (known && keepsPrompts === undefined) await look(model);
    const found = known ?? look(model).then((slots) => freeSlot(slots, others));
    assigned.set(id, found);
    const slot = await found;
    return keepsPrompts === false ? undefined : slot;
  };
  return {
    vendor: inner.vendor,
    stream: (request) => inSlot(inner, request, slotOf),
  };
}

async function* inSlot(
  inner: ModelProvider,
  request: ModelRequest,
  slotOf: (id: string, model: string) => Promise<number | undefined>,
): ModelStream & AsyncGenerator {
  const { sessionId, model } = request;
  const slot = sessionId === undefined ? undefined : await slotOf(sessionId, model.id);
  yield* inner.stream(slot === undefined ? request : { ...request, slot });
}

/** False if an idle slot has lost its prompt, true if two still have theirs, and undefined before that shows. */
function keepsPromptsOf(slots: readonly JsonObject[]): boolean | undefined {
  const used = slots.filter((slot) => Number(slot.id_task ?? -1) >= 0 && slot.is_processing !== true);
  if (used.some((slot) => slot.n_prompt_tokens === 0)) return false;
  return slots.length < 2 || used.length > 1 ? true : undefined;
}

/** A slot that nothing uses: never used before others, then the one whose last task is the oldest. */
async function freeSlot(
  slots: readonly JsonObject[],
  taken: readonly Promise<number | undefined>[],
): Promise<number | undefined> {
  const own = new Set(await Promise.all(taken));
  // With a single slot there is nothing to choose, and the server decides.
  if (slots.length < 2) return undefined;
  const rank = (slot: JsonObject) => [
    own.has(Number(slot.id)) ? 1 : 0,
    slot.is_processing === true ? 1 : 0,
    Number(slot.id_task ?? -1),
  ];
  const [best] = slots.toSorted((a, b) => compare(rank(a), rank(b)));
  return typeof best?.id === 'number' ? best.id : undefined;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** The slots of a server; none where it does not show them. A router of several models wants the name. */
async function askSlots(
  { baseUrl, apiKey, headers }: Connection,
  model: string,
): Promise<readonly JsonObject[]> {
  const root = baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
  try {
    const response = await httpFetch(`${root}/slots?model=${encodeURIComponent(model)}`, {
      headers: { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    const answer: unknown = response.ok ? await response.json() : undefined;
    return Array.isArray(answer) ? answer.filter((slot: JsonValue) => isJsonObject(slot)) : [];
  } catch {
    return [];
  }
}
