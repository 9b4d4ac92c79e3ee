export { actingAgent } from './agents/acting-agent.ts';
export { agentModels, modelsWithin } from './agents/agent-models.ts';
export { builtInAgents } from './agents/built-in-agents.ts';
export { bareName, filterTools, skillsNote } from './agents/filter-tools.ts';
export { findDefinition } from './agents/find-definition.ts';
export { type LoadedAgents, loadAgents } from './agents/load-agents.ts';
export { parseAgents } from './agents/parse-agents.ts';
export { unpackArchive } from './archive/unpack-archive.ts';
export { commandName } from './command-files/command-name.ts';
export type { ExtensionKit, ExtensionModule } from './extensions/extension-kit.ts';
export { extensionFileIn } from './extensions/loaded-files.ts';
export { staleImports } from './extensions/stale-imports.ts';
export { mergeAnswers } from './hooks/merge-answers.ts';
export { type AskBeside, agentHook, promptHook } from './hooks/model-hooks.ts';
export { settingsHooks } from './hooks/settings-hooks.ts';
export { detectProject, type ProjectInfo } from './instructions/detect-project.ts';
export { instructionElement } from './instructions/instruction-element.ts';
export type { InstructionFile } from './instructions/instruction-reader.ts';
export { loadContext, type ProjectContext } from './instructions/load-context.ts';
export { NestedInstructions } from './instructions/nested-instructions.ts';
export { doubtfulNames } from './load/doubtful-names.ts';
export { type LoadConfigOptions, loadConfig } from './load/load-config.ts';
export { type LayerSteps, loadLayers, mergeLayers } from './load/load-layers.ts';
export { loadResources, type Resources } from './load/load-resources.ts';
export { narrowToTrusted, trustedSources } from './load/narrow-to-trusted.ts';
export { askAboutChange } from './mcp/ask-about-change.ts';
export { describeChange } from './mcp/describe-change.ts';
export { givenServers } from './mcp/given-servers.ts';
export { SessionMcp, type SessionMcpOptions } from './mcp/session-mcp.ts';
export { readDefinition } from './mcp-definitions/definition-shape.ts';
export type { ExtraServers } from './mcp-definitions/load-servers.ts';
export { parseMcpConfig } from './mcp-definitions/mcp-config-option.ts';
export { nameProblem, readDefinitions } from './mcp-definitions/read-definitions.ts';
export { resolveServer, unsetVariableCode } from './mcp-definitions/resolve-server.ts';
export { ownServerFile } from './mcp-definitions/server-files.ts';
export { serverSecrets } from './mcp-definitions/server-secrets.ts';
export { serverDraft } from './mcp-definitions/server-subject.ts';
export { hasOwnToken } from './oauth/background-oauth.ts';
export { loginToServer } from './oauth/login-to-server.ts';
export { compareVersions, isVersion } from './plugin-source/compare-versions.ts';
export {
  askRegistry,
  configuredRegistry,
  fetchRelease,
  type NpmRegistry,
  type NpmSettings,
  type Offer,
  type Release,
} from './plugin-source/npm-registry.ts';
export { parseSource, readSource } from './plugin-source/parse-source.ts';
export { describeSource, type PluginSource } from './plugin-source/plugin-source.ts';
export {
  BundleInstaller,
  type BundleInstallerOptions,
  type InstallPreview,
  type InstallRequest,
  type PluginStatus,
} from './plugins/bundle-installer.ts';
export {
  BundleLoader,
  type LoadBundleOptions,
  manifestPlace,
  problemLines,
} from './plugins/bundle-loader.ts';
export type { IBundleManifest, IBundlePlugin } from './plugins/bundle-plugin.ts';
export { bundleTexts } from './plugins/bundle-texts.ts';
export { disabledPlugins } from './plugins/enabled-plugins.ts';
export type { InstalledPlugin } from './plugins/installed-plugins.ts';
export { type FoundPlugins, loadPlugins } from './plugins/load-plugins.ts';
export {
  type AddedMarketplace,
  defaultMarketplace,
  type FoundEntry,
  type KnownMarketplace,
  MarketplaceClient,
  marketplacesIn,
  type OpenMarketplace,
} from './plugins/marketplace-client.ts';
export {
  type MarketplaceEntry,
  type MarketplaceManifest,
  readMarketplace,
} from './plugins/marketplace-manifest.ts';
export { mentionedPlugins } from './plugins/mentioned-plugins.ts';
export type { PluginContext } from './plugins/plugin-context.ts';
export { noMarketplace, parseReference, referenceText, requireName } from './plugins/plugin-name.ts';
export { isForeign, type PluginProblem, problemAt } from './plugins/plugin-problem.ts';
export { describeReport, type PluginReport } from './plugins/plugin-report.ts';
export { readManifestFile } from './plugins/read-manifest-file.ts';
export { fileProblems, type TextKind } from './plugins/text-problems.ts';
export { type GitOptions, runGit } from './process/run-git.ts';
export { chooseSandbox, type SandboxChoice } from './sandbox/choose-sandbox.ts';
export { type LoadedSkills, loadSkills } from './skills/load-skills.ts';
export type { Skill } from './skills/skill.ts';
export { disallowedRules, standingOf, toolRules } from './skills/skill-rules.ts';
export { skillsRow } from './skills/skills-command.ts';
export { type SkillsOptions, skillExtensions } from './skills/skills-extension.ts';
export type { IAgentDefinition } from './source/agent-definition.ts';
export { hookInstaller } from './source/hook-installer.ts';
export type { LoadedConfig } from './source/loaded-config.ts';
export type { LoadedPlugin } from './source/loaded-plugin.ts';
export type { PluginScope } from './source/plugin-scope.ts';
export type { ResourceHost, SkillActivation } from './source/resource-host.ts';
export {
  type ElicitByProgram,
  type McpDefinition,
  type McpOAuthOptions,
  type McpServer,
  type McpServerOptions,
  originText,
  type ProgramServers,
} from './source/server-definition.ts';
export {
  type AgentAnswer,
  type ConnectedModel,
  type SubagentHost,
  type SubagentLogs,
  subagentHost,
} from './source/subagent-host.ts';
export { runStatusCommand } from './status-line/run-status-command.ts';
export { expandTemplate, withArguments } from './template/expand-template.ts';
export { fitDescriptions } from './template/fit-descriptions.ts';
export { splitArguments } from './template/split-arguments.ts';
export { readApproval, rememberApproval } from './wasm/component-approvals.ts';
export { ComponentCache } from './wasm/component-cache.ts';
export { componentTitle } from './wasm/component-title.ts';
export { describeComponent } from './wasm/describe-component.ts';
export {
  componentFolders,
  componentsIn,
  type FoundComponent,
  findComponents,
} from './wasm/find-components.ts';
export type { ComponentContext, LoadedComponent } from './wasm/load-components.ts';
export type { PluginDescription } from './wasm/plugin-types.ts';
export { type ReadComponent, readComponent } from './wasm/read-component.ts';
export { toolchainFolder } from './wasm/ready-component.ts';
export { watchComponents } from './wasm/watch-components.ts';
