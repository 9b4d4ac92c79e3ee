import { type LiveRedactor, loadCatalogue, type Redactor } from '@robota-sdk/agent-core';
import { redactKeepingImages, type SessionHead, viewEntry } from '@robota-sdk/agent-export';
import type { LinkedSession } from '@robota-sdk/agent-link';
import { findBranch } from '@robota-sdk/agent-sdk/front-end';
import type { Entry } from '@robota-sdk/agent-sessions';
import { tokenOfEntry } from '../contract/entry-token.ts';
import type { EntriesPage, SessionPage, SessionSnapshot, TreeNode } from '../contract/session.ts';
import { mostPrompts, todoOf } from './session-digest.ts';
import type { SessionIndex } from './session-index.ts';
import { webQuestion } from './web-question.ts';

/** The process that holds a session, as a page is told. */
export type HolderFacts = Pick<SessionSnapshot, 'holder' | 'heldBy'>;

/** A session as it is stored, and what is live of it. */
export interface SessionSources {
  readonly id: string;
  readonly index: SessionIndex;
  readonly redact: LiveRedactor;
  readonly holder: HolderFacts;
  readonly linked: LinkedSession | undefined;
}

const pageEntries = 100;

/** The reply with the last entries of a session and everything beside them. */
export async function sessionPage(sources: SessionSources): Promise<SessionPage> {
  const { index, redact } = sources;
  const { tree, header, digest, lastId } = index;
  // The file may be read on from here: the stream continues after the entries of this moment.
  const page = await entriesPage(sources, { limit: pageEntries });
  const state = await sessionState(sources);
  return {
    head: redactKeepingImages<SessionHead>(
      {
        id: header?.id ?? sources.id,
        title: state.title,
        cwd: header?.cwd ?? '',
        created: Date.parse(header?.timestamp ?? '') || 0,
        modified: digest.modified,
        exported: Date.now(),
        models: digest.models,
        totals: tree.totals,
        leafId: tree.leafId,
        redacted: true,
        problems: [],
      },
      redact,
    ),
    ...page,
    lastId: tokenOfEntry(lastId),
    state,
  };
}

/** Entries of the active branch: the last ones, or those before an entry. */
export async function entriesPage(
  { index, redact }: Pick<SessionSources, 'index' | 'redact'>,
  { before, limit }: { readonly before?: string; readonly limit: number },
): Promise<EntriesPage> {
  const ids = index.tree.pathIds();
  const found = before === undefined ? ids.length : ids.indexOf(before);
  const end = found < 0 ? ids.length : found;
  const start = Math.max(0, end - limit);
  const entries = index.entries(ids.slice(start, end));
  return { entries: entries.map((entry) => entryView(entry, index, redact)), earlier: start };
}

/** An entry for the page, without secrets. */
export function entryView(entry: Entry, { tree }: SessionIndex, redact: Redactor) {
  return redactKeepingImages(viewEntry(entry, tree), redact);
}

/** Everything of a session beside its entries. */
export async function sessionState(sources: SessionSources): Promise<SessionSnapshot> {
  const { index, redact, holder, linked } = sources;
  const { header, digest } = index;
  const facts = linked?.facts();
  const branch = header ? await findBranch(header.cwd) : undefined;
  const cachedShare = digest.input.all === 0 ? undefined : digest.input.cached / digest.input.all;
  const model = facts?.model ?? digest.end.model;
  const known = loadCatalogue().models.find(({ vendor, id }) => `${vendor}/${id}` === model);
  const max = known?.contextWindow ?? 0;
  const context = facts?.context ?? { used: digest.end.contextTokens, max, parts: [] };
  const state: SessionSnapshot = {
    title: titleOf(sources),
    ...holder,
    ...(branch === undefined ? {} : { branch }),
    ...(facts?.runningSince ? { runningSince: facts.runningSince } : {}),
    cost: sessionCost(index),
    model,
    models: facts?.models ?? digest.models,
    mode: facts?.mode ?? 'default',
    todos: facts ? facts.todos.map(todoOf) : digest.end.todos,
    context: { ...context, ...(cachedShare === undefined ? {} : { cachedShare }) },
    queue: facts?.queue ?? [],
    questions: (linked?.questions() ?? []).map((asked) => webQuestion(asked, header?.cwd)),
    changes: digest.changes,
    tree: treeNodes(index),
  };
  // The user decides about exactly these words: what hides secrets could hide a command that looks like one.
  const { questions, ...rest } = state;
  return { ...redactKeepingImages(rest, redact), questions };
}

/** Dollars; null where no price of the models is known. */
export function sessionCost({ tree }: SessionIndex): number | null {
  const { cost, usage } = tree.totals;
  return cost === 0 && usage.input + usage.output > 0 ? null : cost;
}

function titleOf({ id, index }: Pick<SessionSources, 'id' | 'index'>): string {
  return index.tree.name ?? (index.digest.firstPrompt || `Session ${id}`);
}

/** The last prompts, each below the prompt before it on its branch. */
function treeNodes(index: SessionIndex): readonly TreeNode[] {
  const { tree, digest } = index;
  const shown = digest.prompts.slice(-mostPrompts);
  const ids = new Set(shown.map(({ id }) => id));
  const active = activeOf(shown[0]?.id, index);
  const shownParent = (id: string) => {
    // A damaged file may lead in a circle.
    const seen = new Set([id]);
    let parent = tree.parentIdOf(id);
    while (parent !== null && !ids.has(parent)) {
      if (seen.has(parent)) return null;
      seen.add(parent);
      parent = tree.parentIdOf(parent);
    }
    return parent;
  };
  return shown.map(({ id, text, time }, at) => {
    return { id, parent: at === 0 ? null : shownParent(id), text, time, isOnBranch: active.has(id) };
  });
}

/** The active branch back to an entry, or to what was written before it. */
function activeOf(first: string | undefined, index: SessionIndex): ReadonlySet<string> {
  const active = new Set<string>();
  if (first === undefined) return active;
  const oldest = index.positionOf(first) ?? 0;
  for (const id of index.tree.idsBackwards()) {
    if ((index.positionOf(id) ?? 0) < oldest) break;
    active.add(id);
  }
  return active;
}
