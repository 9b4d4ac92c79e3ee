import { useEffect } from 'preact/hooks';
import { addressOf, rowsOf } from '../base/board-store.ts';
import { navigate } from '../base/router.ts';
import { followSession } from '../base/stream.ts';
import { AppShell } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/notices.tsx';

/** The place of the review where nothing waits for one; it leaves as soon as something does. */
export function NothingToReview() {
  const [next] = rowsOf('to-review');
  useEffect(() => followSession(undefined), []);
  useEffect(() => {
    if (next) navigate(addressOf(next), { replace: true });
  }, [next]);
  return (
    <AppShell title="Review" bar={<h1>Review</h1>}>
      <EmptyState action={<Button href="/">Board</Button>}>
        Nothing waits for a review. Sessions and tasks that changed files are listed here.
      </EmptyState>
    </AppShell>
  );
}
