import type { Assignment, ParameterExpansionPart, Redirection, SyntaxNode, Word } from 'unbash';
import type { SimpleCommand } from './shell-script.ts';
import { assumedName, hasGlob, literalOf, markedText, type ShellWord, wordsFrom } from './shell-word.ts';

/**
 * Text that bash expands or evaluates again after it removed the quotes: subscripts, arithmetic, substring offsets, the
 * word of `>&`, descriptor variables, and variable names passed to builtins. Quotes do not protect it, so
 * `${PWD:'$(id)'}` runs `id`.
 */
export interface EvaluatedText {
  /** Child nodes whose text is evaluated again. */
  readonly nodes: readonly SyntaxNode[];
  /** The name of a construct that only a rule for the whole command allows. */
  readonly construct?: string;
}

const arithmeticTests: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v', '-R']);
/** Variables whose value bash itself expands or evaluates. */
const evaluatedVariables =
  /^(?:BASH_ENV|ENV|HISTCMD|LINENO|OPTIND|PROMPT_COMMAND|PS[0-4]|RANDOM|SECONDS|SRANDOM)$/;
/** Variables that contain text of the line itself, such as the last argument of the previous command. */
const lineVariables = /^\$?(?:_|BASH_COMMAND|BASH_EXECUTION_STRING)$/;
/** Builtins whose arguments may be names with a subscript, or texts that are evaluated. */
const evaluatingBuiltins: ReadonlySet<string> = new Set(
  (
    'bind compgen complete compopt declare export getopts let local mapfile read readarray readonly typeset ' +
    'unset wait'
  ).split(' '),
);
const declaring: ReadonlySet<string> = new Set(['declare', 'export', 'local', 'readonly', 'typeset']);
/** A substitution in text, complete or with the part after the dollar missing or unknown. */
const substitution = /`|\$(?:[({[]|$|\uE001)|[<>]\(/;
const maybeExpansion = /[$`]/;
const unquotedParts: ReadonlySet<string> = new Set(['BraceExpansion', 'ExtendedGlob', 'Glob', 'Literal']);
/** The parser takes `#` behind a process substitution for a comment; for bash, it continues the word. */
const commentAfter = /\)(?:\\\n)*#/;
/** Delimiters of here-documents that every version of bash reads as they look. */
const simpleDelimiter = /^(?:[^\s$`'"\\<>(){}|&;]|\\.|'[^']*'|"[^"$`\\]*")+$/;
const escapedSubstitution = /\\(?:x24|0?044|u0*24|U0*24|x60|0?140|u0*60|U0*60)/;

/** The part of a node that is evaluated again. */
export function evaluatedAgain(node: SyntaxNode): EvaluatedText | undefined {
  switch (node.type) {
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      return { nodes: node.expression === undefined ? [] : [node.expression] };
    case 'ArithmeticFor':
      return { nodes: [node.initialize, node.test, node.update].filter((part) => part !== undefined) };
    case 'TestUnary':
      return arithmeticTests.has(node.operator)
        ? { nodes: [node.operand], construct: 'arithmetic' }
        : undefined;
    case 'TestBinary':
      return arithmeticTests.has(node.operator)
        ? { nodes: [node.left, node.right], construct: 'arithmetic' }
        : undefined;
    case 'SimpleExpansion':
      return lineVariables.test(node.text) ? { nodes: [], construct: 'text of the line itself' } : undefined;
    case 'ParameterExpansion':
      return ofParameter(node);
    case 'Assignment':
      return ofAssignment(node);
    case 'Redirect':
    case 'HereString':
    case 'HereDoc':
      return ofRedirection(node);
    default:
      return undefined;
  }
}

/** True if a node expands to text of the line itself. */
export function namesLine(node: SyntaxNode): boolean {
  if (node.type === 'SimpleExpansion') return lineVariables.test(node.text);
  return node.type === 'ParameterExpansion' && lineVariables.test(node.parameter);
}

/** True if a literal text contains substitutions that would run if bash evaluated it again. */
export function holdsSubstitution(text: string): boolean {
  return substitution.test(text) || escapedSubstitution.test(text);
}

/** The text of a word without quotes, in every brace expansion. */
export function unquotedTexts(word: Word): string[] {
  return word.parts === undefined ? [word.value] : wordsFrom(word).map(markedText);
}

/** `{name[subscript]}` right before a redirection names the variable for its descriptor. */
export function mayNameDescriptor(word: Word): boolean {
  const text = word.text.replaceAll('\\\n', '');
  return text.startsWith('{') && text.endsWith('}') && text.includes('[');
}

/**
 * True if the parser misread a node, or versions of bash read it differently: an expansion as plain text or in an
 * unknown form, `${ command; }`, or an expansion in the delimiter of a here-document.
 */
export function isMisread(node: SyntaxNode, source: string): boolean {
  if (node.type === 'Unknown') return true;
  if (node.type === 'ProcessSubstitution') return commentAfter.test(source);
  if (node.type === 'CommandExpansion') return node.text.startsWith('${');
  if (node.type === 'HereDoc') return !simpleDelimiter.test(node.delimiter?.text ?? '');
  // `[[ !(x -eq y) ]]` negates a test, which the parser takes for a pattern.
  if (node.type === 'TestUnary') return node.operand.text.startsWith('!(');
  if (node.type === 'TestBinary') return node.left.text.startsWith('!(');
  if (node.type === 'Word' && hidesProcess(node)) return true;
  const isText = node.type === 'Literal' || (node.type === 'Word' && node.parts === undefined);
  return isText && maybeExpansion.test(node.text) && /`|\$[({[]/.test(node.text.replaceAll(/\\./gs, ''));
}

/** A process substitution within a word, as in `ls 2>(id)`, which the parser takes for text. */
function hidesProcess({ text, parts }: Word): boolean {
  const unquoted =
    parts === undefined
      ? [text]
      : parts.filter(({ type }) => unquotedParts.has(type)).map((part) => part.text);
  return unquoted.some((one) => /[<>]\(/.test(one.replaceAll(/\\./gs, '')));
}

/** Arguments of a builtin, also inside wrappers, that bash evaluates again. */
export function evaluatedArguments(command: SimpleCommand): EvaluatedArguments {
  if (command.runs.length === 0) return ownArguments(command);
  const all = [command, ...innerCommands(command)].map(ownArguments);
  return {
    certain: all.flatMap(({ certain }) => certain),
    possible: all.flatMap(({ possible }) => possible),
    hasFileNames: all.some(({ hasFileNames }) => hasFileNames),
  };
}

/** Arguments that are certainly evaluated again, and those for which it depends on other words. */
interface EvaluatedArguments {
  readonly certain: readonly ShellWord[];
  readonly possible: readonly ShellWord[];
  /** True if names of files may be among them: a file may be called `a[$(id)]`. */
  readonly hasFileNames: boolean;
}

const none: EvaluatedArguments = { certain: [], possible: [], hasFileNames: false };

function innerCommands({ runs }: SimpleCommand): SimpleCommand[] {
  return runs.flatMap((one) => [one, ...innerCommands(one)]);
}

function ownArguments({ words: all }: SimpleCommand): EvaluatedArguments {
  const name = all[0] === undefined ? '' : assumedName(all[0]);
  const words = all.slice(1);
  if (evaluatingBuiltins.has(name)) return certainly(evaluatedOf(name, words));
  const isTest = name === 'test' || name === '[';
  if (!isTest && name !== 'printf') return none;
  const texts = (isTest ? words : words.slice(0, 1)).map(literalOf);
  const isNamed = texts.some((text) => text === '-R' || text?.startsWith('-v'));
  if (isNamed) return certainly(isTest ? words : words.slice(0, 2));
  if (!texts.includes(undefined)) return none;
  // `printf *` may begin with a file called `-va[$(id)]`; for `test`, the option is a word of its own.
  const mayBeOption = isTest
    ? words.some(isOnlyGlob)
    : words[0]?.pieces[0]?.kind !== 'text' && words.some(hasGlob);
  return { ...none, possible: words, hasFileNames: mayBeOption };
}

function certainly(words: readonly ShellWord[]): EvaluatedArguments {
  return { ...none, certain: words, hasFileNames: words.some(hasGlob) };
}

function isOnlyGlob(word: ShellWord): boolean {
  return hasGlob(word) && word.pieces.every((piece) => piece.kind !== 'text' || piece.value.startsWith('-'));
}

/** An assigned value is not evaluated, unless an attribute requests it. */
function evaluatedOf(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  if (!declaring.has(name)) return words;
  const hasAttributes = words.some((word) => /^[-+][A-Za-z]*[aAin]/.test(literalOf(word) ?? '-i'));
  return hasAttributes ? words : words.filter((word) => !/^[A-Za-z_]\w*\+?=/.test(word.text));
}

function ofParameter(node: ParameterExpansionPart): EvaluatedText | undefined {
  const { index, operation, prefix } = node;
  if (lineVariables.test(node.parameter)) return { nodes: [], construct: 'text of the line itself' };
  if (
    prefix === '!' ||
    index !== undefined ||
    operation?.type === 'Transform' ||
    operation?.type === 'Unknown'
  ) {
    const slice = operation?.type === 'Slice' ? [operation.offset, operation.length] : [];
    return {
      nodes: [index, ...slice].filter((word) => word !== undefined),
      construct: 'an indirect expansion',
    };
  }
  if (operation?.type !== 'Slice') return undefined;
  const words = [operation.offset, ...(operation.length === undefined ? [] : [operation.length])];
  // A name is enough: its value is evaluated, and `_` is the last argument of the previous command.
  if (words.every((word) => /^(?:-?\d+)?$/.test(word.text.trim()))) return undefined;
  return { nodes: words, construct: 'arithmetic' };
}

function ofAssignment({ index, name, value }: Assignment): EvaluatedText | undefined {
  const keyed = value.type === 'ArrayValue' ? value.elements.filter(({ text }) => text.startsWith('[')) : [];
  const evaluated = evaluatedVariables.test(name) ? [value] : keyed;
  const nodes = index === undefined ? evaluated : [index, ...evaluated];
  return nodes.length === 0 ? undefined : { nodes };
}

function ofRedirection(node: Redirection): EvaluatedText | undefined {
  if (node.descriptor?.type === 'FileDescriptorVariable')
    return { nodes: [], construct: 'a variable for a descriptor' };
  if (node.type !== 'Redirect' || node.target === undefined) return undefined;
  if (node.operator !== '>&' && node.operator !== '<&') return undefined;
  return /^(?:\d+-?|-)$/.test(node.target.text) ? undefined : { nodes: [node.target] };
}
