import { plainText, visibleText } from '@robota-sdk/agent-export/page';
import type { BoardRow } from '../../contract/board.ts';
import { addressOf } from '../base/board-store.ts';
import { dollars, modelName, plainLine, plural, projectOf } from '../base/format.ts';
import { Age } from '../components/age.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { ChangeCounts, Meter, Tag } from '../components/status.tsx';

/** A session or a task as a card. Its title is the link, so that the keyboard needs one stop for it. */
export function SessionCard({ row, isFirst }: { readonly row: BoardRow; readonly isFirst: boolean }) {
  const since = row.asks?.since ?? row.modified;
  return (
    <article class={`card board-card ${row.column === 'needs-you' ? 'board-card-asks' : ''}`}>
      <p class="board-card-top">
        <span class="cut grow">
          {projectOf(row.cwd)}
          {row.branch !== undefined && (
            <>
              {' · '}
              <code>{row.branch}</code>
            </>
          )}
        </span>
        {row.kind === 'task' && <Tag icon="fleet">fleet</Tag>}
        {row.kind === 'session' && row.holder === 'elsewhere' && (
          <Tag
            icon="lock"
            title={row.front === 'terminal' ? 'Open in a terminal' : 'Open in another process'}
          >
            {row.front}
          </Tag>
        )}
        <Age time={since} />
      </p>
      <h3 dir="auto">
        <a href={addressOf(row)} data-card={row.id}>
          {plainText(row.title)}
        </a>
      </h3>
      <LastLine row={row} />
      <Progress row={row} />
      <p class="board-card-foot">
        <span class="cut">{modelName(row.model)}</span>
        <span>{dollars(row.cost)}</span>
        <span class="grow" />
        <FootEnd row={row} isFirst={isFirst} />
      </p>
    </article>
  );
}

function LastLine({ row }: { readonly row: BoardRow }) {
  const { asks } = row;
  if (asks)
    return (
      <p class={`board-card-last ${asks.isCode ? 'board-card-command' : ''}`}>
        <Tag tone="need">{asks.tag}</Tag>
        <br />
        {asks.isCode ? visibleText(asks.text) : `“${visibleText(asks.text)}”`}
      </p>
    );
  return (
    <p class={`board-card-last ${row.isCommand ? 'board-card-command' : ''}`}>
      {row.failed && (
        <Tag tone="bad" icon="cross">
          Failed
        </Tag>
      )}
      {row.isCommand && <Icon name="terminal" class="accent-text" />}{' '}
      {plainText(row.isCommand ? row.lastLine : plainLine(row.lastLine))}
    </p>
  );
}

function Progress({ row }: { readonly row: BoardRow }) {
  const { step } = row;
  if (row.column === 'running' && step)
    return (
      <p class="board-card-progress">
        <Meter share={step.share} label={`Step: ${step.name}`} />
        <span>{step.name}</span>
      </p>
    );
  if (row.column !== 'running' || row.todos === undefined || row.todos.total === 0) return null;
  const { done, total } = row.todos;
  return (
    <p class="board-card-progress">
      <Meter share={done / total} label={`${done} of ${plural(total, 'todo')} done`} />
      {row.turn !== undefined && <span>turn {row.turn}</span>}
    </p>
  );
}

function FootEnd({ row, isFirst }: { readonly row: BoardRow; readonly isFirst: boolean }) {
  if (row.column === 'needs-you')
    return (
      <Button
        kind={isFirst ? 'primary' : 'default'}
        href={addressOf(row)}
        {...(isFirst ? { keys: 'a' } : {})}
        label={`Answer: ${row.title}`}
      >
        Answer
      </Button>
    );
  if (row.changes) return <ChangeCounts added={row.changes.added} removed={row.changes.removed} />;
  if (row.column !== 'running') return null;
  if (row.todos && row.todos.total > 0)
    return (
      <span>
        {row.todos.done} of {row.todos.total} todos
      </span>
    );
  if (row.limit !== undefined) return <span>limit {dollars(row.limit)}</span>;
  return row.turn === undefined ? null : <span>turn {row.turn}</span>;
}
