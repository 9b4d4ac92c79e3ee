export {
  type ExplainContext,
  explainSetting,
  explainSettings,
  type SettingReport,
  type SettingSource,
} from './config/explain-setting.ts';
export { type ConfigAnswer, runConfigRequest } from './config/run-config-request.ts';
export { describeStates } from './mcp/describe-states.ts';
export { knownServers, namedServer } from './mcp/known-servers.ts';
export { type McpAnswer, type McpRequestServices, runMcpRequest } from './mcp/run-mcp-request.ts';
export { runPluginRequest } from './plugins/run-plugin-request.ts';
export { describeInstallation, findInstallation, type Installation } from './program/installation.ts';
export { uninstallProgram } from './program/uninstall-program.ts';
export {
  type ProgramInfo,
  type UpdateAnswer,
  type UpdateRequest,
  type UpdateServices,
  updateProgram,
} from './program/update-program.ts';
export { configRow, mcpRow, pluginRow } from './request/admin-rows.ts';
export { type ConfigRequest, parseConfigWords, parseScope } from './request/config-request.ts';
export type { PluginAnswer, PluginRequestServices } from './request/plugin-request.ts';
