import type { Command, Function as FunctionNode, forEachChild, SyntaxNode } from 'unbash';

/** The name of a function that starts itself in the background or twice in one pipe, and so never ends. */
export function forkBombIn(node: FunctionNode, eachChild: typeof forEachChild): string | undefined {
  const name = node.name.value;
  const callsItself = (command: SyntaxNode): command is Command =>
    command.type === 'Command' && command.name?.value === name;
  let found = false;
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'Pipeline' && child.commands.filter(callsItself).length > 1) found = true;
    if (child.type === 'Statement' && child.background && containsCall(child)) found = true;
    if (!found) eachChild(child, visit);
  };
  const containsCall = (child: SyntaxNode): boolean => {
    if (callsItself(child)) return true;
    let contains = false;
    eachChild(child, (inner) => {
      contains ||= containsCall(inner);
    });
    return contains;
  };
  eachChild(node, visit);
  return found ? name : undefined;
}
