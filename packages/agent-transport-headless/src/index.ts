export {
  createHeadlessRunner,
  type HeadlessRunner,
  type IHeadlessRunnerOptions,
  type TOutputFormat,
} from './headless-runner.ts';
export {
  createHeadlessTransport,
  type HeadlessTransport,
  type HeadlessTransportOptions,
} from './headless-transport.ts';
export { type Output, redactedOutput, streamOutput } from './output.ts';
export { type ResultObject, resultOfFailure } from './result-object.ts';
export { showProgress } from './show-progress.ts';
export { ChannelInterface } from './stream-input/channel-interface.ts';
export { type ServeStreamOptions, serveStream } from './stream-input/serve-stream.ts';
