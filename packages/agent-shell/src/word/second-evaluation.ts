import type { SyntaxNode } from 'unbash';
import {
  evaluatedAgain,
  evaluatedArguments,
  holdsSubstitution,
  mayNameDescriptor,
  unquotedTexts,
} from './evaluated-again.ts';
import type { SimpleCommand } from './shell-script.ts';
import { literalOf, markedText } from './shell-word.ts';

const anyExpansion = /[$`]/;
const maybeExpansion = /[$`\\]/;

/** The context of a node in the tree. */
interface NodeContext {
  readonly isInside: boolean;
  readonly isQuoted: boolean;
  readonly isParameter: boolean;
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
  /** True if something in the script is evaluated again, possibly a variable's value. */
  #happens = false;
  /** True if a literal text in the script contains a substitution that would then run. */
  #isBaited = false;

  /** True if commands may run that the syntax tree does not show. */
  get mayHide(): boolean {
    return this.texts.length > 0 || (this.#happens && this.#isBaited);
  }

  /** True if the values of variables are evaluated again. */
  get happens(): boolean {
    return this.#happens;
  }

  /** Call before visiting a node's children; pass the result to `leave`. */
  enter(node: SyntaxNode): NodeContext {
    const outer = { isInside: this.#isInside, isQuoted: this.#isQuoted, isParameter: this.#isParameter };
    // Quotes around a substitution still apply inside it.
    if (node.type === 'Statement') this.leave({ ...outer, isInside: false, isParameter: false });
    if (node.type === 'ParameterExpansion') this.#isParameter = true;
    if (node.type === 'DoubleQuoted' || node.type === 'LocaleString' || node.type === 'HereDocBody')
      this.#isQuoted = true;
    if (this.#marked.size > 0 && this.#marked.has(node)) this.#isInside = true;
    const found = evaluatedAgain(node);
    if (found !== undefined) {
      this.#happens = true;
      if (found.construct !== undefined) this.constructs.add(found.construct);
      for (const inner of found.nodes) this.#marked.add(inner);
    }
    this.#noteTexts(node);
    return outer;
  }

  leave(outer: NodeContext): void {
    this.#isInside = outer.isInside;
    this.#isQuoted = outer.isQuoted;
    this.#isParameter = outer.isParameter;
  }

  /** Builtins evaluate names in their arguments. */
  noteCommand(command: SimpleCommand): void {
    const { certain, possible } = evaluatedArguments(command);
    if (certain.length + possible.length === 0) return;
    this.#happens = true;
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
      const isInside = this.#isInside || (this.#isQuoted && this.#isParameter && node.type === 'AnsiCQuoted');
      if (isInside && anyExpansion.test(text)) this.texts.push(text);
      if (!this.#isBaited && holdsSubstitution(text)) this.#isBaited = true;
    }
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
