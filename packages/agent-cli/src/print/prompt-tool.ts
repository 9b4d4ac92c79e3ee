import { AgentError } from '@robota-sdk/agent-sdk/front-end';
import { PromptToolInterface } from '@robota-sdk/agent-transport-headless';

/** The MCP tool of `--permission-prompt-tool`. */
export function promptTool(name: string): PromptToolInterface {
  if (/^mcp__.+__.+$/s.test(name)) return new PromptToolInterface(name);
  throw new AgentError(
    'usage',
    `--permission-prompt-tool ${name}: expected stdio or the name of an MCP tool, mcp__SERVER__TOOL.`,
  );
}
