export { componentProblem, maxComponentBytes } from './component/component-problem.ts';
export {
  describePlugin,
  type PluginCommand,
  type PluginDescription,
  type PluginTool,
} from './component/describe-plugin.ts';
export { exportsProblem, hasSelfTest } from './component/exports-problem.ts';
export { findToolchain, toolchainPackage } from './component/find-toolchain.ts';
export type { PathJudge } from './component/granted-files.ts';
export { HostServices, type HostServicesOptions } from './component/host-services.ts';
export { PluginInstance, type PluginInstanceOptions } from './component/plugin-instance.ts';
export {
  asksForGrants,
  describeGrants,
  emptyManifest,
  type FileGrant,
  type Grants,
  type PluginLimits,
  type PluginManifest,
  parsePluginManifest,
} from './component/plugin-manifest.ts';
export { pluginWit, witVersion } from './component/plugin-wit.ts';
export { type TranspiledComponent, transpileComponent } from './component/transpile-component.ts';
export { type WasmExtensionOptions, wasmExtension } from './component/wasm-extension.ts';
