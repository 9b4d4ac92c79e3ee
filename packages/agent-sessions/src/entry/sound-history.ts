import type { ApiKind, Message, UserContent } from '@robota-sdk/agent-core';
import { repairMessages } from './repair.ts';

/** Bytes of base64 that the strictest vendors take for one image. */
const largestImage: Readonly<Partial<Record<ApiKind, number>>> = { anthropic: 5 * 1024 * 1024 };
const largestImageElsewhere = 20 * 1024 * 1024;

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/**
 * Checks a conversation before each request and repairs what vendors refuse. A message is looked into once; after that
 * only the order of calls and results is compared.
 */
export class SoundHistory {
  readonly #limit: number;
  readonly #onRepair: (notice: string) => void;
  readonly #checked = new WeakMap<Message, Message>();

  constructor(api: ApiKind, onRepair: (notice: string) => void = () => {}) {
    this.#limit = largestImage[api] ?? largestImageElsewhere;
    this.#onRepair = onRepair;
  }

  /** The conversation as it can be sent; the very same array if nothing is wrong with it. */
  repair(messages: readonly Message[]): readonly Message[] {
    const sound = repairMessages(messages).map((message) => this.#sound(message));
    const sendable = sound.filter(({ role, content }) => role !== 'user' || content.length > 0);
    const isSame =
      sendable.length === messages.length && sendable.every((each, index) => each === messages[index]);
    return isSame ? messages : sendable;
  }

  #sound(message: Message): Message {
    if (message.role === 'assistant') return message;
    const known = this.#checked.get(message);
    if (known) return known;
    const sound = this.#soundContent(message);
    this.#checked.set(message, sound);
    return sound;
  }

  #soundContent<M extends Exclude<Message, { role: 'assistant' }>>(message: M): M {
    let changed = false;
    const content = message.content.flatMap((block): UserContent[] => {
      if (block.type === 'text') {
        if (block.text !== '' || message.role === 'tool') return [block];
        changed = true;
        return [];
      }
      const problem = this.#imageProblem(block.data, block.mimeType);
      if (problem === undefined) return [block];
      changed = true;
      this.#onRepair(`An image is not sent to the model: ${problem}.`);
      return [{ type: 'text', text: `[An image was left out: ${problem}.]` }];
    });
    return changed ? { ...message, content } : message;
  }

  #imageProblem(data: string, mimeType: string): string | undefined {
    if (data === '') return 'it is empty';
    if (data.length > this.#limit)
      return `it has ${megabytes(data.length)} and ${megabytes(this.#limit)} is the most`;
    if (!imageTypes.has(mimeType)) return `${mimeType} is no kind of image that models read`;
    return /[^A-Za-z0-9+/=\s]/.test(data) ? 'its data is damaged' : undefined;
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
