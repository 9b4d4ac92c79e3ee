import { type KeyEvent, oneLine, renderKeyHints, truncateText, wrapText } from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';

/** A question in the last line; enter says yes, every other key no. */
interface LineQuestion {
  readonly text: string;
  /** The word for enter, such as `stop`. */
  readonly verb: string;
  onYes(): void;
}

const noteRows = 3;

/** A note or a question in the last lines of a panel, until the next key. */
export class LastLine {
  readonly #stage: Pick<Stage, 'look' | 'keys' | 'refresh'>;
  #note = '';
  #question: LineQuestion | undefined;

  constructor(stage: Pick<Stage, 'look' | 'keys' | 'refresh'>) {
    this.#stage = stage;
  }

  tell(text: string): void {
    this.#note = text;
    this.#stage.refresh();
  }

  ask(question: LineQuestion): void {
    this.#question = question;
    this.#stage.refresh();
  }

  /** Every key ends the note; true if the key also answered a question. */
  handleKey(event: KeyEvent): boolean {
    this.#note = '';
    const question = this.#question;
    this.#question = undefined;
    if (!question) return false;
    if (this.#stage.keys.matches(event, 'tui.select.confirm')) question.onYes();
    this.#stage.refresh();
    return true;
  }

  /** Undefined if there is neither. */
  render(width: number): readonly string[] | undefined {
    if (this.#note !== '') return wrapText(oneLine(this.#note), width).slice(0, noteRows);
    return this.#question && [this.#ask(this.#question, width)];
  }

  /** `Stop bash-1? enter stop · esc cancel`. */
  #ask({ text, verb }: LineQuestion, width: number): string {
    const { look } = this.#stage;
    const keys = [
      { keys: 'enter', text: verb },
      { keys: 'esc', text: 'cancel' },
    ];
    const line = `${look.paint('warning', text)} ${renderKeyHints(keys, width, look)}`;
    return truncateText(line, width, look.glyphs.ellipsis);
  }
}
