import type { Config } from '@robota-sdk/agent-sdk/front-end';
import type { Finding } from './finding.ts';

/** The MCP servers that are configured; whether they work is for `robota mcp test`, which starts them. */
export function checkServers({ mcpServers = [] }: Config): readonly Finding[] {
  return mcpServers.map(({ name, config, disabledBy, origin }): Finding => {
    const { transport } = config;
    const program = transport.kind === 'stdio' ? transport.command : 'a program';
    const how = 'url' in transport ? new URL(transport.url).host : program;
    const what = `${name}: ${how} (${origin.scope})`;
    if (disabledBy !== undefined)
      return { area: 'servers', status: 'note', what, why: `disabled by ${disabledBy}` };
    return { area: 'servers', status: 'ok', what, advice: `robota mcp test ${name} starts it` };
  });
}
