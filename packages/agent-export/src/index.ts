export { HistoryFile, type HistoryFileOptions } from './projection/history-file.ts';
export { TodosFile, type TodosFileOptions, todosOn } from './projection/todos-file.ts';
export { viewEntry } from './view/build-view.ts';
export { callTitle } from './view/call-title.ts';
export { exportSession } from './view/export-session.ts';
export { exportTarget } from './view/export-target.ts';
export { redactKeepingImages } from './view/redact-keeping-images.ts';
export { renderTree, showsUnicode, type TreeRow, treeRows } from './view/render-tree.ts';
export type {
  AnswerBlock,
  AnswerView,
  CallBlock,
  PlainBlock,
  ResultView,
  SessionHead,
  SessionView,
  ViewEntry,
} from './view/session-view.ts';
export { writeExport } from './view/write-export.ts';
