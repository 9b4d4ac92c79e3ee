import {
  type ContextItem,
  type EditPreview,
  type EditState,
  editReceipt,
  errorMessage,
  type InteractiveSession,
  type Pin,
  type RecallItem,
} from '@robota-sdk/agent-sdk/front-end';

/** Changes to the context that are marked, and not made before they are applied. */
export class ContextChanges {
  readonly #session: InteractiveSession;
  readonly #states = new Map<string, EditState>();
  /** Messages to pin or unpin. */
  readonly #pinned = new Map<string, boolean>();
  /** Pinned texts to take back, by the id of the pin. */
  readonly #unpinned = new Set<string>();
  readonly #recalled = new Map<string, RecallItem>();
  readonly #previews = new Map<string, EditPreview>();

  constructor(session: InteractiveSession) {
    this.#session = session;
  }

  get count(): number {
    return this.#states.size + this.#pinned.size + this.#unpinned.size + this.#recalled.size;
  }

  /** The state that an item is to get; undefined where it stays. */
  stateOf({ messageId = '' }: ContextItem): EditState | undefined {
    return this.#states.get(messageId);
  }

  /** True or false if a message is to be pinned or unpinned. */
  pinOf({ messageId = '' }: ContextItem): boolean | undefined {
    return this.#pinned.get(messageId);
  }

  isUnpinned({ id }: Pin): boolean {
    return this.#unpinned.has(id);
  }

  isRecalled({ messageId }: RecallItem): boolean {
    return this.#recalled.has(messageId);
  }

  /** Marks an item for a state, or unmarks it; returns why it cannot, if so. */
  mark(item: ContextItem, state: EditState): string | undefined {
    const { messageId, isPinned } = item;
    if (messageId === undefined) return 'Only single results and prompts can be changed.';
    const willBePinned = this.#pinned.get(messageId) ?? isPinned;
    if (state !== 'whole' && willBePinned) return 'It is pinned. Press p to unpin it first.';
    if (state === 'dropped' && !item.canDrop) return 'A prompt can be folded, not dropped.';
    if (state === 'whole' && item.state === 'whole') this.#states.delete(messageId);
    else if (state === item.state || this.#states.get(messageId) === state) this.#states.delete(messageId);
    else this.#states.set(messageId, state);
    return undefined;
  }

  /** Marks a message to be pinned or unpinned, or unmarks it. What is pinned is whole. */
  markPin(item: ContextItem): string | undefined {
    const { messageId, isPinned } = item;
    if (messageId === undefined) return 'Only single results and prompts can be pinned.';
    if (this.#pinned.delete(messageId)) return undefined;
    this.#pinned.set(messageId, !isPinned);
    if (isPinned) return undefined;
    this.#states.delete(messageId);
    if (item.state !== 'whole') this.#states.set(messageId, 'whole');
    return undefined;
  }

  markUnpin({ id }: Pin): void {
    if (!this.#unpinned.delete(id)) this.#unpinned.add(id);
  }

  markRecall(item: RecallItem): void {
    if (!this.#recalled.delete(item.messageId)) this.#recalled.set(item.messageId, item);
  }

  /** The effect of one change by itself. */
  previewOf(item: ContextItem): EditPreview | undefined {
    const state = this.stateOf(item);
    if (state === undefined || item.messageId === undefined) return undefined;
    return this.#previewOf(new Map([[item.messageId, state]]));
  }

  /** The effect of all changes together. */
  preview(): EditPreview {
    return this.#previewOf(this.#states);
  }

  /** A screen asks with every frame, and a preview reads the whole conversation. */
  #previewOf(states: ReadonlyMap<string, EditState>): EditPreview {
    const key = JSON.stringify([...states]);
    const preview = this.#previews.get(key) ?? this.#session.context.preview(states);
    this.#previews.set(key, preview);
    return preview;
  }

  /** Makes the changes; returns a line about them, or throws before the first one. */
  async apply(): Promise<string> {
    const { context, model } = this.#session;
    const preview = await context.edit(this.#states);
    const others = [
      ...(await this.#applyPins()),
      ...(this.#recalled.size > 0 ? [`recalled ${this.#recalled.size}`] : []),
    ];
    for (const item of this.#recalled.values())
      await context.recall(item).catch((thrown) => others.push(errorMessage(thrown)));
    const states = [...this.#states.values()];
    return editReceipt({ preview, states, window: model.contextWindow, others });
  }

  async #applyPins(): Promise<readonly string[]> {
    const { context } = this.#session;
    const gone = context.pins.filter(
      (pin) => this.#unpinned.has(pin.id) || this.#pinned.get(pin.messageId ?? '') === false,
    );
    for (const pin of gone) await context.unpin(context.pins.findIndex(({ id }) => id === pin.id) + 1);
    const added = [...this.#pinned].filter(([, isPinned]) => isPinned);
    for (const [messageId] of added) await context.pinMessage(messageId);
    return [
      ...(added.length > 0 ? [`pinned ${added.length}`] : []),
      ...(gone.length > 0 ? [`unpinned ${gone.length}`] : []),
    ];
  }
}
