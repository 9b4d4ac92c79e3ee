export type { McpRequestOptions } from './connection/request-watch.ts';
export type { Elicit } from './contract/elicit.ts';
export type { MachineLogin } from './contract/machine-login.ts';
export type {
  McpServerSettings,
  McpTransport,
} from './contract/mcp-server-settings.ts';
export type {
  McpKnowledge,
  McpPrompt,
  McpPromptArgument,
  McpProtocol,
  McpResource,
  McpServerState,
  McpStatus,
  McpTool,
} from './contract/mcp-server-state.ts';
export type {
  McpCommand,
  McpEnclosure,
  McpMemory,
  McpServersOptions,
} from './contract/mcp-servers-options.ts';
export type { ProgramOffer, ProgramPort } from './contract/program-port.ts';
export { toolName } from './contract/tool-name.ts';
export { type McpExtensionOptions, mcpExtension } from './extension/mcp-extension.ts';
export { type AuthorizeOptions, authorize, type OAuthClientProvider } from './servers/authorize.ts';
export { type McpCall, type McpPromptCall, McpServers } from './servers/mcp-servers.ts';
