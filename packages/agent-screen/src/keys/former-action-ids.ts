import { type AppAction, appActions } from './app-actions.ts';

const otherNames: Readonly<Record<string, AppAction>> = {
  selectUp: 'tui.select.up',
  selectDown: 'tui.select.down',
  selectPageUp: 'tui.select.pageUp',
  selectPageDown: 'tui.select.pageDown',
  selectConfirm: 'tui.select.confirm',
  selectCancel: 'tui.select.cancel',
  cycleThinkingLevel: 'app.thinking.cycle',
  toggleThinking: 'app.thinking.toggle',
  cycleModelForward: 'app.model.cycleForward',
  cycleModelBackward: 'app.model.cycleBackward',
  selectModel: 'app.model.select',
  expandTools: 'app.tools.expand',
  externalEditor: 'app.editor.external',
  followUp: 'app.message.followUp',
  dequeue: 'app.message.dequeue',
  pasteImage: 'app.clipboard.pasteImage',
  newSession: 'app.session.new',
  tree: 'app.session.tree',
  fork: 'app.session.fork',
  resume: 'app.session.resume',
  toggleSessionPath: 'app.session.togglePath',
  toggleSessionSort: 'app.session.toggleSort',
  toggleSessionNamedFilter: 'app.session.toggleNamedFilter',
  renameSession: 'app.session.rename',
  deleteSession: 'app.session.delete',
  deleteSessionNoninvasive: 'app.session.deleteNoninvasive',
  treeFoldOrUp: 'app.tree.foldOrUp',
  treeUnfoldOrDown: 'app.tree.unfoldOrDown',
  treeEditLabel: 'app.tree.editLabel',
  treeToggleLabelTimestamp: 'app.tree.toggleLabelTimestamp',
};
/** Groups whose former ids were the part after the prefix. */
const shortened = ['tui.editor.', 'tui.input.', 'app.'];

/** The action that an id of an older file means. */
export function formerActionId(name: string): AppAction | undefined {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  return other ?? shortened.map((group) => group + name).find(isActionId);
}

function isActionId(name: string): name is AppAction {
  return Object.hasOwn(appActions, name);
}
