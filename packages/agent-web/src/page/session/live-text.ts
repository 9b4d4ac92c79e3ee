import { element, renderMarkdown } from '@robota-sdk/agent-export/page';
import type { LiveAnswer } from './live-answer.ts';

/**
 * The answer that is being written. Finished paragraphs are drawn once; only the last one is drawn again as it grows,
 * and each is announced when it is complete.
 */
export class LiveText {
  readonly root = element('div', { class: 'row live' });
  readonly #announcer: HTMLElement;
  readonly #finished = element('div');
  readonly #growing = element('div');
  readonly #thinking = element('p', { class: 'live-thinking' });
  readonly #outputs = element('div');
  readonly #note = element('p', { class: 'live-note' });
  #drawn = 0;
  #text = '';
  #last = '';
  #hasCaret = false;

  constructor(announcer: HTMLElement) {
    this.#announcer = announcer;
    this.root.append(this.#outputs, this.#thinking, this.#finished, this.#growing, this.#note);
  }

  show(live: LiveAnswer, isRunning: boolean): void {
    this.#showText(live, isRunning);
    this.#thinking.textContent = live.text === '' ? lastLine(live.thinking) : '';
    this.#outputs.replaceChildren(
      ...[...live.outputs.values()]
        .filter((output) => output.trim() !== '')
        .map((output) => element('pre', { class: 'live-output' }, lastLines(output))),
    );
    this.#note.textContent = live.note ?? '';
    this.root.hidden = !isRunning && live.text === '' && live.note === undefined;
  }

  #showText({ text, last }: LiveAnswer, isRunning: boolean): void {
    if (last !== this.#last) {
      // The answer is an entry now, and its last paragraph was not announced yet.
      const from = last.startsWith(this.#text) ? this.#drawn : 0;
      this.#announce(renderMarkdown(last.slice(from)));
      this.#last = last;
    }
    const isOther = !text.startsWith(this.#text);
    if (isOther) {
      this.#finished.replaceChildren();
      this.#drawn = 0;
    }
    const end = finishedLength(text, this.#drawn);
    if (end > this.#drawn) {
      const paragraph = text.slice(this.#drawn, end);
      const drawn = renderMarkdown(paragraph);
      this.#finished.append(drawn);
      this.#announce(drawn);
      this.#drawn = end;
    }
    const rest = text.slice(this.#drawn);
    if (isOther || rest !== this.#text.slice(this.#drawn) || isRunning !== this.#hasCaret) {
      const drawn = renderMarkdown(rest);
      if (isRunning) lastOf(drawn).append(element('span', { class: 'caret' }));
      this.#growing.replaceChildren(drawn);
    }
    this.#text = text;
    this.#hasCaret = isRunning;
  }

  /** The words as they are drawn, without the marks of Markdown. */
  #announce(paragraph: HTMLElement): void {
    if (paragraph.innerText !== '') this.#announcer.textContent = paragraph.innerText;
  }
}

/** The length of the text up to its last empty line outside of a block of code. */
function finishedLength(text: string, from: number): number {
  let end = from;
  let isCode = false;
  let position = from;
  for (const line of text.slice(from).split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    position += line.length + 1;
    if (line.trim() === '' && !isCode && position <= text.length) end = position;
  }
  return end;
}

/** The element that the caret follows. */
function lastOf(root: HTMLElement): HTMLElement {
  let last = root;
  for (let next = root.lastElementChild; next instanceof HTMLElement; next = next.lastElementChild) {
    if (!next.matches('p, ul, ol, li, blockquote, pre, h3, h4, h5, h6, div, code')) break;
    if (next.matches('code') && !next.parentElement?.matches('pre')) break;
    last = next;
  }
  return last;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-6).join('\n');
}
