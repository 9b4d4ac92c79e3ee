import { type InputEvent, renderKeyHints, truncateText } from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { Panel } from '../stage/stage.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

/** A task as it is followed above the editor. */
export interface ForegroundTaskOptions {
  readonly look: AppStyle;
  readonly keys: AppKeybindings;
  /** Names the task: `bash-1 npm run dev`. */
  readonly title: string;
  /** How long it has been running. */
  time(): string;
  /** The output so far. */
  lines(width: number): readonly string[];
  /** Moves it back to the background. */
  onClose(): void;
}

/** Rows of output in sight. */
const shownRows = 8;

/** Follows a background task above the editor, which keeps all other keys. */
export class ForegroundTask implements Panel {
  rows = 24;
  readonly draft = 'typed';
  readonly #options: ForegroundTaskOptions;
  #forDraft: readonly InputEvent[] = [];

  constructor(options: ForegroundTaskOptions) {
    this.#options = options;
  }

  render(width: number): readonly string[] {
    const { look, title, keys } = this.#options;
    const { paint, glyphs } = look;
    const indent = '    ';
    const room = Math.max(1, width - indent.length);
    const output = this.#options.lines(room).slice(-Math.max(1, Math.min(shownRows, this.rows - 2)));
    const hint = { keys: keys.keysOf('app.background')[0] ?? 'esc', text: 'background' };
    const state = `${paint('warning', glyphs.running)} ${truncateText(title, Math.max(8, Math.floor(width / 2)), glyphs.ellipsis)}`;
    const tail = paint('dim', ` ${glyphs.separator} ${this.#options.time()} ${glyphs.separator} `);
    return [
      ...output.map((line) => indent + paint('muted', truncateText(line, room, glyphs.ellipsis))),
      truncateText(state + tail + renderKeyHints([hint], width, look), width, glyphs.ellipsis),
    ];
  }

  handleInput(event: InputEvent): boolean {
    this.#forDraft = [];
    const { keys, onClose } = this.#options;
    const isKey = event.type === 'key' && event.action !== 'release';
    if (isKey && keys.find(event, ['app.background', 'tui.select.cancel']) !== undefined) {
      onClose();
      return true;
    }
    this.#forDraft = [event];
    return false;
  }

  forDraft(): readonly InputEvent[] {
    return this.#forDraft;
  }

  cancel(): void {
    this.#options.onClose();
  }
}
