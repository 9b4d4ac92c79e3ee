import { defineLanguage, type Language, type LanguageGrammar, multiline, quoted, raw } from './language.ts';

const slashComments: LanguageGrammar = { lineComments: ['//'], blockComments: [['/*', '*/']] };
const cLike: LanguageGrammar = {
  ...slashComments,
  strings: [quoted('"'), quoted("'")],
  hasCapitalTypes: true,
};
const markup: LanguageGrammar = {
  kind: 'markup',
  blockComments: [['<!--', '-->']],
  strings: [multiline('"'), multiline("'")],
};
const hashComments: LanguageGrammar = { lineComments: ['#'], strings: [quoted('"'), quoted("'")] };

const descriptions: Readonly<Record<string, LanguageGrammar>> = {
  javascript: {
    ...cLike,
    keywords:
      'abstract accessor as asserts async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let namespace new of override private protected public readonly return satisfies set static super switch this throw try type typeof using var void while with yield',
    types: 'any bigint boolean never number object string symbol unknown',
    literals: 'true false null undefined NaN Infinity',
    strings: [quoted('"'), quoted("'"), multiline('`')],
    directive: /@[\w.]+/y,
  },
  json: {
    ...slashComments,
    strings: [quoted('"')],
    literals: 'true false null',
    key: /\s*"(?:[^"\\]|\\.)*"(?=\s*:)/y,
  },
  python: {
    ...hashComments,
    keywords:
      'and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield self',
    types: 'bool bytes dict float int list object set str tuple',
    literals: 'True False None',
    strings: [multiline('"""'), multiline("'''"), quoted('"'), quoted("'")],
    hasCapitalTypes: true,
    directive: /@[\w.]+/y,
  },
  java: {
    ...cLike,
    keywords:
      'abstract assert break case catch class continue default do else enum extends final finally for if implements import instanceof interface native new package permits private protected public record return sealed static super switch synchronized this throw throws transient try var volatile while yield',
    types: 'boolean byte char double float int long short void',
    literals: 'true false null',
    strings: [multiline('"""'), quoted('"'), quoted("'")],
    directive: /@[\w.]+/y,
  },
  kotlin: {
    ...cLike,
    keywords:
      'as break by catch class companion const constructor continue data do else enum finally for fun if import in init inline interface internal is lateinit object open override package private protected public return sealed super suspend this throw try typealias val var when where while',
    literals: 'true false null',
    strings: [multiline('"""'), quoted('"'), quoted("'")],
    directive: /@[\w.]+/y,
  },
  swift: {
    ...cLike,
    keywords:
      'actor any as associatedtype async await break case catch class continue default defer do else enum extension fileprivate for func guard if import in init inout internal is let mutating open override private protocol public repeat return self some static struct super switch throw throws try typealias var where while',
    literals: 'true false nil',
    strings: [multiline('"""'), quoted('"')],
    directive: /[@#]\w+/y,
  },
  c: {
    ...cLike,
    keywords:
      'alignas auto break case catch class concept const consteval constexpr continue co_await co_return co_yield decltype default delete do else enum explicit export extern final for friend goto if inline mutable namespace new noexcept operator override private protected public register requires return sizeof static struct switch template this throw try typedef typename union using virtual volatile while',
    types:
      'bool char double float int long short signed unsigned void size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t',
    literals: 'true false nullptr NULL',
    directive: /#\s*\w+/y,
  },
  csharp: {
    ...cLike,
    keywords:
      'abstract as async await base break case catch class const continue default delegate do else enum event explicit extern finally fixed for foreach get if implicit in init interface internal is lock namespace new operator out override params partial private protected public readonly record ref return sealed set static struct switch this throw try typeof using var virtual when where while with yield',
    types:
      'bool byte char decimal double dynamic float int long object sbyte short string uint ulong ushort void',
    literals: 'true false null',
    directive: /#\w+/y,
  },
  go: {
    ...cLike,
    keywords:
      'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var',
    types:
      'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr',
    literals: 'true false nil iota',
    strings: [quoted('"'), quoted("'"), raw('`')],
  },
  rust: {
    ...cLike,
    keywords:
      'as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return self static struct super trait type union unsafe use where while',
    types: 'bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self',
    literals: 'true false',
    // A single quote opens a lifetime as often as a character.
    strings: [raw('r#"', '"#'), multiline('"')],
    directive: /#!?\[[^\]]*\]|\w+!/y,
  },
  php: {
    ...cLike,
    lineComments: ['//', '#'],
    keywords:
      'abstract and array as break case catch class clone const continue declare default do echo else elseif enum extends final finally fn for foreach function global if implements include instanceof interface match namespace new or print private protected public readonly require require_once return static switch throw trait try use var while xor yield',
    types: 'bool float int iterable mixed object string void',
    literals: 'true false null',
    variable: /\$\w+/y,
    directive: /<\?php|\?>/y,
  },
  ruby: {
    ...hashComments,
    keywords:
      'alias and begin break case class def defined do else elsif end ensure for if in module next not or redo rescue retry return self super then undef unless until when while yield require attr_reader attr_accessor',
    literals: 'true false nil',
    hasCapitalTypes: true,
    variable: /[@$]+\w+|:\w+/y,
  },
  shell: {
    lineComments: ['#'],
    keywords:
      'if then else elif fi case esac for select while until do done in function time return exit export local readonly declare unset source alias set shift trap eval exec',
    strings: [multiline('"'), raw("'")],
    variable: /\$(?:\{[^}]*\}|\w+|[@*#?$!-])|(?<!\S)--?[A-Za-z][\w-]*/y,
  },
  sql: {
    lineComments: ['--'],
    blockComments: [['/*', '*/']],
    keywords:
      'add all alter and as asc begin between by case check column commit constraint create cross database default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not offset on or order outer primary references returning right rollback select set table then transaction union unique update using values view when where with',
    types:
      'bigint boolean char date decimal float int integer json jsonb numeric real serial text time timestamp uuid varchar',
    literals: 'true false null',
    strings: [raw("'"), quoted('"')],
    isCaseIgnored: true,
  },
  css: {
    ...slashComments,
    strings: [quoted('"'), quoted("'")],
    key: /\s+[\w-]+(?=\s*:)/y,
    variable: /--[\w-]+|\$[\w-]+/y,
    directive: /@[\w-]+|#[\da-fA-F]{3,8}\b|![a-z]+/y,
  },
  yaml: {
    ...hashComments,
    literals: 'true false null yes no on off',
    key: /[\s-]*(?:"[^"]*"|'[^']*'|[\w./$][\w./$-]*)(?=\s*:(?:\s|$))/y,
    variable: /[&*][\w-]+/y,
  },
  toml: {
    lineComments: ['#', ';'],
    strings: [multiline('"""'), raw("'''"), quoted('"'), quoted("'")],
    literals: 'true false',
    key: /\s*[\w.-]+(?=\s*=)/y,
    directive: /\[\[?[^\]]*\]\]?/y,
  },
  dockerfile: {
    ...hashComments,
    keywords:
      'from as run cmd label expose env add copy entrypoint volume user workdir arg onbuild stopsignal healthcheck shell',
    isCaseIgnored: true,
    variable: /\$(?:\{[^}]*\}|\w+)/y,
  },
  makefile: {
    ...hashComments,
    keywords: 'ifeq ifneq ifdef ifndef else endif include define endef export override',
    key: /[\w./%-]+(?=\s*:(?!=))/y,
    variable: /\$(?:\([^)]*\)|\{[^}]*\}|.)/y,
  },
  lua: {
    lineComments: ['--'],
    blockComments: [['--[[', ']]']],
    keywords:
      'and break do else elseif end for function goto if in local not or repeat return then until while',
    literals: 'true false nil',
    strings: [quoted('"'), quoted("'"), raw('[[', ']]')],
  },
  html: markup,
  diff: { kind: 'diff' },
};

/** Other names of a language, in words. */
const otherNames: Readonly<Record<string, string>> = {
  javascript: 'js jsx mjs cjs ts tsx typescript',
  json: 'jsonc json5 jsonl',
  python: 'py python3',
  kotlin: 'kt kts',
  c: 'h cpp c++ cc hpp objc',
  csharp: 'cs c#',
  go: 'golang',
  rust: 'rs',
  ruby: 'rb',
  shell: 'sh bash zsh fish console ksh',
  css: 'scss less sass',
  yaml: 'yml',
  toml: 'ini conf properties',
  dockerfile: 'docker',
  makefile: 'make mk',
  html: 'xml svg vue svelte xhtml',
  diff: 'patch',
  sql: 'postgresql mysql sqlite',
};
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries(otherNames).flatMap(([name, words]) =>
    words.split(' ').map((word) => [word, name] as const),
  ),
);

const known = new Map<string, Language>();

/** The language of a code block by the name after its fence; undefined if unknown. */
export function findLanguage(name: string): Language | undefined {
  const lower = name.toLowerCase();
  const id = aliases.get(lower) ?? lower;
  if (!Object.hasOwn(descriptions, id)) return undefined;
  const found = known.get(id) ?? defineLanguage(descriptions[id] ?? {});
  known.set(id, found);
  return found;
}

/** The language of a file by its name. */
export function languageOfPath(path: string): Language | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return findLanguage(name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name);
}
