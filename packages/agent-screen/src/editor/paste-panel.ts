import { pluralize } from '@robota-sdk/agent-sdk/front-end';
import {
  expandPaste,
  filterEscapes,
  type InputEvent,
  type KeyEvent,
  type PasteMarker,
  pasteNearCaret,
  removePaste,
  renderKeyHints,
  replacePaste,
  wrapText,
} from '@robota-sdk/agent-tui';
import { renderScreenTitle } from '../bars/screen-title.ts';
import { Viewport } from '../pager/viewport.ts';
import type { Panel, Stage } from '../stage/stage.ts';
import type { AppEditor } from './app-editor.ts';

interface PastePanelOptions {
  readonly stage: Pick<Stage, 'look' | 'keys'>;
  readonly marker: PasteMarker;
  onExpand(): void;
  onEdit(): void;
  onRemove(): void;
  onClose(): void;
}

/** Longer lines are cut: the panel shows what a paste is, the draft has all of it. */
const shownLine = 4000;

/** A pasted text that is shown by a label in the draft: to read, expand, edit or remove it. */
class PastePanel implements Panel {
  rows = 16;
  readonly draft = 'kept';
  readonly #options: PastePanelOptions;
  readonly #lines: readonly string[];
  readonly #viewport: Viewport;
  #columns = 80;

  constructor(options: PastePanelOptions) {
    this.#options = options;
    const { text } = options.marker.token;
    this.#lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
    this.#viewport = new Viewport({
      count: this.#lines.length,
      linesOf: (index) =>
        wrapText(filterEscapes((this.#lines[index] ?? '').slice(0, shownLine)), this.#columns),
    });
  }

  cancel(): void {
    this.#options.onClose();
  }

  handleInput(event: InputEvent): boolean {
    if (event.type !== 'key' || event.action === 'release') return true;
    const { keys } = this.#options.stage;
    if (keys.matches(event, 'tui.select.cancel')) this.#options.onClose();
    else if (keys.matches(event, 'tui.select.confirm')) this.#options.onExpand();
    else if (keys.matches(event, 'app.editor.external')) this.#options.onEdit();
    else if (event.id === 'backspace' || event.id === 'delete') this.#options.onRemove();
    else return this.#scroll(event);
    return true;
  }

  render(width: number): readonly string[] {
    const { look } = this.#options.stage;
    this.#columns = width;
    const room = Math.max(1, this.rows - 2);
    this.#viewport.settle(room);
    const rows = this.#viewport.rows();
    const title = this.#options.marker.token.label;
    const first = (rows[0]?.item ?? 0) + 1;
    const last = (rows.at(-1)?.item ?? 0) + 1;
    const { length } = this.#lines;
    const isAll = first === 1 && last === length;
    const note = isAll ? pluralize(length, 'line') : `${first}-${last} of ${length}`;
    return [
      renderScreenTitle({ title, notes: [note] }, width, look),
      ...rows.map(({ text }) => look.paint('muted', text)),
      this.#hints(width, isAll),
    ];
  }

  #scroll(event: KeyEvent): boolean {
    const { keys } = this.#options.stage;
    const page = Math.max(1, this.#viewport.height - 1);
    return keys.run(event, {
      'tui.editor.cursorUp': () => this.#viewport.scroll(-1),
      'tui.editor.cursorDown': () => this.#viewport.scroll(1),
      'tui.editor.pageUp': () => this.#viewport.scroll(-page),
      'tui.editor.pageDown': () => this.#viewport.scroll(page),
      'tui.editor.cursorLineStart': () => this.#viewport.toStart(),
      'tui.editor.cursorLineEnd': () => this.#viewport.toEnd(),
    });
  }

  #hints(width: number, isAll: boolean): string {
    const { look, keys } = this.#options.stage;
    const external = keys.keysOf('app.editor.external')[0];
    const hints = [
      { keys: 'enter', text: 'expand' },
      ...(external === undefined ? [] : [{ keys: external, text: 'edit' }]),
      { keys: 'backspace', text: 'remove' },
      ...(isAll ? [] : [{ keys: 'pgup/pgdn', text: 'scroll' }]),
      { keys: 'esc', text: 'close' },
    ];
    return renderKeyHints(hints, width, look);
  }
}

/** Opens the pasted text at the caret, or the nearest one. */
export function openPastePanel(
  stage: Stage,
  editor: AppEditor,
  edit: (text: string) => Promise<string | undefined>,
): void {
  const marker = pasteNearCaret(editor.state);
  if (!marker) return stage.tell('No pasted text to view.');
  const { buffer } = editor.state;
  /** Changes the draft, unless it was changed meanwhile. */
  const change = (make: Parameters<AppEditor['change']>[0]) => {
    if (editor.state.buffer === buffer) editor.change(make);
  };
  const panel = new PastePanel({
    stage,
    marker,
    onExpand: () => {
      open.close();
      change((state) => expandPaste(state, marker));
      if (editor.state.buffer === buffer)
        stage.tell('A line is too long for the editor. Edit it in $EDITOR.');
    },
    onEdit: () => {
      open.close();
      void edit(marker.token.text).then((written) => {
        if (written === undefined) return;
        // Editors end the last line.
        const isEnded = marker.token.text.endsWith('\n');
        change((state) => replacePaste(state, marker, isEnded ? written : written.replace(/\n$/, '')));
      });
    },
    onRemove: () => {
      open.close();
      change((state) => removePaste(state, marker));
    },
    onClose: () => open.close(),
  });
  const open = stage.openPanel(panel);
}
