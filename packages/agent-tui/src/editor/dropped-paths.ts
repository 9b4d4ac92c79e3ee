const fileAddress = /^file:\/\//i;
const pathLike = /^(?:\/|~\/|[a-z]:\\|\\\\)/i;

/**
 * The paths that a terminal pastes when files are dropped on it: quoted, with escaped blanks, or as `file:` addresses.
 * Nothing if the text is not made of whole paths only.
 */
export function droppedPaths(text: string): readonly string[] | undefined {
  const written = text.trim();
  if (written === '' || written.length > 8192 || written.includes('\n\n')) return undefined;
  const words = splitWords(written);
  if (!words || words.length === 0) return undefined;
  const paths = words.map(pathOf);
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

function pathOf(word: string): string | undefined {
  if (fileAddress.test(word)) return pathOfAddress(word);
  const isDeep = word.length > 2 && !word.startsWith('//');
  return pathLike.test(word) && isDeep ? word : undefined;
}

function pathOfAddress(address: string): string | undefined {
  try {
    const { pathname } = new URL(address);
    const path = decodeURIComponent(pathname);
    return /^\/[a-z]:\//i.test(path) ? path.slice(1) : path;
  } catch {
    return undefined;
  }
}

/** Splits like a shell: quotes hold a word together, a backslash keeps the next blank. */
function splitWords(text: string): string[] | undefined {
  const isWindows = /^['"]?(?:[a-z]:\\|\\\\)/i.test(text);
  const word = isWindows
    ? /"([^"\n]*)"|'([^'\n]*)'|([^\s"']+)/gy
    : /"([^"\n]*)"|'([^'\n]*)'|((?:\\[^\n]|[^\s"'\\])+)/gy;
  const words: string[] = [];
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (!found) return undefined;
    const bare = found[3] ?? '';
    words.push(found[1] ?? found[2] ?? (isWindows ? bare : bare.replace(/\\(.)/g, '$1')));
    const gap = /\s*/y;
    gap.lastIndex = word.lastIndex;
    const blanks = gap.exec(text)?.[0].length ?? 0;
    if (blanks === 0 && word.lastIndex < text.length) return undefined;
    word.lastIndex += blanks;
  }
  return words;
}
