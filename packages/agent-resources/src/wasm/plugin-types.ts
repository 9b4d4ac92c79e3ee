export type Grants = import('@robota-sdk/agent-plugin-wasm').Grants;
export type PathJudge = import('@robota-sdk/agent-plugin-wasm').PathJudge;
export type PluginDescription = import('@robota-sdk/agent-plugin-wasm').PluginDescription;
export type PluginManifest = import('@robota-sdk/agent-plugin-wasm').PluginManifest;
export type TranspiledComponent = import('@robota-sdk/agent-plugin-wasm').TranspiledComponent;
