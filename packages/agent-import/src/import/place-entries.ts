import type { Entry } from '@robota-sdk/agent-sessions';
import { stableUuid } from '@robota-sdk/agent-sessions';
import type { EntryBody, EntryPiece, ForeignSession } from '../source/foreign-session.ts';
import { SkipCounts } from '../source/skip-counts.ts';
import { orderNodes } from './order-nodes.ts';

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Gives the pieces of a foreign session ids and places in a tree of ours; parents come before their children. */
export class EntryPlacer {
  /** Places that were not as the source has them. */
  readonly repaired = new SkipCounts();
  readonly #session: ForeignSession;
  readonly #used = new Set<string>();
  /** The first entry that a node of the source became, and the last: that of its parent where it became none. */
  readonly #first = new Map<string, string>();
  readonly #last = new Map<string, string | null>();
  readonly #messageOf = new Map<string, string | null>();
  #previousTime = '';

  constructor(session: ForeignSession) {
    this.#session = session;
    this.#previousTime = session.started ?? new Date(0).toISOString();
  }

  *entries(): Generator<Entry> {
    for (const { id, parentId } of orderNodes(this.#session.nodes, this.repaired)) {
      let at = parentId === null ? null : (this.#last.get(parentId) ?? null);
      for (const [index, piece] of this.#session.pieces(id).entries()) {
        const entry = this.#place(piece, { nodeId: id, index, parentId: at });
        if (index === 0) this.#first.set(id, entry.id);
        yield entry;
        at = entry.id;
      }
      this.#last.set(id, at);
    }
  }

  /** The leaf of the conversation. */
  get leafId(): string | null {
    const { leafId, nodes } = this.#session;
    if (leafId === null) return null;
    return this.#last.get(leafId ?? nodes.at(-1)?.id ?? '') ?? null;
  }

  /** The entry that a node of the source became. */
  entryOf(nodeId: string): string | undefined {
    return this.#first.get(nodeId);
  }

  #place(
    { timestamp, body }: EntryPiece,
    place: { nodeId: string; index: number; parentId: string | null },
  ): Entry {
    const { nodeId, index, parentId } = place;
    const id = this.#newId(nodeId, index);
    this.#previousTime = timestamp === '' ? this.#previousTime : timestamp;
    const base = { id, parentId, timestamp: this.#previousTime };
    const parentMessage = parentId === null ? null : (this.#messageOf.get(parentId) ?? null);
    const messageId =
      index === 0 && uuidShape.test(nodeId) ? nodeId : stableUuid(nodeId, `${index}`, base.timestamp);
    this.#messageOf.set(id, body.type === 'message' ? messageId : parentMessage);
    return { ...this.#completed(body, { id: messageId, parentId: parentMessage }), ...base } as Entry;
  }

  #completed(body: EntryBody, identity: { id: string; parentId: string | null }) {
    if (body.type === 'compaction')
      return { ...body, firstKeptEntryId: this.#first.get(body.firstKeptEntryId) ?? '' };
    if (body.type === 'branch_summary')
      return { ...body, fromId: this.#first.get(body.fromId) ?? body.fromId };
    if (body.type !== 'message') return body;
    const timestamp = body.message.timestamp || Date.parse(this.#previousTime) || 0;
    return { ...body, message: { ...body.message, ...identity, timestamp } };
  }

  /** Ours are eight hexadecimal digits; the source's own are kept where they are that, too. */
  #newId(nodeId: string, index: number): string {
    const wished = index === 0 && /^[0-9a-f]{8}(-|$)/.test(nodeId) ? nodeId.slice(0, 8) : '';
    let id = wished;
    for (let attempt = 0; id === '' || this.#used.has(id); attempt++)
      id = stableUuid(nodeId, `${index}`, `${attempt}`).slice(0, 8);
    this.#used.add(id);
    return id;
  }
}
