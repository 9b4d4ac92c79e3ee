import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { TypedAhead } from '@robota-sdk/agent-tui';
import { PasteSplitter } from './paste-splitter.ts';
import { encodePaste, encodePastedText, encodeTyped } from './pasted-text.ts';

export interface LineInputEvents {
  /** A pasted text, as the line editor may have it. */
  onPaste(text: string): void;
  /** The terminal is gone. */
  onHangUp(): void;
}

/** More than these are put into the line at once: the editor draws after each key. */
const maxKeys = 1000;

/**
 * The terminal's input for a line editor. Pasted lines do not end the line, and a terminal that is gone is never touched
 * again, which would crash the process before anything is kept.
 */
export class LineInput extends Readable {
  readonly isTTY = true;
  readonly #events: LineInputEvents;
  readonly #decoder = new StringDecoder('utf8');
  readonly #splitter = new PasteSplitter();
  readonly #typedAhead = new TypedAhead();
  #isGone = false;
  #marksPastes = false;

  constructor(events: LineInputEvents) {
    super({ encoding: 'utf8' });
    this.#events = events;
    process.stdin.on('data', this.#take);
    for (const event of ['end', 'error', 'close']) process.stdin.on(event, this.#hangUp);
    process.on('exit', this.#stopMarking);
  }

  override _read(): void {
    process.stdin.resume();
  }

  /** As the line editor asks for it: keys one by one, and pasted text between marks where the terminal can. */
  setRawMode(isRaw: boolean): this {
    if (this.#isGone) return this;
    process.stdin.setRawMode(isRaw);
    if (isRaw) this.#typedAhead.begin();
    if (!isRaw) this.#stopMarking();
    else if (process.stdout.isTTY && canMarkPastes()) {
      this.#marksPastes = true;
      process.stdout.write('\u001b[?2004h');
    }
    return this;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stopMarking();
    process.off('exit', this.#stopMarking);
    process.stdin.off('data', this.#take);
    for (const event of ['end', 'close']) process.stdin.off(event, this.#hangUp);
    if (!this.#isGone) process.stdin.pause();
    done(error);
  }

  readonly #take = (bytes: Buffer): void => {
    for (const { kind, text } of this.#splitter.push(this.#decoder.write(this.#typedAhead.restore(bytes)))) {
      if (kind === 'keys') this.push(encodeTyped(text));
      else if (text.includes('\n')) this.#events.onPaste(encodePaste(text));
      else if (text.length > maxKeys) this.#events.onPaste(encodePastedText(text));
      else if (text !== '') this.push(encodePastedText(text));
    }
  };

  /** Keys come one by one, so Ctrl+D does not end the input: only a terminal that went away does. */
  readonly #hangUp = (): void => {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#events.onHangUp();
  };

  readonly #stopMarking = (): void => {
    if (!this.#marksPastes || this.#isGone) return;
    this.#marksPastes = false;
    process.stdout.write('\u001b[?2004l');
  };
}

function canMarkPastes(): boolean {
  const { TERM = 'dumb' } = process.env;
  return TERM !== 'dumb' && TERM !== 'linux' && TERM !== 'unknown';
}
