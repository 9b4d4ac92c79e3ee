import { oneLine } from '../../trust/one-line.ts';

type McpServerState = import('@robota-sdk/agent-tool-mcp').McpServerState;

const words: Readonly<Record<McpServerState['status'], string>> = {
  disabled: 'disabled',
  failed: 'FAILED',
  idle: 'not started yet',
  'needs-login': 'needs a login',
  ready: 'ready',
  starting: 'starting',
  stopped: 'stopped',
  unapproved: 'changed',
};

type Advice = (state: McpServerState) => string;

const inSession: Advice = ({ name }) => `/mcp approve ${name} shows and uses it`;

/** Servers with their state, what they offer and what that costs, for people; `advice` is how one agrees to a change. */
export function describeStates(states: readonly McpServerState[], advice = inSession): string {
  return states.flatMap((state) => linesOf(state, advice)).join('\n');
}

function linesOf(state: McpServerState, advice: Advice): string[] {
  const { name, status, tools, prompts, hasResources, leftOut, withheld, tokens, startMs, restarts, error } =
    state;
  const count = (list: readonly unknown[], one: string) =>
    `${list.length} ${list.length === 1 ? one : `${one}s`}`;
  const parts = [
    words[status],
    ...(tools.length > 0
      ? [`${count(tools, 'tool')}, about ${tokens} tokens if all are in the request`]
      : []),
    ...(leftOut === undefined ? [] : [`${leftOut} more that can not be used`]),
    ...(withheld === undefined ? [] : [`${withheld} new or changed, not used`]),
    ...(prompts.length > 0 ? [count(prompts, 'prompt')] : []),
    ...(hasResources ? ['resources'] : []),
    ...(startMs === undefined ? [] : [`started in ${startMs} ms`]),
    ...(restarts > 0 ? [`restarted ${restarts} ${restarts === 1 ? 'time' : 'times'}`] : []),
  ];
  return [
    `${name}: ${parts.join(', ')}`,
    ...(error === undefined ? [] : [`    ${error.split('\n').map(oneLine).join('\n    ')}`]),
    ...(status === 'unapproved' || withheld !== undefined
      ? [`    it describes itself in other words than before; ${advice(state)}`]
      : []),
    ...(status === 'needs-login' && error === undefined ? [`    robota mcp login ${name}`] : []),
  ];
}
