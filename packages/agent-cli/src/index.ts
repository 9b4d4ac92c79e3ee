export {
  type AgentEvent,
  type CreateSessionOptions,
  type ICommandSource,
  type ISlashCommand,
  type ISpinner,
  type ITerminalOutput,
  noTerminalOutput as InkTerminal,
  type PermissionMode,
  type QueryOptions,
  query,
  Session,
  type SessionOptions,
  type TToolResult,
} from '@robota-sdk/agent-sdk';
export { startCli } from './start/start-cli.ts';
