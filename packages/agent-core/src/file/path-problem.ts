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
  | 'SymlinkLoop'
  | 'TooDeep';

/** True if Windows treats a file name as a device, whatever its extension. */
export function isReservedName(name: string): boolean {
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:[. ]|$)/i.test(name.trim());
}
