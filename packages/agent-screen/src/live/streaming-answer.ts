import { Markdown } from '@robota-sdk/agent-tui';
import { indent } from '../items/classic-item.ts';
import { answerLead } from '../items/compact-item.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { Transcript } from './transcript.ts';

/** An answer while it is written: what cannot change any more goes into the scrollback, the rest is live. */
export class StreamingAnswer {
  readonly #markdown: Markdown;
  readonly #transcript: Transcript;
  #lead: ((columns: number) => readonly string[]) | undefined;

  constructor(look: AppStyle, transcript: Transcript) {
    const isCompact = transcript.format.view === 'compact';
    const form = isCompact ? { lead: answerLead(look) } : { indent };
    this.#markdown = new Markdown({ look, code: 'whole', ...form });
    this.#transcript = transcript;
    this.#lead = transcript.begin('answer');
  }

  append(text: string): void {
    this.#markdown.append(text);
  }

  /** The lines that are finished now, which are not handed out again. */
  takeFinished(columns: number): readonly string[] {
    const stable = this.#markdown.takeStable(columns);
    if (stable.length === 0) return [];
    const lead = this.#lead?.(columns) ?? [];
    this.#lead = undefined;
    return [...lead, ...stable];
  }

  /** The lines that may still change. */
  render(columns: number): readonly string[] {
    const lines = this.#markdown.render(columns);
    return lines.length === 0 ? [] : [...(this.#lead?.(columns) ?? []), ...lines];
  }

  /** Nothing more comes: the rest goes into the scrollback. */
  finish(): void {
    this.#markdown.finish();
    this.#transcript.commit((columns) => this.takeFinished(columns));
  }
}
