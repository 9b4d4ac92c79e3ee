import { decodeEscapes } from '../word/decode-escapes.ts';
import { unknownText } from '../word/shell-word.ts';

/** Syntax that a language needs to start a program, or to call a function by a computed name. */
interface Language {
  readonly starts: readonly RegExp[];
  /** Matches imports; each module not in `harmless` may start programs. */
  readonly modules?: RegExp;
  readonly harmless?: RegExp;
}

/** A pipe next to a quote, or at an end of a word: perl and ruby run such a file name as a command. */
const pipedName = /\| ?(?:["'\n]|$)|(?:["'\n]|^) ?\||-\||\|-/;
const calling = /(?<![a-z])(?:system|exec(?!ut)|spawn|fork|popen|eval|syscall)|shell|`/i;

const javascript: Language = {
  starts: [
    /child_process|cluster|worker|binding|dlopen|mainmodule|builtinmodule|execve|execa|shelljs|constructor|reflect|inspector|\$\s?`|\]\s?\(/i,
    /\b(?:module|vm|repl|wasi|eval\w*|function\s?\(\s?["'`]|globalThis|Bun|zx|with\s?\(|import\s?\(|process\.(?:get|main|emit|really))/,
    /\b(?:global|this|process|require|self)\s?[[,)=;]|\bFunction\b|\bDeno\s?\.?\s?(?:Command|run|dlopen|\[)/,
  ],
  modules:
    /\brequire\b\s?(?:\(\s?(["'`][^"'`]{0,200}["'`])?|(?=\S))|\b(?:from|import)\s?(["'][^"']{0,200}["'])/g,
  harmless:
    /^["'`](?:node:)?(?:assert|buffer|crypto|dns|events|fs|fs\/promises|http|https|net|os|path|perf_hooks|querystring|readline|stream|string_decoder|timers|timers\/promises|tls|tty|url|util|zlib|\.{1,2}\/[\w./-]{0,150}\.json)["'`]$/,
};
const python: Language = {
  starts: [
    calling,
    /subprocess|\bpty\b|compile\(|getattr|attrgetter|methodcaller|get_field|globals|locals|\bvars\b|modules|builtins|help\(|breakpoint|startfile|import_module|pickle|marshal/i,
    /__(?!name__|main__|file__|version__|doc__|len__|init__|str__|repr__)/,
  ],
  modules: /(?:^|[\s;:"'])(?:import|from)\s([\w.]{1,100}(?:\s?,\s?[\w.]{1,100}){0,20})/g,
  harmless:
    /^(?:abc|argparse|array|ast|base64|bisect|bs4|calendar|codecs|collections|configparser|copy|csv|dataclasses|datetime|decimal|difflib|email|enum|fractions|functools|glob|gzip|hashlib|heapq|hmac|html|http|io|itertools|json|locale|logging|lxml|math|numpy|os|pandas|pathlib|pprint|random|re|requests|secrets|shutil|sqlite3|statistics|string|struct|sys|tempfile|textwrap|time|toml|tomllib|traceback|typing|unicodedata|urllib|uuid|xml|yaml|zipfile|zlib|zoneinfo)(?:\.(?!os\b|sys\b)\w{1,40}){0,5}$/,
};
const perl: Language = {
  starts: [
    calling,
    pipedName,
    /qx|readpipe|\bopen3?|\bsysopen|\bglob\b|<\$|\bdo\b|require|CORE|&\s?[${]|->\s?\$|\*\s?\{|\bcan\b|sub\s?\{|(?:^|\n)-[A-Za-z0-9]{0,20}[Mm]/,
  ],
  modules: /\buse\s([\w:.]{1,100})/g,
  harmless: /^(?:strict|warnings|utf8|feature|v?[\d.]+|open|JSON::PP|List::Util|Data::Dumper|POSIX)$/,
};
const ruby: Language = {
  starts: [
    calling,
    pipedName,
    /%x|(?<!File\.)\bopen|\b(?:IO|PTY|send|load|Kernel|Process)\b|__|public_send|\bmethod|to_proc|to_sym|const_get|Fiddle|binding|(?:^|\n)-[A-Za-z0-9]{0,20}r/,
  ],
  modules: /\brequire\w{0,20}\s?\(?\s?(\S{1,100})/g,
  harmless: /^["'](?:json|yaml|csv|set|date|time|digest|pathname|erb|uri|net\/http|ostruct)["']\)?;?$/,
};
const php: Language = {
  starts: [
    calling,
    /passthru|proc_open|mail|call_user|\$\w{1,40}\s?\(|["'\])}]\s?\(|assert|create_function|include|require|reflection|callback|ob_start|register_|_handler|array_\w|u[ak]?sort|iterator_|ffi|\bdl\b|imap|expect|preg_replace_|closure/i,
  ],
};
const lua: Language = {
  starts: [/execute|popen|load|dofile|require|_G|_ENV|debug|package|ffi|\b(?:os|io)\s?[[,)=;]/],
};
const postgres: Language = {
  starts: [/\\|`|program|language|pager|(?:^|\n) ?\||lo_|copy|execute|shell/i],
};
const mysql: Language = {
  starts: [/\\|\b(?:system|pager|edit|source|tee|delimiter)\b|sys_|outfile|dumpfile|plugin|function/i],
};
const sqlite: Language = {
  starts: [/(?:^|\n) ?["']?\.|edit\s?\(|load_extension|writefile|(?:^|\n)-/i],
};

const languages: Readonly<Record<string, Language>> = {
  bun: javascript,
  deno: javascript,
  lua,
  luajit: lua,
  mariadb: mysql,
  mysql,
  node: javascript,
  nodejs: javascript,
  perl,
  php,
  psql: postgres,
  pypy: python,
  python,
  ruby,
  sqlite,
  tsx: javascript,
};
const longestCode = 40_000;

/**
 * True if code for a program, including its arguments and input, may start another program. Always true for unknown
 * languages.
 */
export function mayStartPrograms(by: string, texts: readonly string[]): boolean {
  const name = (by.split(/[\d.-]/, 1)[0] ?? '').toLowerCase();
  const language = Object.hasOwn(languages, name) ? languages[name] : undefined;
  if (language === undefined) return true;
  const code = texts.join('\n');
  if (code.length > longestCode || code.includes(unknownText)) return true;
  return readingsOf(code).some((reading) => startsIn(language, reading));
}

function startsIn({ starts, modules, harmless }: Language, code: string): boolean {
  if (starts.some((one) => one.test(code))) return true;
  if (modules === undefined) return false;
  return [...code.matchAll(modules)].some((match) =>
    (match.slice(1).find((one) => one !== undefined) ?? '')
      .split(',')
      .some((one) => harmless?.test(one.trim()) !== true),
  );
}

/** Code as written, with its escapes decoded, and with its strings joined. */
function readingsOf(code: string): string[] {
  const plain = code.normalize('NFKC').replaceAll(/[^\S\n]+/g, ' ');
  const decoded = decodeEscapes(plain).replaceAll('\\\n', '');
  const joined = decoded.replaceAll(/["'`]\s?(?:\.\.|[.+,])?\s?["'`]/g, '');
  return [...new Set([plain, decoded, joined])];
}
