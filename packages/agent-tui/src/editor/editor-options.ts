import type { Look } from '../components/look.ts';
import type { Keybindings } from '../keys/keybindings.ts';
import type { AutocompleteProvider } from './autocomplete/autocomplete-provider.ts';
import type { HistoryEntry, InputHistory } from './input-history.ts';
import type { TextSpan } from './text/pasted-parts.ts';
import type { Token } from './text/token.ts';

/** What is known of a text that is sent. */
export interface SentParts {
  /** The parts of it that were pasted: more than one line, or shown by a token. */
  readonly pasted: readonly TextSpan[];
  /** The same text with the labels of what is no text, such as images. */
  readonly shown: string;
}

/** What an editor needs of its program. */
export interface EditorOptions {
  readonly keybindings: Keybindings;
  readonly look: Look;
  /** Takes a text that is sent. */
  readonly onSubmit: (text: string, parts: SentParts) => void;
  /** Something is to be painted. */
  readonly onChange?: () => void;
  /** Takes a text that waits for the end of the run. */
  readonly onFollowUp?: (text: string, parts: SentParts) => void;
  /** Whether there is a run to wait for; if not, the key of follow-ups begins a new line. */
  readonly canFollowUp?: () => boolean;
  /** Takes a text that is new in the history, to be stored. */
  readonly onRemember?: (entry: HistoryEntry) => void;
  /** Lets the text be written in another program; gives nothing if it is to stay as it was. */
  readonly onExternalEdit?: (text: string) => Promise<string | undefined>;
  /** Files were dropped: what stands for each in the text; nothing if the paths are to be pasted as text. */
  readonly onDrop?: (paths: readonly string[]) => readonly (Token | string)[] | undefined;
  readonly history?: InputHistory;
  readonly providers?: readonly AutocompleteProvider[];
}
