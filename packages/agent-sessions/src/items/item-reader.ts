import { type AssistantContent, type Message, type ShellRun, textOf } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import { isForPeople } from '../entry/is-for-people.ts';
import { spokenContent } from '../entry/spoken-content.ts';
import { withoutHeading } from '../entry/without-heading.ts';
import type { Item, ToolItem } from './item.ts';

/** Puts messages and entries in their order into items; results join the calls they belong to. */
export class ItemReader {
  readonly items: Item[] = [];
  /** The calls of the last answer that have no result. */
  readonly unanswered = new Set<string>();
  readonly #calls = new Map<string, number>();
  /** Who gave the answer before. */
  #model: string | undefined;

  addEntry(entry: Entry): void {
    switch (entry.type) {
      case 'message':
        return this.addMessage(entry.message);
      case 'shell':
        return this.#addShell(entry);
      case 'compaction':
        return this.#note(
          withText('The conversation up to here was summed up for the model.', entry.summary),
        );
      case 'branch_summary':
        return this.#note(withText('What was done on a branch that was left:', entry.summary));
      default:
        return;
    }
  }

  addMessage(message: Message): void {
    if (message.role === 'user') return this.#addUser(message);
    if (message.role === 'tool') return this.#addResult(message);
    this.#noteModel(message);
    this.unanswered.clear();
    for (const block of message.content) this.#addBlock(block);
    if (message.error) this.items.push({ kind: 'notice', level: 'error', text: message.error.message });
    else if (message.stopReason === 'aborted') this.#note('Interrupted.');
  }

  #addUser(message: Extract<Message, { role: 'user' }>): void {
    const { origin, content } = message;
    if (origin === 'summary') return;
    if (origin === 'pin') return this.#note(`Pinned: ${withoutHeading(message).trim()}`);
    if (origin === 'recall') return this.#note(`Brought back: ${withoutHeading(message).trim()}`);
    const text = textOf(spokenContent(content));
    // Of what is told to the model only, people see the summary of a branch that was left.
    if (origin === 'reminder') return isForPeople(message) ? this.#note(text) : undefined;
    const images = content.filter(({ type }) => type === 'image').map(() => '[image]');
    const said = [text, ...images].filter((part) => part !== '').join(' ');
    if (said.trim() !== '') this.items.push({ kind: 'user', text: said });
  }

  #addShell({ command, output, exitCode, status, durationMs, isPrivate }: ShellRun): void {
    const known = { kind: 'shell', command, output, exitCode, status, isPrivate } as const;
    this.items.push(durationMs === undefined ? known : { ...known, durationMs });
  }

  #addBlock(block: AssistantContent): void {
    switch (block.type) {
      case 'text':
        if (block.text.trim() !== '') this.items.push({ kind: 'answer', text: block.text });
        return;
      case 'thinking':
        if (block.text.trim() !== '') this.items.push({ kind: 'thinking', text: block.text });
        return;
      case 'tool-call':
        return this.#addCall({ id: block.id, name: block.name, input: block.input });
      case 'server-tool':
        if (block.phase === 'call')
          return this.#addCall({ id: block.id, name: block.name, input: { query: block.summary } });
        return this.#settle(block.id, { status: 'success', output: block.summary });
    }
  }

  /** Until its result is seen, a call counts as one that was cut off. */
  #addCall({ id, name, input }: { id: string; name: string; input: ToolItem['input'] }): void {
    this.#calls.set(id, this.items.length);
    this.unanswered.add(id);
    const output = 'No result was recorded: it was cut off, or it still runs.';
    this.items.push({ kind: 'tool', callId: id, name, input, status: 'aborted', output });
  }

  #addResult(message: Extract<Message, { role: 'tool' }>): void {
    const { toolCallId, toolName, content, display } = message;
    if (!this.#calls.has(toolCallId)) this.#addCall({ id: toolCallId, name: toolName, input: {} });
    const images = content.filter(({ type }) => type === 'image').map(() => '[image]');
    const output = [textOf(content), ...images].filter((part) => part !== '').join('\n');
    this.#settle(toolCallId, {
      status: message.status,
      output,
      ...(message.durationMs === undefined ? {} : { durationMs: message.durationMs }),
      ...(display === undefined ? {} : { display }),
    });
  }

  #settle(callId: string, result: Pick<ToolItem, 'status' | 'output' | 'display' | 'durationMs'>): void {
    this.unanswered.delete(callId);
    const index = this.#calls.get(callId);
    const item = index === undefined ? undefined : this.items[index];
    if (index === undefined || item?.kind !== 'tool') return;
    this.items[index] = { ...item, ...result };
  }

  #noteModel({ model: { vendor, id } }: Extract<Message, { role: 'assistant' }>): void {
    const name = `${vendor}/${id}`;
    if (this.#model !== undefined && this.#model !== name) this.#note(`Model: ${name}`);
    this.#model = name;
  }

  #note(text: string): void {
    this.items.push({ kind: 'notice', level: 'info', text });
  }
}

function withText(heading: string, text: string): string {
  return text.trim() === '' ? heading : `${heading}\n\n${text.trim()}`;
}
