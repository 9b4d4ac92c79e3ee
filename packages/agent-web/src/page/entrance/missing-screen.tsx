import { AppShell, BackButton, TopTitle } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/notices.tsx';

/** An address without a screen. */
export function MissingScreen() {
  return (
    <AppShell
      title="Not found"
      detail
      bar={
        <>
          <BackButton />
          <TopTitle title="Not found" />
        </>
      }
    >
      <EmptyState action={<Button href="/">Open the board</Button>}>No screen has this address.</EmptyState>
    </AppShell>
  );
}
