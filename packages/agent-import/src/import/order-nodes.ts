import type { SourceNode } from '../source/foreign-session.ts';
import { type SkipCounts, skipReasons } from '../source/skip-counts.ts';

/**
 * Puts nodes into an order in which each stands behind its parent, otherwise that of the file. A node whose parent was
 * lost is joined to the one before it in the file; where parents run in a circle, a branch begins.
 */
export function orderNodes(nodes: readonly SourceNode[], repaired: SkipCounts): SourceNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const previous = new Map(nodes.map((node, index) => [node.id, nodes[index - 1]?.id ?? null]));
  const done = new Set<string>();
  const ordered: SourceNode[] = [];

  const parentOf = (node: SourceNode): string | null => {
    if (node.parentId === null || byId.has(node.parentId)) return node.parentId;
    const before = previous.get(node.id) ?? null;
    if (before !== null) repaired.add(skipReasons.lostParent);
    return before;
  };

  for (const node of byId.values()) {
    const waiting: { node: SourceNode; parentId: string | null }[] = [];
    const inChain = new Set<string>();
    for (let next: SourceNode | undefined = node; next && !done.has(next.id); ) {
      inChain.add(next.id);
      let parentId = parentOf(next);
      if (parentId !== null && inChain.has(parentId)) {
        repaired.add(skipReasons.cycle);
        parentId = null;
      }
      waiting.push({ node: next, parentId });
      next = parentId === null ? undefined : byId.get(parentId);
    }
    for (const { node: each, parentId } of waiting.reverse()) {
      done.add(each.id);
      ordered.push({ ...each, parentId });
    }
  }
  return ordered;
}
