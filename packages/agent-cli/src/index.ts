export {
  type AgentEvent,
  type CreateSessionOptions,
  type PermissionMode,
  type QueryOptions,
  query,
  Session,
  type SessionOptions,
} from '@robota-sdk/agent-sdk';
export {
  type ICommandSource,
  type ISlashCommand,
  type ISpinner,
  type ITerminalOutput,
  noTerminalOutput as InkTerminal,
  type TToolResult,
} from '@robota-sdk/agent-sdk/compat';
export { startCli } from './start/start-cli.ts';
