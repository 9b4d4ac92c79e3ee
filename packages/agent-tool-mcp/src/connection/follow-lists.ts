import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';

const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/**
 * Listens for changes of what a server offers, until the signal: since 2026-07-28 it tells only those who ask. A stream that
 * breaks off is opened again, and then `onChange` is called, since a change may have been missed.
 */
export async function followLists(client: Client, onChange: () => void, signal: AbortSignal): Promise<void> {
  const { tools, prompts } = client.getServerCapabilities() ?? {};
  const wanted = {
    ...(tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
  };
  if (client.getProtocolEra() !== 'modern' || Object.keys(wanted).length === 0) return;
  let pauseMs = firstPauseMs;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const startedAt = performance.now();
    try {
      const subscription = await client.listen(wanted, { signal });
      if (!isFirst) onChange();
      if ((await subscription.closed) !== 'remote') return;
    } catch {
      // A server that refuses the first time does so always.
      if (isFirst) return;
    }
    await pause(pauseMs, undefined, { ref: false, signal }).catch(() => {});
    const isStable = performance.now() - startedAt > longestPauseMs;
    pauseMs = isStable ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
  }
}
