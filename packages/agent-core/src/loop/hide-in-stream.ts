import type { EventSink } from './agent-run.ts';
import type { AgentEvent } from './events.ts';

/** Takes secrets out of texts. */
export interface SecretHider {
  (text: string): string;
  /** Number of characters at the end of a text that may start a secret. */
  openEnd?(text: string): number;
}

/** The next attempt may complete a secret that the last one began. */
const attempts: ReadonlySet<AgentEvent['type']> = new Set([
  'retry-wait',
  'limit-wait',
  'limit-end',
  'model-switch',
]);

type Delta = Extract<AgentEvent, { type: 'text-delta' | 'thinking-delta' }>;

/** The events of one turn without secrets, including secrets split across events. */
export interface HiddenStream {
  readonly emit: EventSink;
  /** Emits the text that was held back; call it after the last event. */
  end(): void | Promise<void>;
}

/** Holds back the end of a text while it may be the start of a secret, at most the length of a secret. */
export function hideInStream(emit: EventSink, hide: SecretHider | undefined): HiddenStream {
  if (!hide) return { emit, end: () => {} };
  let held: Delta | undefined;
  const end = () => {
    const rest = held;
    held = undefined;
    return rest && emit(rest);
  };
  const pass = (delta: Delta) => {
    const text = hide((held?.text ?? '') + delta.text);
    const open = hide.openEnd?.(text) ?? 0;
    const shown = text.slice(0, text.length - open);
    held = open === 0 ? undefined : { type: delta.type, text: text.slice(text.length - open) };
    return shown === '' ? undefined : emit({ type: delta.type, text: shown });
  };
  const receive = (event: AgentEvent) => {
    if (event.type === 'text-delta' || event.type === 'thinking-delta') {
      return held === undefined || held.type === event.type ? pass(event) : after(end(), () => pass(event));
    }
    if (attempts.has(event.type)) return emit(event);
    if (event.type === 'text-restart') held = undefined;
    return after(end(), () => emit(event));
  };
  return { emit: receive, end };
}

/** Calls `next` synchronously if there is nothing to wait for. */
function after(before: void | Promise<void>, next: () => void | Promise<void>): void | Promise<void> {
  return before instanceof Promise ? before.then(next) : next();
}
