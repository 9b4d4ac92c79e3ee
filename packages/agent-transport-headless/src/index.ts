export {
  createHeadlessRunner,
  type HeadlessRunner,
  type IHeadlessRunnerOptions,
  type TOutputFormat,
} from './output/headless-runner.ts';
export {
  createHeadlessTransport,
  type HeadlessTransport,
  type HeadlessTransportOptions,
} from './output/headless-transport.ts';
export { HookMessages } from './output/hook-messages.ts';
export { type Output, redactedOutput, streamOutput, whenTaken } from './output/output.ts';
export { type ResultObject, resultOfFailure } from './output/result-object.ts';
export type { ModelUsage } from './output/run-meter.ts';
export { showProgress } from './output/show-progress.ts';
export { schemas } from './schema/schemas.ts';
export { callbackHook } from './stream-input/callback-hook.ts';
export { ChannelInterface } from './stream-input/channel-interface.ts';
export { ControlChannel } from './stream-input/control-channel.ts';
export type { InitializeOptions } from './stream-input/initialize-request.ts';
export { ProgramServerMessages } from './stream-input/program-servers.ts';
export { PromptToolInterface } from './stream-input/prompt-tool-interface.ts';
export {
  type MovedSession,
  type ServeStreamOptions,
  serveStream,
  type WantedDirectory,
} from './stream-input/serve-stream.ts';
