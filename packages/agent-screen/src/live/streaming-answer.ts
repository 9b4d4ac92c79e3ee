import { Markdown } from '@robota-sdk/agent-tui';
import { indent } from '../items/render-item.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { Transcript } from './transcript.ts';

/** An answer while it is written: what cannot change any more goes into the scrollback, the rest is live. */
export class StreamingAnswer {
  readonly #markdown: Markdown;
  readonly #transcript: Transcript;
  #lead: ((columns: number) => readonly string[]) | undefined;

  constructor(look: AppStyle, transcript: Transcript) {
    this.#markdown = new Markdown({ look });
    this.#transcript = transcript;
    this.#lead = transcript.begin('answer');
  }

  append(text: string): void {
    this.#markdown.append(text);
  }

  /** The lines that are finished now, which are not handed out again. */
  takeFinished(columns: number): readonly string[] {
    const stable = this.#markdown.takeStable(roomIn(columns)).map(indented);
    if (stable.length === 0) return [];
    const lead = this.#lead?.(columns) ?? [];
    this.#lead = undefined;
    return [...lead, ...stable];
  }

  /** The lines that may still change. */
  render(columns: number): readonly string[] {
    const lines = this.#markdown.render(roomIn(columns)).map(indented);
    return lines.length === 0 ? [] : [...(this.#lead?.(columns) ?? []), ...lines];
  }

  /** Nothing more comes: the rest goes into the scrollback. */
  finish(): void {
    this.#markdown.finish();
    this.#transcript.commit((columns) => this.takeFinished(columns));
  }
}

function roomIn(columns: number): number {
  return Math.max(1, columns - indent.length);
}

function indented(line: string): string {
  return line === '' ? '' : indent + line;
}
