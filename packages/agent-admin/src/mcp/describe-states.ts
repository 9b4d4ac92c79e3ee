import { escapedLine } from '@robota-sdk/agent-config';
import { pluralize } from '@robota-sdk/agent-core';

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

/** Further facts for the description. */
interface DescribeOptions {
  /** How one agrees to what changed. */
  advice?(state: McpServerState): string;
  /** How many resources servers have, by their names. */
  readonly resources?: ReadonlyMap<string, number>;
}

/** Servers with their state, offers and token costs, as text. */
export function describeStates(states: readonly McpServerState[], options: DescribeOptions = {}): string {
  return states.flatMap((state) => linesOf(state, options)).join('\n');
}

function linesOf(
  state: McpServerState,
  { resources, advice = ({ name }) => `/mcp approve ${name} shows and uses it` }: DescribeOptions,
): string[] {
  const { name, status, tools, prompts, hasResources, leftOut, withheld, tokens, startMs, restarts, error } =
    state;
  const { leftOutTools = [] } = state;
  const counted = resources?.get(name);
  const parts = [
    words[status],
    ...(tools.length > 0
      ? [`${plural(tools.length, 'tool')}, about ${tokens} tokens if all are in the request`]
      : []),
    ...(leftOut === undefined ? [] : [`${leftOut} more that cannot be used`]),
    ...(withheld === undefined ? [] : [`${withheld} new or changed, not used`]),
    ...(prompts.length > 0 ? [plural(prompts.length, 'prompt')] : []),
    ...(hasResources ? [counted === undefined ? 'resources' : plural(counted, 'resource')] : []),
    ...(startMs === undefined ? [] : [`started in ${startMs} ms`]),
    ...(restarts > 0 ? [`restarted ${pluralize(restarts, 'time')}`] : []),
  ];
  return [
    `${name}: ${parts.join(', ')}`,
    ...(leftOutTools.length === 0 ? [] : [`    not used: ${leftOutTools.map(escapedLine).join(', ')}`]),
    ...(error === undefined ? [] : [`    ${error.split('\n').map(escapedLine).join('\n    ')}`]),
    ...(status === 'unapproved' || withheld !== undefined
      ? [`    its description has changed; ${advice(state)}`]
      : []),
    ...(status === 'needs-login' && error === undefined ? [`    robota mcp login ${name}`] : []),
  ];
}

function plural(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
