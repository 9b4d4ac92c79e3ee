import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BoardRow } from '../../contract/board.ts';
import { messageOf, post } from '../base/api.ts';
import { addressOf, boardError, boardRows, loadBoard, rowsOf, today } from '../base/board-store.ts';
import { now } from '../base/clock.ts';
import { dollars, plural, spokenSpan } from '../base/format.ts';
import { type KeyBinding, useKeys } from '../base/keys.ts';
import { navigate } from '../base/router.ts';
import { setter } from '../base/setter.ts';
import { followSession } from '../base/stream.ts';
import { AppShell } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Kbd } from '../components/kbd.tsx';
import { PhoneMenu } from '../components/more-menu.tsx';
import { EmptyState, ErrorCard, Loading } from '../components/notices.tsx';
import { Segmented } from '../components/segmented.tsx';
import { Meter, StatusDot } from '../components/status.tsx';
import {
  type ColumnName,
  cardsByColumn,
  columns,
  filter,
  neighbourOf,
  phoneColumn,
  shownCards,
  showsAllDone,
} from './board-columns.ts';
import { focusedCard, useCardMotion } from './card-motion.ts';
import { isNewSessionOpen } from './new-session.tsx';
import { SessionCard } from './session-card.tsx';

const hints = 'j/k move · h/l column · enter open · a answer · r review · x stop · n new session';

/** Every session and task, by what it needs. */
export function BoardScreen() {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => followSession(undefined), []);
  useKeys(useMemo(() => boardKeys(search, setProblem), []));
  const projects = new Set([...(boardRows.value?.values() ?? [])].map(({ cwd }) => cwd)).size;
  return (
    <AppShell
      title="Board"
      hints={hints}
      bar={
        <>
          <h1>Board</h1>
          <span class="dim wide">{projects > 0 && `${plural(projects, 'project')} on this machine`}</span>
          <span class="grow" />
          <label class="field board-filter">
            <Icon name="search" />
            <input
              ref={search}
              type="search"
              placeholder="Filter by project, model or text"
              aria-label="Filter"
              value={filter.value}
              onInput={(event) => {
                filter.value = event.currentTarget.value;
              }}
            />
            <Kbd keys="/" />
          </label>
          <Button kind="primary" icon="plus" keys="n" label="New session" onClick={openNewSession}>
            <span class="wide">New session</span>
          </Button>
          <PhoneMenu />
        </>
      }
    >
      {problem !== undefined && <ErrorCard title="That did not work." message={problem} />}
      <BoardContent />
    </AppShell>
  );
}

const openNewSession = setter(isNewSessionOpen, true);

function BoardContent() {
  const rows = boardRows.value;
  const box = useCardMotion();
  if (boardError.value !== undefined && rows === undefined)
    return (
      <ErrorCard title="Cannot read the board." message={boardError.value} onRetry={() => void loadBoard()} />
    );
  if (rows === undefined) return <Loading rows={4} />;
  if (rows.size === 0)
    return (
      <EmptyState action={<Button onClick={openNewSession}>New session</Button>}>
        No sessions yet. Start one here or run <code>robota</code> in a project.
      </EmptyState>
    );
  const chosen = phoneColumn.value ?? firstColumn();
  return (
    <>
      <Summary />
      <Segmented
        class="board-tabs"
        label="Column"
        value={chosen}
        options={columns.map(({ name, short }) => ({
          value: name,
          text: `${short} ${cardsByColumn.value.get(name)?.filter(({ waits }) => !waits).length ?? 0}`,
        }))}
        onChange={(name) => {
          phoneColumn.value = name;
        }}
      />
      <div ref={box} class="board-columns">
        {columns.map(({ name }) => (
          <Column key={name} name={name} isChosen={name === chosen} />
        ))}
      </div>
    </>
  );
}

/** The first column with a card. */
function firstColumn(): ColumnName {
  return columns.find(({ name }) => (cardsByColumn.value.get(name)?.length ?? 0) > 0)?.name ?? 'needs-you';
}

function Column({ name, isChosen }: { readonly name: ColumnName; readonly isChosen: boolean }) {
  const cards = shownCards(name);
  const all = cardsByColumn.value.get(name)?.length ?? 0;
  const { title, status } = columns.find((column) => column.name === name) ?? columns[0];
  const hidden = all - cards.length;
  const waiting = cards.filter(({ waits }) => waits);
  const card = (row: BoardRow, index: number) => <SessionCard key={row.id} row={row} isFirst={index === 0} />;
  return (
    <section class={`board-column ${isChosen ? 'board-column-chosen' : ''}`} aria-label={title}>
      <header>
        <StatusDot status={status} />
        <h2>{title}</h2>
        <span class="dim">{all - waiting.length}</span>
        <span class="grow" />
        {hidden > 0 && (
          <Button kind="quiet" onClick={setter(showsAllDone, true)}>
            Show all {all}
          </Button>
        )}
      </header>
      {cards.filter(({ waits }) => !waits).map(card)}
      {waiting.length > 0 && (
        <h3 class="board-waiting">
          <Icon name="clock" /> Queued <span class="dim">{waiting.length}</span>
        </h3>
      )}
      {waiting.map(card)}
      {cards.length === 0 && (
        <p class="board-none">{filter.value === '' ? 'None' : 'None match the filter'}</p>
      )}
    </section>
  );
}

function Summary() {
  const waiting = rowsOf('needs-you');
  const running = rowsOf('running').filter(({ waits }) => !waits).length;
  const spent = today.value;
  const since = waiting[0]?.asks?.since;
  return (
    <div class="board-summary">
      <p role="status">
        <b>
          {waiting.length === 0
            ? 'Nothing needs you.'
            : `${plural(waiting.length, 'session')} ${waiting.length === 1 ? 'needs' : 'need'} you.`}
        </b>{' '}
        <span class="dim">
          {since !== undefined && <Waiting since={since} isOnly={waiting.length === 1} />}
          {waiting.length === 0 && running > 0 && `${plural(running, 'session')} running.`}
        </span>
      </p>
      {spent && (
        <p class="board-today">
          <span>
            Today <b>{dollars(spent.cost)}</b>
            {spent.budget !== undefined && ` of ${dollars(spent.budget)}`}
          </span>
          {spent.budget !== undefined && spent.budget > 0 && (
            <Meter
              share={spent.cost / spent.budget}
              tone={spent.cost > spent.budget ? 'bad' : 'accent'}
              label={`${Math.round((spent.cost / spent.budget) * 100)}% of today's budget`}
            />
          )}
        </p>
      )}
    </div>
  );
}

/** Draws itself again each second, unlike the cards beside it. */
function Waiting({ since, isOnly }: { readonly since: number; readonly isOnly: boolean }) {
  return (
    <>
      {isOnly ? 'It' : 'The oldest'} has been waiting for {spokenSpan(now.value - since)}.
    </>
  );
}

type Moves = 'up' | 'down' | 'left' | 'right';

function boardKeys(
  search: { readonly current: HTMLInputElement | null },
  report: (problem: string | undefined) => void,
): readonly KeyBinding[] {
  const move = (to: Moves) => () => focusCard(neighbourOf(focusedCard(), to));
  const onRow = (act: (row: BoardRow) => unknown) => () => {
    const row = boardRows.value?.get(focusedCard() ?? '');
    return row ? act(row) : false;
  };
  const send = (path: `/api/${string}`, body: unknown = {}) => {
    post(path, body).then(
      () => report(undefined),
      (error: unknown) => report(messageOf(error)),
    );
  };
  return [
    { keys: 'j', label: 'Next card', act: move('down') },
    { keys: 'k', label: 'Previous card', act: move('up') },
    { keys: 'h', label: 'Column to the left', act: move('left') },
    { keys: 'l', label: 'Column to the right', act: move('right') },
    { keys: 'down', act: move('down') },
    { keys: 'up', act: move('up') },
    { keys: 'left', act: move('left') },
    { keys: 'right', act: move('right') },
    { keys: 'enter', label: 'Open', act: () => false },
    {
      keys: 'a',
      label: 'Answer',
      act: () => {
        const focused = boardRows.value?.get(focusedCard() ?? '');
        const row = focused && focused.questions > 0 ? focused : rowsOf('needs-you')[0];
        if (row) navigate(addressOf({ ...row, column: 'needs-you' }));
      },
    },
    {
      keys: 'r',
      label: 'Review',
      act: onRow((row) =>
        navigate(`/${row.kind === 'task' ? 'tasks' : 's'}/${encodeURIComponent(row.id)}/review`),
      ),
    },
    {
      keys: 'x',
      label: 'Stop',
      act: onRow((row) =>
        row.kind === 'task'
          ? send('/api/fleet/stop', { id: row.id })
          : send(`/api/sessions/${encodeURIComponent(row.id)}/stop`),
      ),
    },
    {
      keys: 'R',
      label: 'Retry a task',
      act: onRow((row) => row.kind === 'task' && send('/api/fleet/retry', { id: row.id })),
    },
    { keys: '/', label: 'Filter', act: () => search.current?.focus() },
    {
      keys: 'esc',
      label: 'Clear the filter',
      inText: true,
      act: () => {
        filter.value = '';
        search.current?.blur();
      },
    },
  ];
}

function focusCard(id: string | undefined): void {
  for (const card of document.querySelectorAll<HTMLElement>('[data-card]'))
    if (card.dataset.card === id) {
      card.focus();
      card.closest('.board-card')?.scrollIntoView({ block: 'nearest' });
    }
}
