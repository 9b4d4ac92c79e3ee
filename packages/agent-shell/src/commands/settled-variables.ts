import type { SyntaxNode } from 'unbash';
import { literalOf, type ShellWord } from '../word/shell-word.ts';

const branches: ReadonlySet<string> = new Set(
  'ArithmeticFor Case CommandExpansion Coproc For Function If Pipeline ProcessSubstitution Select Subshell While'.split(
    ' ',
  ),
);
/** Builtins that take values from variables. */
const forgetting: ReadonlySet<string> = new Set(['declare', 'local', 'typeset', 'unset']);

/** Tracks which variables certainly have a value from the script when they name a command. */
export class SettledVariables {
  /** Variables that name a command and may have another value there. */
  readonly unsettled = new Set<string>();
  readonly #settled = new Set<string>();
  #branches = 0;

  /** Call before visiting a node's children; pass the result to `leave`. */
  enter(node: SyntaxNode): number {
    const outer = this.#branches;
    if (branches.has(node.type) || (node.type === 'Statement' && node.background === true))
      this.#branches += 1;
    return outer;
  }

  /** The next command may not run, because another one fails or succeeds. */
  branch(): void {
    this.#branches += 1;
  }

  leave(outer: number): void {
    this.#branches = outer;
  }

  /** Notes the name of a command, or assignments without one. */
  note([name]: readonly ShellWord[], assigned: readonly { readonly name: string }[]): void {
    if (name === undefined && this.#branches === 0) for (const one of assigned) this.#settled.add(one.name);
    for (const piece of name?.pieces ?? [])
      if (piece.kind === 'variable' && !this.#settled.has(piece.name)) this.unsettled.add(piece.name);
    if (name !== undefined && forgetting.has(literalOf(name) ?? '')) this.#settled.clear();
  }

  /** Notes the variable of a loop. */
  noteLoop(name: string): void {
    this.#settled.add(name);
  }
}
