import type { SessionStorePort } from '@robota-sdk/agent-sdk/front-end';
import type { Output } from '@robota-sdk/agent-transport-headless';
import type { LineReader } from '../ask/line-interface.ts';
import { describeLine } from '../sessions/describe-entry.ts';

/** Shows a session as another process writes it, until a key ends it. Writes nothing to it. */
export async function followSession(
  store: SessionStorePort,
  reference: string,
  { reader, output }: { readonly reader: LineReader; readonly output: Output },
): Promise<void> {
  const end = new AbortController();
  const ended = reader.ask('').then(() => end.abort());
  await output.write('Watching; press Enter to stop.\n');
  for await (const line of store.follow(reference, { signal: end.signal })) {
    const text = line.kind === 'entry' ? describeLine(line.entry, { full: false }) : undefined;
    if (text !== undefined) await output.say(text);
    if (line.kind === 'fact' && line.fact.type === 'leaf')
      await output.write('[continues from another entry]\n');
  }
  await ended;
}
