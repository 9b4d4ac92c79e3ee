/** Why a path can't be used as asked. */
export type PathProblem =
  | 'InvalidPath'
  | 'IsDirectory'
  | 'NameTooLong'
  | 'NotADirectory'
  | 'NotARegularFile'
  | 'NotFound'
  | 'OutsideWorkspace'
  | 'Sandboxed'
  | 'SymlinkLoop';
