import { type ApiKind, imageSize, type Message, type UserContent } from '@robota-sdk/agent-core';
import { repairMessages } from './repair.ts';

/** Base64 bytes per image that the strictest vendors accept. */
const largestImage: Readonly<Partial<Record<ApiKind, number>>> = { anthropic: 5 * 1024 * 1024 };
const largestImageElsewhere = 20 * 1024 * 1024;

/** Pixels that the strictest vendors accept. */
const longestSide = 8000;

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** The part of a conversation that later messages cannot change, as received and as it can be sent. */
interface Settled {
  /** Both grow in place: a copy with every request would be most of the garbage of a long session. */
  readonly input: Message[];
  readonly output: Message[];
  isSound: boolean;
}

/**
 * Checks a conversation before each request and repairs what vendors refuse. Only messages since the last answer are
 * checked while everything before is unchanged.
 */
export class SoundHistory {
  readonly #limit: number;
  readonly #onRepair: (notice: string) => void;
  readonly #checked = new WeakMap<Message, Message>();
  #settled: Settled = nothing();

  constructor(api: ApiKind, onRepair: (notice: string) => void = () => {}) {
    this.#limit = largestImage[api] ?? largestImageElsewhere;
    this.#onRepair = onRepair;
  }

  /** The conversation as it can be sent; the same array if it is valid. */
  repair(messages: readonly Message[]): readonly Message[] {
    if (!beginsWith(messages, this.#settled.input)) this.#settled = nothing();
    const { input, output, isSound } = this.#settled;
    const fresh = messages.slice(input.length);
    const repaired = this.#repairAll(fresh);
    const isAllSound = isSound && isSame(fresh, repaired);
    const sound = isAllSound ? messages : [...output, ...repaired];
    this.#settle({ fresh, repaired, isSound: isAllSound });
    return sound;
  }

  #repairAll(messages: readonly Message[]): readonly Message[] {
    const repaired: Message[] = [];
    for (const message of repairMessages(messages)) {
      const sound = this.#sound(message);
      if (sound.role !== 'user' || sound.content.length > 0) repaired.push(sound);
    }
    return repaired;
  }

  /** An answer closes everything before it: later results belong to its own calls. */
  #settle({ fresh, repaired, isSound }: Part): void {
    const answer = fresh.findLastIndex(({ role, content }) => role === 'assistant' && content.length > 0);
    if (answer <= 0) return;
    const settled = this.#settled;
    settled.input.push(...fresh.slice(0, answer));
    settled.output.push(...repaired.slice(0, repaired.lastIndexOf(fresh[answer] as Message)));
    settled.isSound = isSound;
  }

  #sound(message: Message): Message {
    if (message.role === 'assistant' || isPlain(message)) return message;
    const known = this.#checked.get(message);
    if (known) return known;
    const sound = this.#soundContent(message);
    this.#checked.set(message, sound);
    return sound;
  }

  #soundContent<M extends Exclude<Message, { role: 'assistant' }>>(message: M): M {
    let changed = false;
    const content = message.content.flatMap((block, index): UserContent[] => {
      if (block.type === 'text') {
        if (block.text !== '' || message.role === 'tool') return [block];
        changed = true;
        return [];
      }
      const problem = this.#imageProblem(block.data, block.mimeType);
      if (problem === undefined) return [block];
      changed = true;
      const file = fileBefore(message.content, index);
      const image = file === undefined ? 'An image' : `The image ${file}`;
      this.#onRepair(`${image} is not sent to the model: ${problem}.`);
      return [{ type: 'text', text: `[${image} was left out: ${problem}.]` }];
    });
    return changed ? { ...message, content } : message;
  }

  #imageProblem(data: string, mimeType: string): string | undefined {
    if (data === '') return 'it is empty';
    if (mimeType === 'application/pdf') {
      if (data.length > largestImageElsewhere) return `it has ${megabytes(data.length)}`;
      // `%PDF-` in Base64.
      return data.startsWith('JVBERi') ? undefined : 'its data is damaged';
    }
    if (data.length > this.#limit)
      return `it has ${megabytes(data.length)} and ${megabytes(this.#limit)} is the most`;
    if (!imageTypes.has(mimeType)) return `${mimeType} is not an image type that models read`;
    const size = /[^A-Za-z0-9+/=\s]/.test(data) ? undefined : imageSize(data, mimeType);
    if (!size) return 'its data is damaged';
    const isTooWide = Math.max(size.width, size.height) > longestSide;
    return isTooWide
      ? `it has ${size.width} × ${size.height} pixels and ${longestSide} a side are the most`
      : undefined;
  }
}

/** True for non-empty texts only: almost every message, so nothing is stored for them. */
function isPlain({ content }: Message): boolean {
  for (const block of content) if (block.type !== 'text' || block.text === '') return false;
  return true;
}

function nothing(): Settled {
  return { input: [], output: [], isSound: true };
}

/** The file named in the text before an image. */
function fileBefore(content: readonly UserContent[], index: number): string | undefined {
  const before = content[index - 1];
  return before?.type === 'text' ? /^@file:(.+)\n$/.exec(before.text)?.[1] : undefined;
}

interface Part {
  readonly fresh: readonly Message[];
  readonly repaired: readonly Message[];
  readonly isSound: boolean;
}

function isSame(left: readonly Message[], right: readonly Message[]): boolean {
  return left.length === right.length && beginsWith(left, right);
}

/** A loop, because it runs over the whole conversation before each request. */
function beginsWith(messages: readonly Message[], beginning: readonly Message[]): boolean {
  let same = 0;
  while (same < beginning.length && beginning[same] === messages[same]) same++;
  return same === beginning.length;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
