import {
  type Entry,
  type Message,
  type SessionStorePort,
  spokenContent,
  textOf,
  toolStateOf,
} from '@robota-sdk/agent-sdk/front-end';
import type { Output } from '@robota-sdk/agent-transport-headless';
import type { LineReader } from '../ask/line-interface.ts';

/** Shows a session as another process writes it, until a key ends it. Writes nothing to it. */
export async function followSession(
  store: SessionStorePort,
  reference: string,
  { reader, output }: { readonly reader: LineReader; readonly output: Output },
): Promise<void> {
  const end = new AbortController();
  const ended = reader.ask('').then(() => end.abort());
  await output.write('Watching; Enter ends.\n');
  for await (const line of store.follow(reference, { signal: end.signal })) {
    if (line.kind === 'entry') await output.write(output.clean(textFor(line.entry)));
    if (line.kind === 'fact' && line.fact.type === 'leaf')
      await output.write('[continues from another entry]\n');
  }
  await ended;
}

function textFor(entry: Entry): string {
  if (entry.type === 'compaction') return '[earlier messages were summarized]\n';
  if (entry.type === 'shell') return `! ${entry.command}\n${entry.output.trimEnd()}\n`;
  return entry.type === 'message' ? messageText(entry.message) : '';
}

function messageText(message: Message): string {
  if (message.role === 'tool') return '';
  if (message.role === 'user')
    return message.origin === 'reminder' ? '' : `> ${textOf(spokenContent(message.content))}\n`;
  return message.content
    .map((block) => {
      if (block.type === 'text') return `${block.text}\n`;
      if (block.type !== 'tool-call') return '';
      const { toolName, firstArg } = toolStateOf(block);
      return `⏺ ${toolName}(${firstArg.split('\n', 1)[0]})\n`;
    })
    .join('');
}
