export { checkNetwork, type NetworkFinding } from '@robota-sdk/agent-http';
export { chooseModels, modelSources, thinkingIn, withoutFlags } from './choose/choose-models.ts';
export { builtInProviders } from './connect/built-in-providers.ts';
export { type AccountCheck, checkAccount } from './connect/cloud-account.ts';
export { connectModel } from './connect/connect-model.ts';
export { discoverModels } from './discover/discover-models.ts';
export { listedModels } from './discover/listed-models.ts';
export type { ListedServer } from './discover/model-cache.ts';
export { servedConfig } from './discover/served-config.ts';
export { type AnswerTrial, type CallTrial, type ModelProbe, probeModel } from './probe/probe-model.ts';
export { type KeyTrial, tryKey } from './probe/try-key.ts';
export {
  type ConfiguredServer,
  configuredServers,
  type ModelInUse,
  modelInUse,
} from './servers/configured-servers.ts';
export { type KeyOrigin, keyOrigins } from './servers/key-origins.ts';
export { listServerModels, type ModelListing, type ServerAddress } from './servers/list-models.ts';
export { findLocalServers, type LocalServer } from './servers/local-servers.ts';
export type { ServedModel } from './servers/served-model.ts';
export { protocolPrompt } from './xnl/protocol-prompt.ts';
export { toolText } from './xnl/tool-text.ts';
