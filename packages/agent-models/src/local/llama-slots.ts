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
 * last: requests of titles and agents in the same slot would make it read the whole conversation again.
 */
export function inSlots(provider: ModelProvider, connection: Connection): ModelProvider {
  const inner = enforcingSchema(provider);
  const slots = new Map<string, Promise<number | undefined>>();
  const slotOf = (id: string): Promise<number | undefined> => {
    const known = slots.get(id);
    if (known !== undefined) return known;
    const found = freeSlot(connection, slots.values());
    slots.set(id, found);
    return found;
  };
  return {
    vendor: inner.vendor,
    stream: (request) => inSlot(inner, request, slotOf),
  };
}

async function* inSlot(
  inner: ModelProvider,
  request: ModelRequest,
  slotOf: (id: string) => Promise<number | undefined>,
): ModelStream & AsyncGenerator {
  const slot = request.sessionId === undefined ? undefined : await slotOf(request.sessionId);
  yield* inner.stream(slot === undefined ? request : { ...request, slot });
}

/** A slot that nothing uses: never used before others, then the one whose last task is the oldest. */
async function freeSlot(
  connection: Connection,
  taken: Iterable<Promise<number | undefined>>,
): Promise<number | undefined> {
  const before = await Promise.all(taken);
  const slots = await askSlots(connection);
  // With a single slot there is nothing to choose, and the server decides.
  if (slots.length < 2) return undefined;
  const own = new Set(before);
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

/** The slots of a server; none where it does not show them. */
async function askSlots({ baseUrl, apiKey, headers }: Connection): Promise<readonly JsonObject[]> {
  const root = baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
  try {
    const response = await httpFetch(`${root}/slots`, {
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
