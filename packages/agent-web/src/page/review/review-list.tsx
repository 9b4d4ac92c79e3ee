import { useEffect, useState } from 'preact/hooks';
import { addressOf, boardRows, rowsOf } from '../base/board-store.ts';
import { focusSoon } from '../base/focus.ts';
import { plural, projectOf } from '../base/format.ts';
import { navigate } from '../base/router.ts';
import { followSession } from '../base/stream.ts';
import { Age } from '../components/age.tsx';
import { AppShell, TopTitle } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { EmptyState, Loading } from '../components/notices.tsx';
import { ChangeCounts } from '../components/status.tsx';

/** Everything that waits for a review. A single one opens at once, unless the user has seen the list. */
export function ReviewList() {
  const rows = rowsOf('to-review');
  const [isListed, setListed] = useState(false);
  const [next] = rows;
  const isSingle = rows.length === 1 && !isListed;
  useEffect(() => followSession(undefined), []);
  useEffect(() => {
    if (rows.length > 1) setListed(true);
    if (next && isSingle) navigate(addressOf(next), { replace: true });
  }, [next, isSingle, rows.length]);
  useEffect(() => {
    if (isListed) focusSoon('.review-list a');
  }, [isListed]);
  const detail = rows.length > 1 ? { detail: `${plural(rows.length, 'review')} wait` } : {};
  return (
    <AppShell title="Review" bar={<TopTitle title="Review" {...detail} />}>
      {boardRows.value === undefined && <Loading rows={3} />}
      {boardRows.value !== undefined && rows.length === 0 && (
        <EmptyState action={<Button href="/">Board</Button>}>
          Nothing waits for a review. Sessions and tasks that changed files are listed here.
        </EmptyState>
      )}
      <ul class="review-list">
        {rows.map((row) => (
          <li key={row.id}>
            <a class="card" href={addressOf(row)}>
              <span class="grow">
                <b>{row.title}</b>
                <span class="small dim">
                  {projectOf(row.cwd)}
                  {row.branch !== undefined && ` · ${row.branch}`}
                  {row.kind === 'task' && ' · fleet'}
                </span>
              </span>
              {row.changes && <ChangeCounts added={row.changes.added} removed={row.changes.removed} />}
              <Age time={row.modified} />
            </a>
          </li>
        ))}
      </ul>
    </AppShell>
  );
}
