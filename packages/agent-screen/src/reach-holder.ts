/** Another process of the user that holds a session and can be asked for it. */
export interface ReachedHolder {
  /** As in "in use by robota web (process 4711)". */
  readonly name: string;
  /** Asks it to let go; a process with an active run refuses unless it may stop it. */
  takeOver(options: {
    readonly stop: boolean;
  }): Promise<{ readonly isFree: boolean; readonly why?: string; readonly text?: string }>;
  close(): void;
}

/** Finds the process that holds a session, by the folder of links; undefined where it cannot be reached. */
export async function reachHolder(
  folder: string,
  { id, file }: { readonly id: string; readonly file: string },
): Promise<ReachedHolder | undefined> {
  const { LinkFolder, visitLink } = await import('@robota-sdk/agent-link');
  const record = new LinkFolder(folder).find(id);
  const visit = record && (await visitLink(record, file).catch(() => undefined));
  if (!visit) return undefined;
  const { front, pid } = visit.holder;
  return {
    name: `${front === 'web' ? 'robota web' : 'robota in a terminal'} (process ${pid})`,
    takeOver: (options) => visit.handOver(options),
    close: () => visit.close(),
  };
}
