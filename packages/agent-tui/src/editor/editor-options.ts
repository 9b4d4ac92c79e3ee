import type { RenderStyle } from '../components/render-style.ts';
import type { KeyEvent } from '../keys/key-event.ts';
import type { Keybindings } from '../keys/keybindings.ts';
import type { AutocompleteProvider } from './autocomplete/autocomplete-provider.ts';
import type { Editor } from './editor.ts';
import type { HistoryEntry, InputHistory } from './input-history.ts';
import type { TextSpan } from './text/pasted-parts.ts';
import type { Token } from './text/token.ts';

/** Details of a submitted text. */
export interface SubmittedText {
  /** The pasted ranges: more than one line, or shown as a token. */
  readonly pasted: readonly TextSpan[];
  /** The text with labels in place of images and other non-text. */
  readonly shown: string;
}

/** Receives a submitted text. */
export type SubmitListener = (text: string, details: SubmittedText) => void;

/** Options of an {@link Editor}. */
export interface EditorOptions {
  readonly keybindings: Keybindings;
  readonly look: RenderStyle;
  readonly onSubmit: SubmitListener;
  /** Called when the editor must be painted again. */
  readonly onChange?: () => void;
  /** Handles keys of the program, after those that move the cursor and before those that edit; true if it used the key. */
  readonly onKey?: (event: KeyEvent, editor: Editor) => boolean;
  /**
   * True if a key that closes the suggestions also has a meaning outside of them, such as clearing the
   * editor.
   */
  readonly isPassedOn?: (event: KeyEvent) => boolean;
  /** Called with each text that is new in the history, to store it. */
  readonly onRemember?: (entry: HistoryEntry) => void;
  /** Called with dropped files. Returns what to insert for each; undefined pastes the paths as text. */
  readonly onDrop?: (paths: readonly string[]) => readonly (Token | string)[] | undefined;
  readonly history?: InputHistory;
  readonly providers?: readonly AutocompleteProvider[];
}
