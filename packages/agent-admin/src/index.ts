export {
  type ExplainPlace,
  explainSetting,
  explainSettings,
  type SettingReport,
  type SettingSource,
} from './config/explain-setting.ts';
export { type ConfigAnswer, runConfigRequest } from './config/run-config-request.ts';
export { describeStates } from './mcp/describe-states.ts';
export { knownServers, namedServer } from './mcp/known-servers.ts';
export { type McpAnswer, type McpDesk, mcpVerbs, runMcpRequest } from './mcp/run-mcp-request.ts';
export { pluginVerbs, runPluginRequest } from './plugins/run-plugin-request.ts';
export { type ConfigRequest, configVerbs, parseConfigWords, parseScope } from './request/config-request.ts';
export type { PluginAnswer, PluginDesk } from './request/plugin-request.ts';
