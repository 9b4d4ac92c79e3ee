import type { InteractiveSession, ThinkingLevel } from '@robota-sdk/agent-sdk';
import { Editor, type EditorOptions, type InputEvent, isPastedAt, type Token } from '@robota-sdk/agent-tui';

/** What the editor of the program has beside that of the toolkit. */
export interface AppEditorParts extends EditorOptions {
  session(): InteractiveSession | undefined;
  /** An image from the clipboard; nothing where there is none, which was told then. */
  pasteImage(): Promise<Token | undefined>;
}

type LevelToken = `thinking${Capitalize<ThinkingLevel>}`;

/** The editor that prompts are written in: its borders tell a command for the shell, or how much the model thinks. */
export class AppEditor extends Editor {
  readonly #parts: AppEditorParts;

  constructor(parts: AppEditorParts) {
    super(parts);
    this.#parts = parts;
    this.borderStyle = (text) => parts.look.paint(this.isShell ? 'bashMode' : this.#levelToken(), text);
  }

  /** Whether a command for the shell is being written. */
  get isShell(): boolean {
    const mark = /^(\s*)(?:!|@!)/.exec(this.state.buffer.line(0).slice(0, 100));
    return mark !== null && !isPastedAt(this.state, { line: 0, column: mark[1]?.length ?? 0 });
  }

  override handleInput(event: InputEvent): boolean {
    const { keybindings } = this.#parts;
    if (event.type !== 'key' || !keybindings.matches(event, 'app.clipboard.pasteImage'))
      return super.handleInput(event);
    void this.#pasteImage();
    return true;
  }

  async #pasteImage(): Promise<void> {
    const token = await this.#parts.pasteImage();
    if (token) this.insertToken(token);
  }

  #levelToken(): LevelToken | 'border' {
    const session = this.#parts.session();
    if (!session) return 'border';
    const { thinking } = session.getSession();
    return `thinking${thinking.charAt(0).toUpperCase()}${thinking.slice(1)}` as LevelToken;
  }
}
