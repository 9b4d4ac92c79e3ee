import type { Assignment, Redirection as RedirectNode } from 'unbash';
import type { Redirection } from './shell-script.ts';
import { literalOf, readWord, type ShellWord } from './shell-word.ts';

/** Constructs that the allow lists don't look behind, by the type of their node. */
export const constructNames: Readonly<Record<string, string>> = {
  ArithmeticCommand: 'arithmetic',
  ArithmeticCommandExpansion: 'a command substitution',
  ArithmeticExpansion: 'arithmetic',
  ArithmeticFor: 'a loop',
  Case: 'a case statement',
  CommandExpansion: 'a command substitution',
  Coproc: 'a coprocess',
  For: 'a loop',
  Function: 'a function',
  If: 'an if statement',
  ProcessSubstitution: 'a process substitution',
  Select: 'a loop',
  While: 'a loop',
};

/** The name and value of an assignment, where the value is one word. */
export function readAssignment(assignment: Assignment): { name: string; value?: ShellWord } {
  if (assignment.value.type === 'ArrayValue' || assignment.append || assignment.index !== undefined) {
    return { name: assignment.name };
  }
  const [value, another] = readWord(assignment.value);
  return value === undefined || another !== undefined
    ? { name: assignment.name }
    : { name: assignment.name, value };
}

/** The file that a redirection opens; copies of descriptors open none. */
export function readRedirection(node: RedirectNode): Redirection[] {
  if (node.type !== 'Redirect') return [];
  const kind = node.operator === '<' || node.operator === '<&' ? 'read' : 'write';
  const target = node.target === undefined ? [] : readWord(node.target);
  const [only, another] = target;
  if (only === undefined || another !== undefined) return [{ kind }];
  const isDuplication = node.operator === '<&' || node.operator === '>&';
  if (isDuplication && /^(?:\d+-?|-)$/.test(literalOf(only) ?? '')) return [];
  return [{ kind, target: only }];
}

/** True if the shell expands a here-document or here-string. */
export function isExpandedInput(node: RedirectNode): boolean {
  if (node.type === 'HereDoc') {
    return node.delimiter?.quoted !== true && (node.body.parts ?? []).some((part) => part.type !== 'Literal');
  }
  if (node.type !== 'HereString' || node.target === undefined) return false;
  return readWord(node.target).some((word) => literalOf(word) === undefined);
}

/** True if a redirection reads what a process substitution prints. */
export function isSubstituted(node: RedirectNode): boolean {
  return node.type === 'Redirect' && node.target?.text.startsWith('<(') === true;
}
