export { type AgentEvent, type PermissionMode, type QueryOptions, query } from '@robota-sdk/agent-sdk';
export {
  type CreateSessionOptions,
  type ICommandSource,
  type ISlashCommand,
  type ISpinner,
  type ITerminalOutput,
  noTerminalOutput as InkTerminal,
  Session,
  type TToolResult,
} from '@robota-sdk/agent-sdk/compat';
export { startCli } from './start/start-cli.ts';
