import type { Assignment, Redirection as RedirectNode } from 'unbash';
import type { Redirection } from './shell-script.ts';
import { literalOf, type ShellWord, wordsFrom } from './shell-word.ts';

/** Constructs that allow rules do not look into, by node type. */
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

/** The name and value of an assignment, if the value is one word. */
export function readAssignment(assignment: Assignment): { name: string; value?: ShellWord } {
  if (assignment.value.type === 'ArrayValue' || assignment.append || assignment.index !== undefined) {
    return { name: assignment.name };
  }
  const [value, another] = wordsFrom(assignment.value);
  return value === undefined || another !== undefined
    ? { name: assignment.name }
    : { name: assignment.name, value };
}

/** The file that a redirection opens; copied descriptors open none. */
export function readRedirection(node: RedirectNode): Redirection[] {
  if (node.type !== 'Redirect') return [];
  const kind = node.operator === '<' || node.operator === '<&' ? 'read' : 'write';
  const target = node.target === undefined ? [] : wordsFrom(node.target);
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
  return wordsFrom(node.target).some((word) => literalOf(word) === undefined);
}

/** True if a redirection reads the output of a process substitution. */
export function isSubstituted(node: RedirectNode): boolean {
  return node.type === 'Redirect' && node.target?.text.startsWith('<(') === true;
}
