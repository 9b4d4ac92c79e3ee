import {
  callStateOf,
  type Display,
  describeEnd,
  isDisplay,
  pluralize,
  type ToolMessage,
} from '@robota-sdk/agent-core';

/** The result of a call, or why it did not run, in a few words for its line. */
export function resultWords(message: ToolMessage): { readonly note?: string; readonly end?: string } {
  if (message.isError) return { end: endOf(message) };
  const note = isDisplay(message.display) ? noteOf(message.display) : undefined;
  if (note !== undefined) return { note };
  return callStateOf(message, message.ran?.input) === 'done' ? {} : { end: describeEnd(message) };
}

function endOf(message: ToolMessage): string {
  const { status, permission, display } = message;
  const end = describeEnd(message);
  if (status === 'denied' && permission?.kind === 'rule') return `denied by rule ${permission.rule}`;
  if (status === 'denied' && permission?.kind === 'mode') return `denied in ${permission.mode} mode`;
  const said = permission?.kind === 'declined' ? permission.said : undefined;
  if (status === 'denied' && said !== undefined) return `denied: “${said}”`;
  const brief = isDisplay(display) && display.kind === 'text' ? display.brief : undefined;
  return status === 'error' && brief !== undefined ? `${end}: ${brief}` : end;
}

function noteOf(display: Display): string | undefined {
  if (display.kind === 'list') return matches(display.total);
  if (display.kind === 'file') return pluralize(display.text.trimEnd().split('\n').length, 'line');
  if (display.kind === 'plan' && display.outcome === 'approved')
    return display.mode === undefined ? 'approved' : `approved, ${display.mode}`;
  if (display.kind !== 'text') return undefined;
  if (display.task !== undefined) return `${display.task} in the background`;
  if (display.matches !== undefined) return matches(display.matches);
  return display.calls === undefined ? undefined : pluralize(display.calls, 'call');
}

function matches(count: number): string {
  return `${count} ${count === 1 ? 'match' : 'matches'}`;
}
