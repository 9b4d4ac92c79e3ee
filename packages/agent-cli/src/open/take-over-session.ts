import { basename, dirname, join } from 'node:path';
import type { ReachedHolder } from '@robota-sdk/agent-screen';
import { processHost, type UserInterface, userPaths } from '@robota-sdk/agent-sdk/front-end';

/** The process that holds a session's file, if it can be asked for it. */
export async function holderOf(reference: string | undefined): Promise<ReachedHolder | undefined> {
  if (reference === undefined || !reference.includes('/')) return undefined;
  const file = basename(reference) === 'session.jsonl' ? reference : join(reference, 'session.jsonl');
  const { reachHolder } = await import('@robota-sdk/agent-screen');
  const { links } = userPaths(await processHost());
  return reachHolder(links, { id: basename(dirname(file)), file });
}

/** Asks the holder to let go; the user decides whether a run is stopped for it. True if the session is free. */
export async function takeOver(holder: ReachedHolder, ui: UserInterface): Promise<boolean> {
  const outcome = await holder.takeOver({ stop: false });
  if (outcome.isFree) return true;
  if (outcome.why !== 'run-active') {
    ui.notify({ level: 'error', text: outcome.text ?? 'The session was not handed over.' });
    return false;
  }
  const answer = await ui.ask({
    kind: 'confirm',
    title: 'A run is active there. Stop it and take the session over?',
    prefersNo: true,
  });
  if (answer.kind !== 'confirmed' || !answer.yes) return false;
  return (await holder.takeOver({ stop: true })).isFree;
}
