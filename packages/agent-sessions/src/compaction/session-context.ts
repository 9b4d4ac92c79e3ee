import { randomUUID } from 'node:crypto';
import {
  AgentError,
  type AgentEvent,
  createMessage,
  type JsonValue,
  type Message,
  type ShellRun,
  textOf,
  type UserMessage,
} from '@robota-sdk/agent-core';
import { changesView } from '../entry/build-context.ts';
import { type EditState, editDraft } from '../entry/context-edit.ts';
import { isRequest } from '../entry/is-request.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import {
  assertEditable,
  type ContextItem,
  contextItems,
  type EditableContext,
  type EditPreview,
  previewContextEdit,
} from './context-items.ts';
import type { ContextReport } from './context-report.ts';
import { itemTitles } from './item-titles.ts';
import { type Pin, pinDraft, pinsOf, unpinDraft } from './pins.ts';
import { findRecallItems, messageText, type RecallItem, recallItems, recallMessage } from './recall.ts';
import { type CompactionReceipt, receiptsOf } from './receipt.ts';
import type { SessionCompaction } from './session-compaction.ts';
import { timeAfter } from './time-after.ts';

/** Services the context view needs from its session. */
export interface ContextServices {
  readonly handle: SessionHandle;
  /** Adds a message for the model: immediately when idle, otherwise with the next turn. */
  add(message: UserMessage): Promise<void>;
  /** Stores a command that the user ran; returns the message for the model, unless it is private. */
  keepShell(run: ShellRun): Promise<UserMessage | undefined>;
  publish(event: AgentEvent): void | Promise<void>;
  lastMessageId(): string | null;
  readonly compaction: Pick<SessionCompaction, 'report' | 'source' | 'rewritten'>;
  /** Continues the conversation from the messages that the work returns; throws during a run. */
  rewrite(work: () => Promise<Message[]>): Promise<void>;
}

/** The pins of the branch that ended in this entry. */
interface KnownPins {
  readonly leafId: string | null;
  readonly pins: readonly Pin[];
}

/** The data of custom entries of the branch that ended in this entry. */
interface KnownNotes {
  readonly leafId: string | null;
  readonly data: readonly JsonValue[];
}

const planPin = 'plan';
const goalPin = 'goal';

/** The contents of a session's window, the removed messages, and the pins. */
export class SessionContext {
  readonly #parts: ContextServices;
  #pins: KnownPins | undefined;
  readonly #notes = new Map<string, KnownNotes>();

  constructor(parts: ContextServices) {
    this.#parts = parts;
  }

  /** The contents of the window, part by part. */
  report(): ContextReport {
    return this.#parts.compaction.report();
  }

  /** The contents of the window by row, including messages the user folded or dropped. */
  items(): readonly ContextItem[] {
    return contextItems(this.#editable());
  }

  /** The number of prompts that are visible to the model. */
  turns(): number {
    return this.#parts.compaction.source().messages.filter(isRequest).length;
  }

  /** Computes what edits would save and cost. */
  preview(states: ReadonlyMap<string, EditState>): EditPreview {
    return previewContextEdit(this.#editable(), states);
  }

  /** Folds, drops or restores messages for the model; the originals stay in the session. Returns what it saved and cost. */
  async edit(states: ReadonlyMap<string, EditState>): Promise<EditPreview> {
    const { handle, compaction } = this.#parts;
    const context = this.#editable();
    assertEditable(context, states);
    const preview = previewContextEdit(context, states);
    if (states.size === 0) return preview;
    await this.#parts.rewrite(async () => {
      const at = timeAfter(context.view.map(({ shown }) => shown));
      await handle.append(editDraft({ at, states }), { durable: true });
      const messages = handle.messages();
      compaction.rewritten(messages, preview.tokensAfter);
      return messages;
    });
    return preview;
  }

  /** The whole text of a visible message, also where the model does not see it. */
  originalText(messageId: string): string | undefined {
    const found = this.#parts.handle.view().find(({ original }) => original.id === messageId);
    return found && messageText(found.original);
  }

  /** True if the model's view differs from the stored messages. */
  get isChanged(): boolean {
    return this.#parts.handle.notes().some(changesView);
  }

  /** The compactions of this branch, oldest first. */
  get receipts(): readonly CompactionReceipt[] {
    return receiptsOf(this.#parts.handle.notes());
  }

  /** The texts that every compaction of this branch keeps word for word, oldest first. */
  get pins(): readonly Pin[] {
    const { handle } = this.#parts;
    const { leafId } = handle;
    // Cached, because the screen asks with every frame; pins change only with an entry.
    if (this.#pins?.leafId !== leafId) this.#pins = { leafId, pins: this.#pinsSince(this.#pins) };
    return this.#pins.pins;
  }

  /** The data of the custom entries of one type on this branch, oldest first. */
  notes(type: string): readonly JsonValue[] {
    const { handle } = this.#parts;
    const { leafId } = handle;
    const known = this.#notes.get(type);
    if (known?.leafId === leafId) return known.data;
    // Only new entries are read while the branch stays the same.
    const added = known?.leafId ? handle.notesSince(known.leafId) : undefined;
    const read = (added ?? handle.notes()).flatMap((entry) =>
      entry.type === 'custom' && entry.customType === type && entry.data !== undefined ? [entry.data] : [],
    );
    const data = known && added ? [...known.data, ...read] : read;
    this.#notes.set(type, { leafId, data });
    return data;
  }

  /** Stores data as a custom entry of a type; the model does not see it. */
  async addNote(type: string, data: JsonValue): Promise<void> {
    await this.#parts.handle.append({ type: 'custom', customType: type, data }, { durable: true });
  }

  /** Sends a text to the model with the next prompt, or with the next turn of a run. */
  async tell(text: string, origin: 'reminder' | 'command' = 'reminder'): Promise<void> {
    const content = [{ type: 'text', text }] as const;
    await this.#parts.add(createMessage({ role: 'user', content, origin }, this.#parts.lastMessageId()));
  }

  /** Stores a command that the user ran. The model sees it with the next prompt, or with the next turn of a run. */
  async keepShell(run: ShellRun): Promise<void> {
    const message = await this.#parts.keepShell(run);
    await this.#parts.publish({ type: 'shell-end', run });
    if (message) await this.#parts.add(message);
  }

  /** Pins a text and sends it to the model. */
  async pinText(text: string): Promise<Pin> {
    const pin = await this.#keep({ id: newId(), text });
    const said = `[Pinned by the user: this holds until the user takes it back]\n\n${text}`;
    const content = [{ type: 'text', text: said }] as const;
    await this.#parts.add(
      createMessage({ role: 'user', content, origin: 'pin' }, this.#parts.lastMessageId()),
    );
    return pin;
  }

  /** Pins a message of the branch: `last` for the last answer, or the id of its entry or a prefix of it. */
  async pinMessage(reference: string): Promise<Pin> {
    const message = this.#find(reference);
    return this.#keep({ id: newId(), text: messageText(message), messageId: message.id });
  }

  /** The plan that the user approved last on this branch, as Markdown. */
  get plan(): string | undefined {
    return this.pins.find(({ id }) => id === planPin)?.text;
  }

  /** Pins an approved plan, replacing an earlier one. The model knows it from its own call. */
  async keepPlan(text: string): Promise<void> {
    await this.#keep({ id: planPin, text });
  }

  /** The goal that the user set on this branch. */
  get goal(): string | undefined {
    return this.pins.find(({ id }) => id === goalPin)?.text;
  }

  /** Pins a goal, replacing an earlier one. The model sees it with a prompt. */
  async keepGoal(text: string): Promise<void> {
    await this.#keep({ id: goalPin, text });
  }

  /** Removes the goal; false if there was none. */
  async dropGoal(): Promise<boolean> {
    if (this.goal === undefined) return false;
    await this.#parts.handle.append(unpinDraft(goalPin), { durable: true });
    return true;
  }

  /** Removes a pin by its position in the list, from 1. */
  async unpin(number: number): Promise<Pin> {
    const pin = this.pins[number - 1];
    if (!pin) throw new AgentError('usage', `No pin ${number}. /pin lists them.`);
    await this.#parts.handle.append(unpinDraft(pin.id), { durable: true });
    return pin;
  }

  /** Messages removed by compactions, oldest first. */
  get recallable(): readonly RecallItem[] {
    return recallItems(this.#parts.handle);
  }

  /** The items that match a number or words. */
  findRecallable(reference: string): readonly RecallItem[] {
    return findRecallItems(this.#parts.handle, reference);
  }

  /** Restores an item in the conversation. */
  async recall(item: RecallItem): Promise<void> {
    const message = recallMessage(this.#parts.handle, item, this.#parts.lastMessageId());
    if (!message)
      throw new AgentError('session', `The original of ${item.number} is no longer in the session.`);
    await this.#parts.add(message);
  }

  #editable(): EditableContext {
    const { handle, compaction } = this.#parts;
    return { ...compaction.source(), view: handle.view(), cwd: handle.cwd };
  }

  async #keep(pin: Pin): Promise<Pin> {
    await this.#parts.handle.append(pinDraft(pin), { durable: true });
    return pin;
  }

  /** Only new entries are read while the branch stays the same. */
  #pinsSince(known: KnownPins | undefined): readonly Pin[] {
    const { handle } = this.#parts;
    const added = known?.leafId ? handle.notesSince(known.leafId) : undefined;
    return known && added ? pinsOf(added, known.pins) : pinsOf(handle.notes());
  }

  #find(reference: string): Message {
    const messages = this.#parts.handle
      .path()
      .flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
    const last = messages.findLast(
      ({ role, content }) => role === 'assistant' && textOf(content).trim() !== '',
    );
    if (reference === 'last') {
      if (last) return last;
      throw new AgentError('usage', 'No answer to pin yet.');
    }
    const named = this.#parts.handle.entry(reference);
    const own = named?.type === 'message' ? named.message.id : reference.toLowerCase();
    const found = messages.filter(({ id }) => id.startsWith(own));
    if (found.length === 1 && found[0]) return found[0];
    const titles = itemTitles(found);
    const choices = found.map(({ id }) => `${id.slice(0, 13)} (${titles.get(id)})`).join(', ');
    throw new AgentError(
      'usage',
      found.length === 0
        ? `No message ${reference} in this conversation.`
        : `${reference} may mean ${choices}. Give more of the id.`,
    );
  }
}

function newId(): string {
  return randomUUID().slice(0, 8);
}
