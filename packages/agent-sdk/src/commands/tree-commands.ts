import type { CommandContext, CommandOutcome } from '@robota-sdk/agent-core';
import { renderTree, showsUnicode } from '@robota-sdk/agent-export';
import type { SessionTree } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { CommandActions } from './built-in-commands.ts';
import { entryNames, findEntry, labelProblem } from './find-entry.ts';

/** Commands that go back in the session. */
export const treeCommands: CommandActions = {
  tree: {
    complete: async (prefix, { session }) => {
      const place = prefix.startsWith('label ') ? 'label ' : '';
      const names = entryNames(session.getSession().branches.tree()).map((name) => place + name);
      return [...(place === '' ? ['all', 'label', 'root'] : []), ...names].filter((name) =>
        name.startsWith(prefix),
      );
    },
    run: async (args, { session, ui, signal }) => {
      const tree = session.getSession().branches.tree();
      if (args === '' || args === 'all') return show(tree, { all: args === 'all' });
      if (/^label(\s|$)/.test(args)) return label(session, args.slice('label'.length).trim());
      const at = args.search(/(?<=\s)--summarize(?!\S)/);
      const place = at < 0 ? args : args.slice(0, at).trimEnd();
      const focus = at < 0 ? '' : args.slice(at + '--summarize'.length).trimStart();
      const unknown = /(?:^|\s)(--\S*)/.exec(place)?.[1];
      if (unknown !== undefined)
        return { kind: 'error', text: `Unknown option ${unknown}. Available: --summarize.` };
      const wanted = findEntry(tree, place);
      const isAsked = at >= 0;
      return go(session, { ui, signal }, { wanted, summarize: isAsked ? focus || true : undefined });
    },
  },
  undo: {
    run: async (_args, context) => {
      const { undoLastTurn } = await import('../rewind/rewind.ts');
      return undoLastTurn(context);
    },
  },
  rewind: {
    complete: async (prefix, { session }) => {
      const { completeRewind } = await import('../rewind/rewind.ts');
      return completeRewind(prefix, session);
    },
    run: async (args, context) => {
      const { rewind } = await import('../rewind/rewind.ts');
      return rewind(args, context);
    },
  },
};

function show(tree: SessionTree, { all }: { readonly all: boolean }): CommandOutcome {
  const drawn = renderTree(tree, { all, unicode: showsUnicode(process.env, process.platform) });
  const ids = [...tree.ids()].filter((id) => all || tree.kindOf(id) === 'prompt');
  const data = { leaf: tree.leafId, entries: ids.flatMap((id) => tree.view(id) ?? []) };
  if (drawn === '') return { kind: 'notice', text: 'Nothing yet.', data };
  return {
    kind: 'notice',
    text: `${drawn}\n/tree NUMBER goes back to before a prompt; /tree all shows every entry.`,
    data,
  };
}

async function label(session: InteractiveSession, args: string): Promise<CommandOutcome> {
  const [, place, rest = ''] = /^(\S+)(?:\s+([\s\S]+))?$/.exec(args) ?? [];
  if (place === undefined)
    return {
      kind: 'error',
      text: 'Missing place. Use /tree label PLACE TEXT; without TEXT, the label is removed.',
    };
  const { branches } = session.getSession();
  const tree = branches.tree();
  const id = findEntry(tree, place);
  if (id === null)
    return { kind: 'error', text: 'The beginning has its own name, root, and takes no label.' };
  const text = rest === '-' ? '' : rest.replace(/\s+/g, ' ').trim();
  const problem = labelProblem(tree, text);
  if (problem !== undefined) return { kind: 'error', text: problem };
  const former = [...tree.ids()].filter((each) => each !== id && text !== '' && tree.labelOf(each) === text);
  for (const each of former) await branches.setLabel(each, '');
  await branches.setLabel(id, text);
  const moved = former.length === 0 ? '' : ` It was that of ${former.join(', ')}, which has none now.`;
  const told =
    text === ''
      ? `Entry ${id} no longer has a label.`
      : `Entry ${id} is "${text}": /tree ${text} goes there.`;
  return { kind: 'notice', text: told + moved, data: { id, label: text === '' ? null : text } };
}

type Asking = Pick<CommandContext<InteractiveSession>, 'ui' | 'signal'>;

interface Destination {
  /** The named entry; for a prompt, the position before it. */
  readonly wanted: string | null;
  readonly summarize: boolean | string | undefined;
}

async function go(
  session: InteractiveSession,
  asking: Asking,
  { wanted, summarize }: Destination,
): Promise<CommandOutcome> {
  const { branches } = session.getSession();
  const tree = branches.tree();
  const edit = wanted === null ? undefined : tree.promptOf(wanted);
  const to = edit === undefined || wanted === null ? wanted : (tree.view(wanted)?.parentId ?? null);
  if (to === tree.leafId && edit === undefined) return { kind: 'notice', text: 'You are already there.' };
  const carried = summarize ?? (branches.leavesWork(to) ? await askForSummary(asking) : false);
  if (carried === undefined) return { kind: 'notice', text: 'Nothing was changed.' };
  const left = tree.leafId;
  const moved = await session.moveTo(to, { summarize: carried });
  const notice = [
    edit === undefined
      ? 'The conversation continues from there.'
      : 'The conversation continues from before that prompt.',
    ...(left === null || left === to ? [] : [`/tree ${left} goes back.`]),
    ...(moved.summary === undefined ? [] : ['A summary of the branch you left came along.']),
    ...(moved.problem === undefined ? [] : [`The branch you left was not summarized: ${moved.problem}`]),
    ...(moved.model === undefined ? [] : [`The model is ${moved.model.name} again.`]),
    ...(moved.modelProblem === undefined ? [] : [`The model stays the same: ${moved.modelProblem}`]),
  ].join(' ');
  return edit === undefined
    ? { kind: 'notice', text: notice, data: { leaf: to } }
    : { kind: 'edit', text: edit, notice };
}

/** Asks whether to add a summary; undefined if the user cancels. */
async function askForSummary({ ui, signal }: Asking): Promise<boolean | undefined> {
  const title = 'Add a summary of the branch you are leaving?';
  const detail =
    'The model writes it and it goes into the conversation. Without it, the model knows nothing about that branch.';
  const answer = await ui.ask({ kind: 'confirm', title, detail }, signal);
  if (answer.kind === 'dismissed') return undefined;
  return answer.kind === 'confirmed' && answer.yes;
}
