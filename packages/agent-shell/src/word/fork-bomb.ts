import type { Function as FunctionNode, forEachChild, SyntaxNode } from 'unbash';

/** The calls inside a function of a script. */
export interface FunctionCalls {
  readonly name: string;
  readonly calls: ReadonlySet<string>;
  /** Calls in the background. */
  readonly background: ReadonlySet<string>;
  /** The calls in each part of each pipe. */
  readonly pipes: readonly (readonly (readonly string[])[])[];
}

/** Collects the calls of a function. */
export function functionCalls(node: FunctionNode, eachChild: typeof forEachChild): FunctionCalls {
  const calls = new Set<string>();
  const background = new Set<string>();
  const pipes: string[][][] = [];
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'Command' && child.name !== undefined) calls.add(child.name.value);
    if (child.type === 'Pipeline') pipes.push(child.commands.map((one) => namesIn(one, eachChild)));
    if (child.type === 'Statement' && child.background)
      for (const name of namesIn(child, eachChild)) background.add(name);
    eachChild(child, visit);
  };
  eachChild(node, visit);
  return { name: node.name.value, calls, background, pipes };
}

/** The name of a function that calls itself in the background or twice in one pipe, and so never ends. */
export function forkBombAmong(functions: readonly FunctionCalls[]): string | undefined {
  const callers = new Map<string, string[]>();
  for (const { name, calls } of functions)
    for (const call of calls) callers.set(call, [...(callers.get(call) ?? []), name]);
  return functions.find(({ name, background, pipes }) => {
    if (background.size === 0 && pipes.length === 0) return false;
    const returns = returningTo(name, callers);
    return (
      [...background].some((one) => returns.has(one)) ||
      pipes.some((parts) => parts.filter((calls) => calls.some((one) => returns.has(one))).length > 1)
    );
  })?.name;
}

/** The functions that directly or indirectly call a function, including itself. */
function returningTo(name: string, callers: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set([name]);
  // Iterating a growing set also visits the added items.
  for (const one of found) for (const caller of callers.get(one) ?? []) found.add(caller);
  return found;
}

function namesIn(node: SyntaxNode, eachChild: typeof forEachChild): string[] {
  const names = node.type === 'Command' && node.name !== undefined ? [node.name.value] : [];
  eachChild(node, (child) => {
    names.push(...namesIn(child, eachChild));
  });
  return names;
}
