/** An action that keys can be bound to. */
export interface ActionDefinition {
  /** The default keys. */
  readonly keys: readonly string[];
  /** Shown in help. */
  readonly description: string;
  /** The part of the program that listens for it, the editor by default. Keys clash only within one scope. */
  readonly scope?: string;
}

/** A program's actions by id. */
export type ActionTable<Action extends string> = Readonly<Record<Action, ActionDefinition>>;

/** The actions of the toolkit's own components. A program spreads them into its table. */
export const toolkitActions = {
  'tui.editor.cursorUp': { keys: ['up'], description: 'Move up' },
  'tui.editor.cursorDown': { keys: ['down'], description: 'Move down' },
  'tui.editor.cursorLeft': { keys: ['left', 'ctrl+b'], description: 'Move left' },
  'tui.editor.cursorRight': { keys: ['right', 'ctrl+f'], description: 'Move right' },
  'tui.editor.cursorWordLeft': { keys: ['alt+left', 'ctrl+left', 'alt+b'], description: 'Move a word left' },
  'tui.editor.cursorWordRight': {
    keys: ['alt+right', 'ctrl+right', 'alt+f'],
    description: 'Move a word right',
  },
  'tui.editor.cursorLineStart': { keys: ['home', 'ctrl+a'], description: 'Move to the start of the line' },
  'tui.editor.cursorLineEnd': { keys: ['end', 'ctrl+e'], description: 'Move to the end of the line' },
  'tui.editor.jumpForward': { keys: ['ctrl+]'], description: 'Jump forward to a character' },
  'tui.editor.jumpBackward': { keys: ['ctrl+alt+]'], description: 'Jump backward to a character' },
  'tui.editor.pageUp': { keys: ['pageUp'], description: 'Move a page up' },
  'tui.editor.pageDown': { keys: ['pageDown'], description: 'Move a page down' },
  'tui.editor.deleteCharBackward': {
    keys: ['backspace', 'ctrl+h'],
    description: 'Delete the previous character',
  },
  'tui.editor.deleteCharForward': { keys: ['delete', 'ctrl+d'], description: 'Delete the next character' },
  'tui.editor.deleteWordBackward': {
    keys: ['ctrl+w', 'alt+backspace'],
    description: 'Delete the previous word',
  },
  'tui.editor.deleteWordForward': { keys: ['alt+d', 'alt+delete'], description: 'Delete the next word' },
  'tui.editor.deleteToLineStart': { keys: ['ctrl+u'], description: 'Delete to the start of the line' },
  'tui.editor.deleteToLineEnd': { keys: ['ctrl+k'], description: 'Delete to the end of the line' },
  'tui.editor.yank': { keys: ['ctrl+y'], description: 'Paste the last deletion' },
  'tui.editor.yankPop': { keys: ['alt+y'], description: 'Replace the pasted text by an earlier deletion' },
  'tui.editor.undo': { keys: ['ctrl+-'], description: 'Undo' },
  'tui.editor.redo': { keys: ['alt+-'], description: 'Redo' },
  'tui.editor.historySearch': { keys: ['ctrl+r'], description: 'Search the history' },
  'tui.input.newLine': { keys: ['shift+enter', 'ctrl+j'], description: 'Insert a line break' },
  'tui.input.submit': { keys: ['enter'], description: 'Send' },
  'tui.input.tab': { keys: ['tab'], description: 'Complete' },
  'tui.input.copy': { keys: ['ctrl+c'], description: 'Copy the selection' },
  'tui.select.up': { keys: ['up'], description: 'Select the previous item', scope: 'list' },
  'tui.select.down': { keys: ['down'], description: 'Select the next item', scope: 'list' },
  'tui.select.pageUp': { keys: ['pageUp'], description: 'Select a page up', scope: 'list' },
  'tui.select.pageDown': { keys: ['pageDown'], description: 'Select a page down', scope: 'list' },
  'tui.select.confirm': { keys: ['enter'], description: 'Choose the selected item', scope: 'list' },
  'tui.select.cancel': { keys: ['escape', 'ctrl+c'], description: 'Cancel', scope: 'list' },
} as const satisfies ActionTable<string>;

/** The id of an action of the toolkit. */
export type ToolkitAction = keyof typeof toolkitActions;
