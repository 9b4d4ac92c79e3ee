import type { EventSink } from './agent-run.ts';
import type { AgentEvent } from './events.ts';

/** Takes secrets out of texts. */
export interface SecretHider {
  (text: string): string;
  /** How many characters at the end of a text may be the beginning of a secret. */
  openEnd?(text: string): number;
}

/** The next attempt may complete what the last one began. */
const attempts: ReadonlySet<AgentEvent['type']> = new Set([
  'retry-wait',
  'limit-wait',
  'limit-end',
  'model-switch',
]);

type Delta = Extract<AgentEvent, { type: 'text-delta' | 'thinking-delta' }>;

/** Events of one turn without secrets, also without those that come in several pieces. */
export interface HiddenStream {
  readonly emit: EventSink;
  /** Shows what was held back; to be called when no more can come. */
  end(): void | Promise<void>;
}

/** Holds back the end of a text as long as it may become a secret: at most as much as a secret is long. */
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

/** Does something at once where there is nothing to wait for. */
function after(before: void | Promise<void>, next: () => void | Promise<void>): void | Promise<void> {
  return before instanceof Promise ? before.then(next) : next();
}
