import { isAbsolute, relative, resolve } from 'node:path';
import {
  countChanges,
  type InteractiveSession,
  localTime,
  pluralize,
  type RewindTurn,
  rewindTurns,
  type TurnFile,
} from '@robota-sdk/agent-sdk/front-end';
import { changeText, oneLine, truncateText } from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import { describeAge } from './describe-age.ts';
import { ListPanel } from './list-panel.ts';

/** Rewinds to before a prompt: first the prompt, then the scope. Returns false if there is none. */
export async function openRewindPicker(stage: Stage, session: InteractiveSession): Promise<boolean> {
  const turns = await rewindTurns(session);
  if (!turns || turns.length === 0) return false;
  const changes = changedLines(session);
  const { cwd } = session.place;
  const panel = new ListPanel<number>({
    stage,
    title: 'Go back to before which prompt?',
    search: 'list',
    items: turns.toReversed().map((turn) => ({
      value: turn.number,
      label: `${turn.number}. ${oneLine(turn.prompt) || '(nothing)'}`,
      cells: [{ text: describeAge(Date.parse(turn.time)), isRight: true }, { text: filesText(turn) }],
    })),
    hints: [
      { action: 'tui.select.confirm', text: 'select' },
      { action: 'tui.select.cancel', text: 'cancel' },
    ],
    detail: (number, width) => {
      const turn = turns.find((each) => each.number === number);
      return turn ? turnLines(turn, { changes, cwd, width, look: stage.look }) : [];
    },
    onSelect: (number) => {
      open.close();
      const turn = turns.find((each) => each.number === number);
      if (turn) askScope(stage, turn);
    },
    onCancel: () => open.close(),
  });
  const open = stage.openPanel(panel);
  return true;
}

function askScope(stage: Stage, turn: RewindTurn): void {
  const panel = new ListPanel<string>({
    stage,
    title: `Go back to before prompt ${turn.number}: what?`,
    items: [
      { value: 'both', label: 'Conversation and files' },
      { value: 'conversation', label: 'Only the conversation', description: 'Files stay as they are' },
      { value: 'files', label: 'Only the files', description: 'The conversation stays as it is' },
    ],
    hints: [
      { action: 'tui.select.confirm', text: 'go back' },
      { action: 'tui.select.cancel', text: 'cancel' },
    ],
    onSelect: (scope) => {
      open.close();
      stage.enter(`/rewind ${turn.number} ${scope}`);
    },
    onCancel: () => open.close(),
  });
  const open = stage.openPanel(panel);
}

function filesText({ files }: RewindTurn): string {
  return files.length === 0 ? 'no files' : pluralize(files.length, 'file');
}

interface TurnView {
  readonly changes: ReadonlyMap<string, LineCount>;
  readonly cwd: string;
  readonly width: number;
  readonly look: AppStyle;
}

const marks = { created: 'new', changed: 'changed', deleted: 'deleted' } as const;

function turnLines(turn: RewindTurn, { changes, cwd, width, look }: TurnView): readonly string[] {
  const cut = (text: string) => truncateText(`  ${text}`, width, look.glyphs.ellipsis);
  const files = turn.files.map((file) =>
    cut(fileText(file, { cwd, look, count: changes.get(keyOf(turn.entryId, file.path)) })),
  );
  const unknown = turn.unknown.map((why) => cut(`! changes made by a command are unknown: ${oneLine(why)}`));
  return [cut(localTime(Date.parse(turn.time) || 0)), ...files, ...unknown];
}

/** As `+12 −3 src/cart.ts`; where lines were not counted, what became of the file. */
function fileText(
  { path, change, isKept }: TurnFile,
  { count, cwd, look }: Pick<TurnView, 'cwd' | 'look'> & { readonly count: LineCount | undefined },
): string {
  const shown = isAbsolute(path) && !relative(cwd, path).startsWith('..') ? relative(cwd, path) : path;
  const what = count && change === 'changed' ? changeText(count, look) || marks[change] : marks[change];
  const lines = count && change === 'created' ? ` +${count.added}` : '';
  return `${what}${lines} ${oneLine(shown)}${isKept ? '' : ' (its previous content is not saved)'}`;
}

interface LineCount {
  readonly added: number;
  readonly removed: number;
}

/** The lines that tools added and removed, by prompt and file. What commands changed is not told in lines. */
function changedLines(session: InteractiveSession): ReadonlyMap<string, LineCount> {
  const { branches } = session;
  const tree = branches.tree();
  const counts = new Map<string, LineCount>();
  let prompt = '';
  for (const entry of branches.exported?.entries() ?? []) {
    if (entry.type !== 'message' || !tree.isActive(entry.id)) continue;
    if (tree.kindOf(entry.id) === 'prompt') prompt = entry.id;
    const { message } = entry;
    if (message.role !== 'tool' || message.display?.kind !== 'diff') continue;
    const { path } = message.display;
    const count = countChanges(message.display);
    const key = keyOf(prompt, resolve(session.place.cwd, path));
    const before = counts.get(key) ?? { added: 0, removed: 0 };
    counts.set(key, {
      added: before.added + count.added,
      removed: before.removed + count.removed,
    });
  }
  return counts;
}

function keyOf(prompt: string, path: string): string {
  return `${prompt} ${path}`;
}
