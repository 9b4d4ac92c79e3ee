export { type AuthorizeOptions, authorize, type OAuthClientProvider } from './authorize.ts';
export type { McpRequestOptions } from './connection/request-watch.ts';
export type { Elicit } from './elicit.ts';
export type { MachineLogin } from './machine-login.ts';
export { type McpExtensionOptions, mcpExtension } from './mcp-extension.ts';
export {
  defaultCallMs,
  defaultStartMs,
  type McpServerConfig,
  type McpTransport,
} from './mcp-server-config.ts';
export type {
  McpPrompt,
  McpPromptArgument,
  McpResource,
  McpServerState,
  McpStatus,
  McpTool,
} from './mcp-server-state.ts';
export { type McpCall, type McpPromptCall, McpServers } from './mcp-servers.ts';
export type {
  McpCommand,
  McpEnclosure,
  McpKnowledge,
  McpMemory,
  McpServersOptions,
} from './mcp-servers-options.ts';
export type { ProgramPort } from './program-port.ts';
export { namePart, toolName } from './tool-name.ts';
