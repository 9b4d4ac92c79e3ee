export {
  type AnthropicAnswer,
  type AnthropicSearch,
  type AnthropicToolCall,
  anthropicChunks,
  anthropicError,
  anthropicErrorEvent,
  anthropicReply,
} from './anthropic-replies.ts';
export { type FakeLlama, type FakeLlamaOptions, type PromptUse, startFakeLlama } from './fake-llama.ts';
export {
  type FakeOllama,
  type FakeOllamaOptions,
  type OllamaAnswer,
  type OllamaModel,
  ollamaReply,
  type SeenPrompt,
  startFakeOllama,
} from './fake-ollama.ts';
export { type FakeStructuredOptions, startFakeStructured } from './fake-structured.ts';
export { pdfOf } from './files/pdf-of.ts';
export { Gbnf } from './gbnf.ts';
export {
  type GoogleAnswer,
  type GooglePart,
  googleChunks,
  googleError,
  googleReply,
} from './google-replies.ts';
export { type KillRun, type KillRunOptions, killRun } from './kill-run.ts';
export {
  type Chunk,
  eventStream,
  jsonReply,
  type ModelServer,
  type RecordedRequest,
  type Reply,
  sse,
  startModelServer,
} from './model-server.ts';
export {
  type OpenAIAnswer,
  type OpenAICall,
  type OpenAIUsage,
  openaiChatChunk,
  openaiChatChunks,
  openaiChatReply,
  openaiError,
} from './openai-chat-replies.ts';
export {
  type OpenAIResponsesAnswer,
  openaiResponsesChunks,
  openaiResponsesEvent,
  openaiResponsesReply,
} from './openai-responses-replies.ts';
export { type PackageRegistry, type PublishedVersion, startPackageRegistry } from './package-registry.ts';
export { type LaidOutPathCase, layOutPathCase, loadPathCases, type PathCase } from './path-cases.ts';
export { collectEvents, contentOf, testRequest } from './provider-request.ts';
export {
  directWire,
  type OpenWire,
  type ProviderWire,
  serveWire,
  type WireConnection,
} from './provider-wire.ts';
export {
  type ProxyOptions,
  type ProxyServer,
  startProxy,
  startTlsFront,
  testAuthority,
} from './proxy/proxy-server.ts';
export { type SocksOptions, type SocksServer, startSocks } from './proxy/socks-server.ts';
export {
  type RobotaOptions,
  type RobotaResult,
  robotaBin,
  robotaVersion,
  runRobota,
  sharedCode,
  temporaryDirectory,
} from './run-robota.ts';
export { type ScriptedCall, ScriptedProvider, type ScriptedTurn } from './scripted-provider.ts';
export {
  createPostgresDatabase,
  type PostgresServer,
  startPostgres,
  withoutPostgres,
} from './start-postgres.ts';
export { recorder, testChoice, testModel, testRun, testTool, testToolEnvironment } from './test-run.ts';
export { testToolContext } from './test-tool-context.ts';
export { withoutPrivileges } from './without-privileges.ts';
