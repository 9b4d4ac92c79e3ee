import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';

/** Everything of a run that is not on disk yet. */
export interface LiveAnswer {
  readonly text: string;
  /** The text of the answer before, which is an entry now. */
  readonly last: string;
  readonly thinking: string;
  /** Output so far of calls that run, by their ids. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Something that holds the run up, such as a retry. */
  readonly note: string | undefined;
}

export const noAnswer: LiveAnswer = { text: '', last: '', thinking: '', outputs: new Map(), note: undefined };

const mostOutput = 4000;

/** The live answer after an event. Events of subagents change nothing. */
export function advance(live: LiveAnswer, event: SessionEvent): LiveAnswer {
  if ('agentId' in event && event.agentId !== undefined) return live;
  switch (event.type) {
    case 'text-delta':
      return { ...live, text: live.text + event.text, note: undefined };
    case 'text-restart':
      return { ...live, text: '', thinking: '' };
    case 'thinking-delta':
      return { ...live, thinking: live.thinking + event.text, note: undefined };
    case 'tool-start':
      return { ...live, outputs: new Map(live.outputs).set(event.call.id, ''), note: undefined };
    case 'tool-progress': {
      const output = ((live.outputs.get(event.toolCallId) ?? '') + event.text).slice(-mostOutput);
      return { ...live, outputs: new Map(live.outputs).set(event.toolCallId, output) };
    }
    case 'tool-end':
      return withoutCall(live, event.call.id);
    case 'prompt-progress':
      return { ...live, note: `Reading the prompt: ${Math.round((event.processed / event.total) * 100)}%` };
    case 'retry-wait':
      return {
        ...live,
        note: `Retrying in ${Math.ceil(event.delayMs / 1000)} s, attempt ${event.attempt} of ${event.maxAttempts}.`,
      };
    case 'limit-wait':
      return { ...live, note: 'Waiting for the limit of the vendor to reset.' };
    case 'limit-end':
      return { ...live, note: undefined };
    case 'compaction-start':
      return { ...live, note: 'Summarizing earlier messages.' };
    case 'compaction-end':
      return { ...live, note: undefined };
    case 'notice-show':
      return event.level === 'info' ? live : { ...live, note: event.text };
    case 'run-start':
    case 'run-end':
      return { ...noAnswer, last: live.last };
    default:
      return live;
  }
}

/** An entry replaces its live form. */
export function settled(live: LiveAnswer, kind: string, callId: string | undefined): LiveAnswer {
  if (kind === 'answer') return { ...live, text: '', last: live.text, thinking: '', note: undefined };
  return callId === undefined ? live : withoutCall(live, callId);
}

function withoutCall(live: LiveAnswer, id: string): LiveAnswer {
  const outputs = new Map(live.outputs);
  outputs.delete(id);
  return { ...live, outputs };
}
