import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import type { Item } from '@robota-sdk/agent-sessions';
import type { Capabilities, Component, InputEvent, SubmittedText } from '@robota-sdk/agent-tui';
import type { ItemFormat } from '../items/item-view.ts';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { AppTheme } from '../theme/app-theme.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

/** Something with keys that is shown until it is closed: a question, a picker, a whole screen. */
export interface Panel extends Component {
  /** How many rows it may take; set before it is drawn. */
  rows: number;
  /** The editor stays in sight below the panel: keys still go to it, or it is only kept. */
  readonly draft?: 'typed' | 'kept' | undefined;
  /** Keys for the editor: the last one, and those that the panel took before without an effect. */
  forDraft?(): readonly InputEvent[];
  /** Keys went to something else until this time of `performance.now`; questions have it, to tell answers from those keys. */
  keysElsewhere?(until: number): void;
  /** The terminal went away, or the work that needed it was given up. */
  cancel?(): void;
}

/** A panel that is shown. */
export interface OpenPanel {
  close(): void;
}

/** The terminal UI as its parts see it. */
export interface Stage {
  readonly look: AppStyle;
  readonly keys: AppKeybindings;
  readonly capabilities: Capabilities;
  /** How conversations are shown; compact by default. */
  readonly format?: ItemFormat;
  /** The colours in use, where others can be chosen. */
  readonly theme?: AppTheme | undefined;
  /** There is none before it is opened, and another one after `/resume` or `/new`. */
  readonly session: InteractiveSession | undefined;
  /** Live items of the run that are not stored yet. */
  readonly pending?: readonly Item[];
  /** Shows a panel instead of the editor; the latest one has the keys. */
  openPanel(panel: Panel): OpenPanel;
  /** Shows a panel on the whole of the terminal's second screen; what is finished meanwhile waits. */
  openScreen(panel: Panel): OpenPanel;
  /** Something that is shown has changed. */
  refresh(): void;
  /** Puts something finished into the scrollback. */
  print(item: Item): void;
  /** Tells something that need not stay; the next one takes its place. */
  tell(text: string): void;
  /** Puts a text into the editor, to be changed and sent. */
  edit(text: string): void;
  /** Acts as if the user had entered a text; what counts as pasted names no files, agents or commands. */
  enter(text: string, parts?: SubmittedText): void;
  /** Copies a text by the terminal, and by a program for the clipboard; resolves to whether there was one. */
  copy(text: string): Promise<boolean>;
  /** Lends the terminal to another program. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>;
}
