/** The imports of a module. */
export interface ModuleImports {
  /** Every text in it that could be a path to another file, however it is used. */
  readonly paths: readonly string[];
  /** Paths that it imports or requires. */
  readonly imported: readonly string[];
  /** Packages that it imports. */
  readonly packages: readonly string[];
  /** Imports that cannot be resolved statically, as written. */
  readonly unclear: readonly string[];
}

const paths = /(["'`])((?:\.{1,2}(?:\/[^"'`\n]*)?)|(?:\/|file:)[^"'`\n]+)\1/g;
const statements = /(?<![\w$.])(?:from|import)\s*(["'])((?:(?!\1)[^\n])+)\1/g;
const calls = /(?<![\w$])(?:import|require)\s*\(\s*(["'`])((?:(?!\1)[^\n])+)\1/g;
/** A call with anything but one whole text. */
const computed = /(?:(?<![\w$#.])|(?<=\bmodule\.))(?:import|require)\s*\((?!\s*""\s*[),])[^\n]{0,40}/g;
/** Also matches unterminated ones, to keep the search linear. */
const stringsAndComments =
  /"(?:\\.|[^"\\\n])*(?:"|\\?$|(?=\\?\n))|'(?:\\.|[^'\\\n])*(?:'|\\?$|(?=\\?\n))|`(?:\\[\s\S]|[^`\\])*(?:`|\\?$)|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g;

/**
 * Finds what a module loads. Paths are searched in the whole text, so that nothing can hide one; mere problems are not
 * reported in comments.
 */
export function moduleImports(text: string): ModuleImports {
  const code = text.replace(stringsAndComments, (all) => (isComment(all) ? ' ' : all));
  const found = [...code.matchAll(statements), ...code.matchAll(calls)];
  const names = found.map(([, , name = '']) => name);
  const isUnclear = (name: string) => /[\\#]|\$\{|^(?!node:|file:)[a-z]{2,}:/i.test(name);
  const blank = code.replace(stringsAndComments, (all) => (isPlain(all) ? '""' : all));
  const clear = names.filter((name) => !isUnclear(name));
  return {
    paths: [...text.matchAll(paths)].map(([, , path = '']) => path),
    imported: clear.filter(isPath),
    packages: clear.filter((name) => !isPath(name) && !name.startsWith('node:')),
    unclear: [...names.filter(isUnclear), ...[...blank.matchAll(computed)].map(([all]) => all.trim())],
  };
}

function isPath(name: string): boolean {
  return /^(?:\.{1,2}(?:\/|$)|\/|file:)/.test(name);
}

function isComment(text: string): boolean {
  return text.startsWith('//') || (text.startsWith('/*') && text.length > 3 && text.endsWith('*/'));
}

/** True for a text without computed parts. */
function isPlain(text: string): boolean {
  const isWhole = text.length > 1 && text.endsWith(text.charAt(0));
  return isComment(text) || (isWhole && (!text.startsWith('`') || !text.includes('${')));
}
