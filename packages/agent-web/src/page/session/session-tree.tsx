import type { TreeNode } from '../../contract/session.ts';
import { plural } from '../base/format.ts';
import { Age } from '../components/age.tsx';

const rowHeight = 24;
const laneWidth = 24;
const left = 12;

/** A node with its place in the drawing. */
interface PlacedNode extends TreeNode {
  readonly lane: number;
  readonly row: number;
}

/** The branches of a session as a drawing; the active one goes straight down. A prompt leads back to before it. */
export function SessionTree({
  nodes,
  onChoose,
}: {
  readonly nodes: readonly TreeNode[];
  /** Goes back to before a prompt; without it the tree is only looked at. */
  readonly onChoose?: (node: TreeNode) => void;
}) {
  if (nodes.length === 0) return <p class="side-none">No messages yet.</p>;
  const last = nodes.findLast(({ isOnBranch }) => isOnBranch);
  const here = { id: '', parent: last?.id ?? null, text: 'Now', time: 0, isOnBranch: true };
  const placed = placeNodes([...nodes, here]);
  const branches = new Set(placed.map(({ lane }) => lane)).size;
  const parents = new Set(placed.map(({ parent }) => parent));
  return (
    <div class="session-tree">
      <TreeLines placed={placed} width={left * 2 + laneWidth * branches} />
      <ul
        aria-label={`Session tree: ${branches === 1 ? 'one branch' : `${branches} branches`}, ${plural(nodes.length, 'prompt')}`}
      >
        {placed.map((node) => (
          <li
            key={node.id}
            class={`${node.isOnBranch ? '' : 'tree-text-left'} ${node.id === '' ? 'tree-text-here' : ''}`}
            style={{ paddingLeft: `${x(node) + 16}px` }}
          >
            {onChoose && node.id !== '' ? (
              <button
                type="button"
                dir="auto"
                title="Go back to before this prompt"
                onClick={() => onChoose(nodes[node.row] ?? node)}
              >
                {node.text || '(nothing)'}
              </button>
            ) : (
              <span class="cut" dir="auto">
                {node.text}
              </span>
            )}
            {!node.isOnBranch && !parents.has(node.id) && (
              <small>
                {' '}
                <Age time={node.time} suffix=" ago" />
              </small>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function TreeLines({ placed, width }: { readonly placed: readonly PlacedNode[]; readonly width: number }) {
  const byId = new Map(placed.map((node) => [node.id, node]));
  const here = placed.at(-1);
  const edges = placed.flatMap((node) => {
    const parent = byId.get(node.parent ?? '-');
    return parent ? [{ key: node.id, isOnBranch: node.isOnBranch, d: edge(parent, node) }] : [];
  });
  return (
    <svg width={width} height={placed.length * rowHeight} aria-hidden="true">
      {edges
        .sort((a, b) => Number(a.isOnBranch) - Number(b.isOnBranch))
        .map(({ key, isOnBranch, d }) => (
          <path key={key} class={isOnBranch ? 'tree-active' : 'tree-left'} d={d} />
        ))}
      {placed.map((node) => (
        <circle
          key={node.id}
          class={node.isOnBranch ? 'tree-active' : 'tree-left'}
          cx={x(node)}
          cy={y(node)}
          r={node.isOnBranch ? 4 : 3.5}
        />
      ))}
      {here && <circle class="tree-here" cx={x(here)} cy={y(here)} r={7.5} />}
    </svg>
  );
}

/** Gives each left branch a lane of its own. */
function placeNodes(nodes: readonly TreeNode[]): readonly PlacedNode[] {
  const lanes = new Map<string, number>();
  const parents = new Set<string>();
  let used = 0;
  return nodes.map((node, row) => {
    const above = lanes.get(node.parent ?? '') ?? 0;
    const continues = node.parent !== null && !parents.has(node.parent) && above > 0;
    if (!node.isOnBranch && !continues) used += 1;
    const lane = node.isOnBranch ? 0 : continues ? above : used;
    if (!node.isOnBranch && node.parent !== null) parents.add(node.parent);
    lanes.set(node.id, lane);
    return { ...node, lane, row };
  });
}

function x({ lane }: PlacedNode): number {
  return left + Math.min(lane, 4) * laneWidth;
}

function y({ row }: PlacedNode): number {
  return row * rowHeight + rowHeight / 2;
}

function edge(from: PlacedNode, to: PlacedNode): string {
  if (x(from) === x(to)) return `M${x(from)} ${y(from)}V${y(to)}`;
  const middle = y(from) + rowHeight / 2;
  return `M${x(from)} ${y(from)}C${x(from)} ${middle + 8} ${x(to)} ${middle - 4} ${x(to)} ${y(from) + rowHeight}V${y(to)}`;
}
