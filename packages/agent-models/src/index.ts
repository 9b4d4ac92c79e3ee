export { checkNetwork, type NetworkFinding } from '@robota-sdk/agent-http';
export { chooseModels, modelSources, thinkingIn, withoutFlags } from './choose/choose-models.ts';
export { builtInProviders } from './connect/built-in-providers.ts';
export { connectModel } from './connect/connect-model.ts';
export {
  type ConfiguredServer,
  configuredServers,
  type ModelInUse,
  modelInUse,
} from './probe/configured-servers.ts';
export type { ServerWindow } from './probe/find-window.ts';
export { type KeyOrigin, keyOrigins } from './probe/key-origins.ts';
export { listServerModels, type ModelListing, type ServerAddress } from './probe/list-models.ts';
export { findLocalServers, type LocalServer } from './probe/local-servers.ts';
export { type AnswerTrial, type CallTrial, type ModelProbe, probeModel } from './probe/probe-model.ts';
export { type KeyTrial, tryKey } from './probe/try-key.ts';
export { protocolPrompt } from './xnl/protocol-prompt.ts';
export { toolText } from './xnl/tool-text.ts';
