import type { SessionHandle } from '../store/session-handle.ts';
/** As much of an open session as an export reads. */
export type ExportedSession = Pick<
  SessionHandle,
  | 'header'
  | 'name'
  | 'leafId'
  | 'labels'
  | 'problems'
  | 'foreignLines'
  | 'entries'
  | 'entry'
  | 'ids'
  | 'parentIdOf'
  | 'path'
  | 'pathIds'
  | 'backwards'
>;
