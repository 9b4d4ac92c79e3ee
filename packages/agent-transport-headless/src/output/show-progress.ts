import {
  describeLimitWait,
  failureExcerpt,
  failureName,
  type SessionEvent,
  textOf,
  toolStateOf,
} from '@robota-sdk/agent-sdk/front-end';
import type { Output } from './output.ts';

/** Prints events as lines of text, for watching a run without a terminal UI. */
export function showProgress(output: Output): (event: SessionEvent) => void | Promise<void> {
  const calls = new CallLines();
  let isThinking = false;
  return (event) => {
    const isBegun = event.type === 'thinking-delta' && !isThinking;
    isThinking = event.type === 'thinking-delta' || (isThinking && event.type !== 'thinking-end');
    const told = textFor(event, output, calls);
    // Without colours nothing else tells it from the answer.
    const text = isBegun && told !== undefined ? `thinking: ${told}` : told;
    return text === undefined ? undefined : output.write(text);
  };
}

function textFor(event: SessionEvent, output: Output, calls: CallLines): string | undefined {
  switch (event.type) {
    case 'text-delta':
      return output.clean(event.text);
    case 'text-end':
    case 'thinking-end':
      // Also ends a control sequence left open, which would swallow the line after it.
      return output.clean('\n');
    case 'text-restart':
      return '\n[connection lost; restarting the answer]\n';
    case 'thinking-delta':
      return output.colour ? `\u001b[2m${output.clean(event.text)}\u001b[22m` : output.clean(event.text);
    case 'tool-start':
      return output.clean(calls.start(event));
    case 'tool-end':
      return output.clean(calls.end(event));
    case 'server-tool':
      return output.clean(`⏺ ${event.content.name} ${event.content.summary}\n`);
    case 'notice-show':
      return output.clean(`robota: ${event.text}\n`);
    case 'retry-wait': {
      const seconds = Math.max(1, Math.round(event.delayMs / 1000));
      const retry = `retry ${event.attempt} of ${event.maxAttempts} in ${seconds} s`;
      return `robota: waiting for ${event.model.vendor}, ${retry} (${failureName(event.failure.code)})\n`;
    }
    case 'limit-wait':
      return `robota: ${describeLimitWait(event)}\n`;
    case 'limit-end':
      return `robota: the limit of ${event.model.vendor} has reset; resuming\n`;
    case 'model-switch':
      return `robota: ${event.from.id} failed (${failureName(event.failure.code)}); continuing with ${event.to.id}\n`;
    default:
      return undefined;
  }
}

/** How many lines of a result are shown. */
const shownCount = 3;

type Started = Extract<SessionEvent, { type: 'tool-start' }>;
type Ended = Extract<SessionEvent, { type: 'tool-end' }>;

/** The lines of calls and results; a result that does not stand right below its call names it. */
class CallLines {
  readonly #running = new Set<string>();
  #last: string | undefined;

  start({ call }: Started): string {
    this.#running.add(call.id);
    this.#last = call.id;
    return `⏺ ${nameOf(call)}\n`;
  }

  end({ call, status, result }: Ended): string {
    const isClear = this.#running.size === 1 && this.#last === call.id;
    this.#running.delete(call.id);
    this.#last = undefined;
    return `  ⎿ ${isClear ? '' : `${nameOf(call)} `}${status}: ${shownLines(textOf(result.content), status)}\n`;
  }
}

function nameOf(call: Started['call']): string {
  if (call.raw !== undefined) return writtenName(call.raw, call);
  const { toolName, firstArg } = toolStateOf(call);
  // The main argument of a server's tool is unknown.
  if (toolName.startsWith('mcp__')) return `${toolName} ${JSON.stringify(call.input).slice(0, 120)}`;
  return `${toolName}(${firstArg.slice(0, 80)})`;
}

/** A call that a model wrote into its text is shown in the words of its protocol, with the arguments it comes to. */
function writtenName(raw: string, { name, input, invalid }: Started['call']): string {
  const path = /<tool_call\s[^<>]*#[\w-]*>\s*([\w$.-]+)\s*\(/.exec(raw)?.[1];
  if (path === undefined && invalid !== undefined) return `a call that cannot be read: ${oneLine(raw)}`;
  return `${(path ?? name).slice(0, 80)} ${JSON.stringify(input).slice(0, 120)}`;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 120);
}

/** The first lines of a result; of a failure, those that say what went wrong and the last ones. */
function shownLines(text: string, status: Ended['status']): string {
  const lines = text.trimEnd().split('\n');
  // A line that says how many are hidden takes the place of one.
  if (lines.length <= shownCount + 1) return lines.join('\n    ');
  const failed = status === 'error' ? failureExcerpt(text.trimEnd()) : undefined;
  if (failed)
    return failed
      .map((part) => (typeof part === 'string' ? part : `… ${part.hidden} more lines`))
      .join('\n    ');
  const left = `… ${lines.length - shownCount} more lines`;
  const shown =
    status === 'error' ? [left, ...lines.slice(-shownCount)] : [...lines.slice(0, shownCount), left];
  return shown.join('\n    ');
}
