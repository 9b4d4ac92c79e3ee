import {
  type ActionTable,
  type KeybindingOverrides,
  Keybindings,
  toolkitActions,
} from '@robota-sdk/agent-tui';

/** Every action that keys can be bound to, with its default keys. */
export const appActions = {
  ...toolkitActions,
  'app.interrupt': { keys: ['escape'], description: 'Interrupt' },
  'app.escape': { keys: ['escape'], description: 'Close a screen or end a mode' },
  'app.clear': { keys: ['ctrl+c'], description: 'Clear the editor; twice to exit' },
  'app.exit': { keys: ['ctrl+d'], description: 'Exit when the editor is empty' },
  'app.suspend': { keys: ['ctrl+z'], description: 'Suspend to the shell' },
  'app.background': { keys: ['ctrl+b'], description: 'Move running commands to the background' },
  'app.help': { keys: ['f1'], description: 'Show the keys' },
  'app.historyUp': { keys: ['up'], description: 'Earlier prompt' },
  'app.historyDown': { keys: ['down'], description: 'Later prompt' },
  'app.mode.cycle': { keys: ['shift+tab'], description: 'Next permission mode' },
  'app.thinking.cycle': { keys: ['alt+t'], description: 'Next level of thinking' },
  'app.thinking.toggle': { keys: ['ctrl+t'], description: 'Show or hide thinking' },
  'app.model.select': { keys: ['ctrl+l'], description: 'Choose the model' },
  'app.model.cycleForward': { keys: ['ctrl+p'], description: 'Next model' },
  'app.model.cycleBackward': { keys: ['ctrl+shift+p'], description: 'Previous model' },
  'app.tools.expand': { keys: ['ctrl+o'], description: 'History, with full tool output' },
  'app.editor.external': { keys: ['ctrl+g'], description: 'Write in the external editor' },
  'app.paste.view': { keys: ['alt+e'], description: 'View, expand or edit the pasted text at the cursor' },
  'app.message.followUp': { keys: ['alt+enter'], description: 'Queue for after the run' },
  'app.message.dequeue': { keys: ['alt+up'], description: 'Edit queued messages' },
  'app.message.copy': { keys: ['ctrl+x'], description: 'Copy the last answer' },
  'app.clipboard.pasteImage': { keys: ['ctrl+v'], description: 'Paste an image' },
  'app.compact.toggle': { keys: ['ctrl+shift+c'], description: 'Automatic compaction on or off' },
  'app.session.new': { keys: [], description: 'New session' },
  'app.session.tree': { keys: [], description: 'Tree of the session' },
  'app.session.fork': { keys: [], description: 'Fork the session' },
  'app.session.resume': { keys: [], description: 'Resume a session' },
  'app.session.togglePath': {
    keys: ['ctrl+p'],
    description: 'Show the paths of sessions',
    scope: 'sessions',
  },
  'app.session.toggleSort': {
    keys: ['ctrl+s'],
    description: 'Change the sort order of sessions',
    scope: 'sessions',
  },
  'app.session.toggleNamedFilter': {
    keys: ['ctrl+n'],
    description: 'Only sessions with a name',
    scope: 'sessions',
  },
  'app.session.rename': { keys: ['ctrl+r'], description: 'Rename the session', scope: 'sessions' },
  'app.session.delete': { keys: ['ctrl+d'], description: 'Delete the session', scope: 'sessions' },
  'app.session.deleteNoninvasive': {
    keys: [],
    description: 'Delete the session while searching',
    scope: 'sessions',
  },
  'app.tree.foldOrUp': { keys: ['ctrl+left'], description: 'Fold the branch, or go up', scope: 'tree' },
  'app.tree.unfoldOrDown': {
    keys: ['ctrl+right'],
    description: 'Unfold the branch, or go down',
    scope: 'tree',
  },
  'app.tree.editLabel': { keys: ['shift+l'], description: 'Label the entry', scope: 'tree' },
  'app.tree.toggleLabelTimestamp': {
    keys: ['shift+t'],
    description: 'Show the times of labels',
    scope: 'tree',
  },
} as const satisfies ActionTable<string>;

/** The id of an action of the program. */
export type AppAction = keyof typeof appActions;

/** The key bindings of the program. */
export type AppKeybindings = Keybindings<AppAction>;

/** Keys that differ from ours in the presets of the setting `keys`. */
export const keyPresets: Readonly<Record<'robota' | 'pi', KeybindingOverrides<AppAction>>> = {
  robota: {},
  pi: { 'app.thinking.cycle': ['shift+tab'], 'app.mode.cycle': ['alt+m'] },
};

/** The default key bindings, with the user's changes. */
export function createAppKeybindings(overrides: KeybindingOverrides<AppAction> = {}): AppKeybindings {
  return new Keybindings<AppAction>(appActions, overrides);
}
