import { type AgentEvent, textOf } from '@robota-sdk/agent-sdk';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { indent, leadOf } from '../items/render-item.ts';
import { renderTool } from '../items/render-tool.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { Transcript } from './transcript.ts';

type Started = Extract<AgentEvent, { type: 'tool-start' }>;
type Ended = Extract<AgentEvent, { type: 'tool-end' }>;

interface LiveTool {
  item: ToolItem;
  readonly startedAt: number;
}

/** Of what a running command prints, only the end is kept. */
const keptOutput = 16_384;
/** More calls than this are told by their number while they run. */
const shownTools = 12;

/** The calls of a batch: those that run are live; finished ones go into the scrollback in the order they were made. */
export class LiveTools {
  readonly #transcript: Transcript;
  readonly #look: AppStyle;
  #tools: LiveTool[] = [];
  /** The calls of the last answer that are not printed yet: some start later than others made after them. */
  #order: string[] = [];

  constructor(look: AppStyle, transcript: Transcript) {
    this.#look = look;
    this.#transcript = transcript;
  }

  /** The calls that are running. */
  get running(): readonly ToolItem[] {
    return this.#tools.flatMap(({ item }) => (item.status === 'running' ? [item] : []));
  }

  /** The calls of a batch that is not finished. */
  get pending(): readonly ToolItem[] {
    return this.#tools.map(({ item }) => item);
  }

  /** Takes the order of the calls that an answer makes. */
  expect(callIds: readonly string[]): void {
    this.#order = [];
    this.#printFinished();
    this.#order = [...callIds];
  }

  start({ call }: Started, now: number): void {
    const { id: callId, name, input } = call;
    const item: ToolItem = { kind: 'tool', callId, name, input, status: 'running', output: '' };
    this.#tools.push({ item, startedAt: now });
    const places = new Map(this.#order.map((id, place) => [id, place]));
    const placeOf = (tool: LiveTool) => places.get(tool.item.callId) ?? places.size;
    this.#tools.sort((a, b) => placeOf(a) - placeOf(b));
  }

  progress(callId: string, text: string): void {
    const tool = this.#tools.find(({ item }) => item.callId === callId);
    if (!tool) return;
    const output = tool.item.output + text;
    tool.item = {
      ...tool.item,
      output: output.length > 2 * keptOutput ? output.slice(-keptOutput) : output,
    };
  }

  end({ call, status, result, durationMs }: Ended): void {
    const { id: callId, name, input } = call;
    const output = textOf(result.content);
    const { display } = result;
    const item: ToolItem = { kind: 'tool', callId, name, input, status, output, display, durationMs };
    const tool = this.#tools.find((each) => each.item.callId === callId);
    if (tool) tool.item = item;
    else this.#tools.push({ item, startedAt: 0 });
    this.#printFinished();
  }

  /** The run is over: what still seems to run has been broken off. */
  stop(): void {
    this.#order = [];
    for (const tool of this.#tools)
      if (tool.item.status === 'running') tool.item = { ...tool.item, status: 'aborted' };
    this.#printFinished();
  }

  render(columns: number, now: number): readonly string[] {
    if (this.#tools.length === 0) return [];
    const look = this.#look;
    const lead = leadOf({ kind: 'tool' }, { look, columns, previous: this.#transcript.previous });
    const shown = this.#tools.slice(0, shownTools);
    const lines = shown.flatMap(({ item, startedAt }) => {
      const safe = this.#transcript.redacted(item);
      const timed = item.status === 'running' ? { ...safe, durationMs: now - startedAt } : safe;
      const view = { look, columns: Math.max(1, columns - indent.length) };
      return renderTool(timed, view).map((line) => indent + line);
    });
    const left = this.#tools.length - shown.length;
    const more = left > 0 ? [look.paint('dim', `${indent}${look.glyphs.ellipsis} and ${left} more`)] : [];
    return [...lead, ...lines, ...more];
  }

  #printFinished(): void {
    while (this.#tools[0] && this.#tools[0].item.status !== 'running') {
      const { item } = this.#tools[0];
      const place = this.#order.indexOf(item.callId);
      if (place > 0) return;
      this.#transcript.print(item);
      this.#tools.shift();
      this.#order.splice(0, place + 1);
    }
  }
}
