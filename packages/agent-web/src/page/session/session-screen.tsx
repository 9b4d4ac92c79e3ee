import { AppShell, BackButton, TopTitle } from '../components/app-shell.tsx';

export function SessionScreen({ id }: { readonly id: string }) {
  return (
    <AppShell
      title={id}
      detail
      bar={
        <>
          <BackButton />
          <TopTitle title={id} />
        </>
      }
    >
      {id}
    </AppShell>
  );
}
