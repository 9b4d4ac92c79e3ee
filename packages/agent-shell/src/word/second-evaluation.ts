import type { SyntaxNode } from 'unbash';
import {
  evaluatedAgain,
  evaluatedArguments,
  holdsSubstitution,
  mayNameDescriptor,
  namesLine,
  unquotedTexts,
} from './evaluated-again.ts';
import type { SimpleCommand } from './shell-script.ts';
import { hasGlob, literalOf, markedText, wordsFrom } from './shell-word.ts';

const anyExpansion = /[$`]|[<>]\(/;
const maybeExpansion = /[$`\\]|[<>]\(|%[qQ]/;
/** A character that starts a substitution, once the rest of a value is cut off or added. */
const startOfSubstitution = /[$`]|\\(?:x24|x60|0{0,2}44|0?140|[uU]0*(?:24|60))|%[qQ]/;
/** Variables whose elements are what other names mean. */
const meanings = /\bBASH_(?:ALIASES|CMDS)\b/;
/** Commands whose arguments or input may become the value of a variable. */
const giving: ReadonlySet<string> = new Set(
  ': builtin cat command declare echo eval export getopts local mapfile printf read readarray readonly set typeset'.split(
    ' ',
  ),
);
/** The same for other nodes. */
const givingNodes: ReadonlySet<string> = new Set(['Assignment', 'For', 'Redirected', 'Select']);

/** The context of a node in the tree. */
interface NodeContext {
  readonly isInside: boolean;
  readonly isQuoted: boolean;
  readonly isParameter: boolean;
  readonly isValue: boolean;
  readonly isDocument: boolean;
  readonly isRequoted: boolean;
}

/** Watches a walk through a syntax tree for text that bash evaluates again, quoted or not. */
export class SecondEvaluation {
  readonly constructs = new Set<string>();
  /** Texts that are evaluated again and contain something to expand. */
  readonly texts: string[] = [];
  readonly #marked = new Set<SyntaxNode>();
  #isInside = false;
  /** Inside double quotes, bash expands the value of `$'…'` in a parameter: `"${x:-$'\x24(id)'}"`. */
  #isQuoted = false;
  #isParameter = false;
  /** Inside quotes in a parameter in quotes, which bash removes before it expands the word: `"${x:-"$"(id)}"`. */
  #isRequoted = false;
  /** In a here-document, quotes in a parameter are text: `${x:-'$(id)'}`. */
  #isDocument = false;
  /** Inside text that may become the value of a variable, which may be cut and joined before it is evaluated. */
  #isValue = false;
  readonly #functions = new Set<string>();
  #changesMeanings = false;
  /** True if something in the script is evaluated again, possibly a variable's value. */
  #happens = false;
  /** True if a literal text in the script contains a substitution that would then run. */
  #isBaited = false;

  #hasFileNames = false;

  /** True if commands may run that the syntax tree does not show. */
  get mayHide(): boolean {
    return this.texts.length > 0 || (this.#happens && this.#isBaited);
  }

  /** True if other names may mean commands that the script does not name. */
  get changesMeanings(): boolean {
    return this.#changesMeanings;
  }

  /** True if names of files are evaluated again: `unset *`. */
  get hasFileNames(): boolean {
    return this.#hasFileNames;
  }

  /** True if the values of variables are evaluated again. */
  get happens(): boolean {
    return this.#happens;
  }

  /** Call before visiting a node's children; pass the result to `leave`. */
  enter(node: SyntaxNode): NodeContext {
    const outer = {
      isInside: this.#isInside,
      isQuoted: this.#isQuoted,
      isParameter: this.#isParameter,
      isValue: this.#isValue,
      isDocument: this.#isDocument,
      isRequoted: this.#isRequoted,
    };
    this.#noteValue(node);
    // Quotes around a substitution still apply inside it.
    if (node.type === 'Statement')
      this.leave({ ...outer, isInside: false, isParameter: false, isDocument: false, isRequoted: false });
    if ((node.type === 'DoubleQuoted' || node.type === 'LocaleString') && this.#isParameter && this.#isQuoted)
      this.#isRequoted = true;
    if (node.type === 'ParameterExpansion') this.#isParameter = true;
    if (node.type === 'HereDocBody') this.#isDocument = true;
    if (node.type === 'DoubleQuoted' || node.type === 'LocaleString' || node.type === 'HereDocBody')
      this.#isQuoted = true;
    if (this.#marked.size > 0 && this.#marked.has(node)) this.#isInside = true;
    const found = evaluatedAgain(node);
    if (found !== undefined) {
      this.#happens = true;
      if (found.construct !== undefined) this.constructs.add(found.construct);
      for (const inner of found.nodes) this.#marked.add(inner);
    }
    this.#hasFileNames ||=
      node.type === 'Redirect' &&
      found !== undefined &&
      node.target !== undefined &&
      wordsFrom(node.target).some(hasGlob);
    this.#noteTexts(node);
    return outer;
  }

  leave(outer: NodeContext): void {
    this.#isInside = outer.isInside;
    this.#isQuoted = outer.isQuoted;
    this.#isParameter = outer.isParameter;
    this.#isValue = outer.isValue;
    this.#isDocument = outer.isDocument;
    this.#isRequoted = outer.isRequoted;
  }

  /** Builtins evaluate names in their arguments. */
  noteCommand(command: SimpleCommand): void {
    const { certain, possible, hasFileNames } = evaluatedArguments(command);
    this.#hasFileNames ||= hasFileNames;
    if (certain.length + possible.length === 0) return;
    this.#happens = true;
    this.#changesMeanings ||= certain.some((word) => meanings.test(markedText(word)));
    for (const word of [...certain, ...possible]) {
      const text = markedText(word);
      if (holdsSubstitution(text)) this.texts.push(text);
    }
    if (certain.some((word) => literalOf(word) === undefined))
      this.constructs.add('a name that is only known when it runs');
  }

  #noteTexts(node: SyntaxNode): void {
    if (node.type === 'FileDescriptorVariable') this.#noteDescriptor(node.name);
    if (node.type === 'Command' && node.redirects.length > 0)
      for (const word of [node.name, ...node.args])
        if (word?.type === 'Word' && mayNameDescriptor(word)) this.#noteDescriptor(word.value);
    for (const text of textsOf(node)) {
      const isInside =
        this.#isInside ||
        (this.#isParameter && this.#isQuotingInVain(node)) ||
        (this.#isRequoted && node.type === 'Literal');
      if (isInside && anyExpansion.test(text)) this.texts.push(text);
      this.#isBaited ||= holdsSubstitution(text) || (this.#isValue && startOfSubstitution.test(text));
    }
  }

  #isQuotingInVain({ type }: SyntaxNode): boolean {
    return (type === 'AnsiCQuoted' && this.#isQuoted) || (type === 'SingleQuoted' && this.#isDocument);
  }

  #noteValue(node: SyntaxNode): void {
    if (givingNodes.has(node.type)) this.#isValue = true;
    if (node.type === 'Assignment') this.#changesMeanings ||= meanings.test(node.name);
    if (node.type === 'Function') this.#functions.add(node.name.value);
    if (node.type === 'Command') {
      const name = node.name?.value ?? ':';
      this.#isValue = giving.has(name) || this.#functions.has(name) || /[$`]/.test(name);
    }
    // `${x@Q}` may be `$'…'`, and `$_` is text of the line.
    const isMade =
      (node.type === 'ParameterExpansion' && node.operation?.type === 'Transform') || namesLine(node);
    this.#isBaited ||= isMade;
  }

  #noteDescriptor(text: string): void {
    this.#happens = true;
    this.constructs.add('a variable for a descriptor');
    if (anyExpansion.test(text)) this.texts.push(text);
  }
}

/** Unquoted literal text of a node itself. */
function textsOf(node: SyntaxNode): readonly string[] {
  switch (node.type) {
    case 'Word':
      return maybeExpansion.test(node.text) ? unquotedTexts(node) : [];
    case 'ArithmeticWord':
      return node.parts === undefined ? [node.value] : [];
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [node.value];
    case 'HereDocBody':
      return node.parts === undefined ? [node.text] : [];
    default:
      return [];
  }
}
