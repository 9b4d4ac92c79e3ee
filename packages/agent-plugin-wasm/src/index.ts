export { componentProblem, maxComponentBytes } from './component-problem.ts';
export {
  describePlugin,
  type PluginCommand,
  type PluginDescription,
  type PluginTool,
} from './describe-plugin.ts';
export { exportsProblem, hasSelfTest } from './exports-problem.ts';
export { findToolchain, toolchainPackage } from './find-toolchain.ts';
export type { PathJudge } from './granted-files.ts';
export { HostServices, type HostServicesOptions } from './host-services.ts';
export { PluginError, PluginInstance, type PluginInstanceOptions } from './plugin-instance.ts';
export {
  asksForGrants,
  describeGrants,
  emptyManifest,
  type FileGrant,
  type Grants,
  type PluginLimits,
  type PluginManifest,
  parseManifest,
} from './plugin-manifest.ts';
export { pluginWit, witVersion } from './plugin-wit.ts';
export { type TranspiledComponent, transpileComponent } from './transpile-component.ts';
export { type WasmExtensionOptions, wasmExtension } from './wasm-extension.ts';
