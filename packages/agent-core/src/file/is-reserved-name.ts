/** True if Windows takes a file name for a device, whatever its ending. */
export function isReservedName(name: string): boolean {
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:[. ]|$)/i.test(name.trim());
}
