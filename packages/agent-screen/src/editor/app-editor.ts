import {
  type InteractiveSession,
  isCommandText,
  parseInput,
  type ThinkingLevel,
} from '@robota-sdk/agent-sdk/front-end';
import {
  Editor,
  type EditorOptions,
  type InputEvent,
  isInertPaste,
  isPastedAt,
  type Token,
} from '@robota-sdk/agent-tui';
import { modeColours, shownThinking } from '../bars/render-footer.ts';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

/** Options of the prompt editor besides those of the toolkit. */
export interface AppEditorOptions extends EditorOptions {
  readonly keybindings: AppKeybindings;
  readonly look: AppStyle;
  session(): InteractiveSession | undefined;
  /** Called with a pasted text that is shown by its label. */
  onLongPaste?(token: Token): void;
  /** Reads an image from the clipboard; undefined if there is none, after telling the user. */
  pasteImage(): Promise<Token | undefined>;
}

/** Understood by every model, the offline one included. */
const firstHints = ['"explain this project"', '"run the tests"'];
const laterHint = 'Ask for a change, or / for commands';
/** From this width on there is room for two suggestions. */
const wideColumns = 60;

type LevelToken = `thinking${Capitalize<ThinkingLevel>}`;

/** The prompt editor. Its border colour shows shell commands, the permission mode and the thinking level. */
export class AppEditor extends Editor {
  readonly #options: AppEditorOptions;
  /** True until something was entered: the empty editor suggests a first prompt. */
  isFirst = true;

  constructor(options: AppEditorOptions) {
    super(options);
    this.#options = options;
    this.prompt = '> ';
    this.borderStyle = (text) => options.look.paint(this.isShell ? 'bashMode' : this.#borderToken(), text);
  }

  /** True if the text is a shell command. */
  get isShell(): boolean {
    const line = this.state.buffer.line(0).slice(0, 100);
    // Painting must not look for files, so every slash counts as a command.
    if (parseInput(line, () => true).kind !== 'shell') return false;
    return !isPastedAt(this.state, { line: 0, column: line.search(/\S/) });
  }

  /** Puts a former message before the text; one of several lines does not become a command. */
  prependMessage(text: string): void {
    const start = text.search(/\S/);
    const isMarked = isCommandText(text) && isInertPaste(text);
    this.prepend(text, isMarked ? [{ start, end: start + 1 }] : []);
  }

  override render(columns: number): readonly string[] {
    const first = columns < wideColumns ? firstHints.slice(0, 1) : firstHints;
    this.placeholder = this.isFirst ? `Try ${first.join(' or ')}` : laterHint;
    return super.render(columns);
  }

  override handleInput(event: InputEvent): boolean {
    const { keybindings } = this.#options;
    if (event.type === 'paste') return this.#takePaste(event);
    if (event.type !== 'key' || !keybindings.matches(event, 'app.clipboard.pasteImage'))
      return super.handleInput(event);
    void this.#pasteImage();
    return true;
  }

  #takePaste(event: InputEvent): boolean {
    const known = this.state.tokens.length;
    const isTaken = super.handleInput(event);
    const token = this.state.tokens.slice(known).find(({ kind }) => kind === 'paste');
    if (token) this.#options.onLongPaste?.(token);
    return isTaken;
  }

  async #pasteImage(): Promise<void> {
    const token = await this.#options.pasteImage();
    if (token) this.insertToken(token);
  }

  /** A mode other than the default colours the borders, else the level of thinking. */
  #borderToken() {
    const session = this.#options.session();
    if (!session) return 'border';
    const { mode } = session.permissions;
    if (mode !== 'default') return modeColours[mode];
    const thinking = shownThinking(session);
    return `thinking${thinking.charAt(0).toUpperCase()}${thinking.slice(1)}` as LevelToken;
  }
}
