import { localTime } from '@robota-sdk/agent-core';
import type { EntryKind, EntryView, SessionTree } from '@robota-sdk/agent-sessions';

export interface RenderTreeOptions {
  /** Every entry, not only prompts, pins, summaries and what has a label. */
  readonly all: boolean;
  /** Draw with characters beyond ASCII. */
  readonly unicode: boolean;
}

interface Signs {
  readonly active: string;
  readonly other: string;
  readonly fork: string;
  readonly beside: string;
  readonly here: string;
  readonly ellipsis: string;
}

const unicodeSigns: Signs = {
  active: '●',
  other: '○',
  fork: '├─',
  beside: '│ ',
  here: '← you are here',
  ellipsis: '…',
};
const asciiSigns: Signs = {
  active: '*',
  other: 'o',
  fork: '|-',
  beside: '| ',
  here: '<- you are here',
  ellipsis: '...',
};
const textCharacters = 60;

/** One entry of a tree that is drawn. */
export interface TreeRow {
  readonly view: EntryView;
  /** The branches it stands beside, drawn in front of it. */
  readonly lead: string;
  /** Of a prompt. */
  readonly number: number | undefined;
  /** True if the conversation stands there. */
  readonly isHere: boolean;
  /** The row it hangs on; null for the first ones. */
  readonly above: string | null;
}

/** Draws the tree of a session: the branch one is on goes straight down, what was left stands to the right of it. */
export function renderTree(tree: SessionTree, options: RenderTreeOptions): string {
  const signs = options.unicode ? unicodeSigns : asciiSigns;
  const lines = treeRows(tree, options).map((row) => row.lead + lineOf(row.view, { ...row, signs }));
  if (tree.leafId === null && lines.length > 0) lines.push(`${signs.active} (empty)  ${signs.here}`);
  return lines.join('\n');
}

/** The rows of a tree as it is drawn, from the top. */
export function treeRows(tree: SessionTree, options: RenderTreeOptions): readonly TreeRow[] {
  const signs = options.unicode ? unicodeSigns : asciiSigns;
  const numbers = tree.promptNumbers();
  const { children, here } = shownTree(tree, options);
  const rows: TreeRow[] = [];
  const waiting = branchesOf(null, { ids: children.get(null) ?? [], lead: '', signs });
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, lead, above } = next;
    const view = tree.view(id);
    if (view) rows.push({ view, lead, above, number: numbers.get(id), isHere: id === here });
    waiting.push(...branchesOf(id, { ids: children.get(id) ?? [], lead: next.below, signs }));
  }
  return rows;
}

/** True if a terminal of this environment shows more than ASCII. */
export function showsUnicode(env: Readonly<Record<string, string | undefined>>, platform: string): boolean {
  if (platform === 'win32') return true;
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

interface Branch {
  readonly id: string;
  readonly above: string | null;
  /** The prefix of its line. */
  readonly lead: string;
  /** In front of what follows it. */
  readonly below: string;
}

/**
 * The last branch continues the column; the others are indented. The last comes first, since they are taken
 * from the end.
 */
function branchesOf(
  above: string | null,
  { ids, lead, signs }: { readonly ids: readonly string[]; readonly lead: string; readonly signs: Signs },
): Branch[] {
  const branches = ids.map((id, index) => {
    if (index === ids.length - 1) return { id, above, lead, below: lead };
    return { id, above, lead: lead + signs.fork, below: lead + signs.beside };
  });
  return branches.reverse();
}

/** Joins every shown entry to the nearest shown one before it; `here` is the one the leaf belongs to. */
function shownTree(tree: SessionTree, { all }: RenderTreeOptions) {
  const children = new Map<string | null, string[]>();
  const hidden = otherwiseHidden(tree);
  let here: string | null = null;
  const waiting: { id: string; shownAbove: string | null }[] = tree
    .childrenOf(null)
    .map((id) => ({ id, shownAbove: null }));
  for (let at = 0; at < waiting.length; at++) {
    const { id, shownAbove } = waiting[at] as (typeof waiting)[number];
    const isShown = all || isLandmark(tree, id) || hidden.has(id);
    if (isShown) {
      const siblings = children.get(shownAbove);
      if (siblings) siblings.push(id);
      else children.set(shownAbove, [id]);
    }
    const above = isShown ? id : shownAbove;
    if (id === tree.leafId) here = above;
    for (const child of tree.childrenOf(id)) waiting.push({ id: child, shownAbove: above });
  }
  // Oldest first, as ways to them may differ in length; but the branch one is on comes last, to go straight down.
  const order = new Map([...tree.ids()].map((id, index) => [id, index]));
  const rank = (id: string) => (order.get(id) ?? 0) + (tree.isActive(id) ? order.size : 0);
  for (const siblings of children.values())
    if (siblings.length > 1) siblings.sort((a, b) => rank(a) - rank(b));
  return { children, here };
}

const landmarks: ReadonlySet<EntryKind | undefined> = new Set(['prompt', 'pin', 'recall', 'branch-summary']);

function isLandmark(tree: SessionTree, id: string): boolean {
  return landmarks.has(tree.kindOf(id)) || tree.labelOf(id) !== undefined;
}

/** Answered branches without a visible landmark, such as a prompt that was answered twice. */
function otherwiseHidden(tree: SessionTree): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const leaf of tree.ids()) {
    if (tree.childrenOf(leaf).length > 0) continue;
    let isAnswered = false;
    for (let id: string | null = leaf; id !== null && !isLandmark(tree, id); ) {
      isAnswered ||= tree.kindOf(id) === 'answer';
      const parentId = tree.parentOf(id);
      if (tree.childrenOf(parentId).length > 1) {
        if (isAnswered) hidden.add(id);
        break;
      }
      id = parentId;
    }
  }
  return hidden;
}

function lineOf(
  { id, kind, text, timestamp, label, isActive }: EntryView,
  { signs, number, isHere }: { signs: Signs; number: number | undefined; isHere: boolean },
): string {
  const points = Array.from(text);
  const shown =
    points.length > textCharacters ? points.slice(0, textCharacters - 1).join('') + signs.ellipsis : text;
  const time = Date.parse(timestamp);
  return [
    isActive ? signs.active : signs.other,
    number ?? id,
    ...(kind === 'prompt' ? [] : [`${kind}:`]),
    shown,
    ...(label === undefined ? [] : [`[${label}]`]),
    ...(Number.isNaN(time) ? [] : [`(${localTime(time)})`]),
    ...(isHere ? [signs.here] : []),
  ].join(' ');
}
