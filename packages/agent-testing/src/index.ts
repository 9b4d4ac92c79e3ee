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
