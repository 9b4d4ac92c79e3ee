export { type Device, DeviceFolder } from './access/device-folder.ts';
export type { BoardPage, BoardRow } from './contract/board.ts';
export type {
  DevicesPage,
  Entered,
  PairingCode,
  WebDevice,
} from './contract/devices.ts';
export type { FleetReply } from './contract/fleet.ts';
export type {
  AnswerRequest,
  AskedToolCall,
  SettledQuestion,
  StaleAnswer,
  WebChoice,
  WebQuestion,
} from './contract/question.ts';
export type { ReviewReply, ReviewSessions } from './contract/review.ts';
export type { WebFailure, WebReply, WebRequest, WebRoute } from './contract/route.ts';
export type {
  ChangedFile,
  ContextUse,
  EntriesPage,
  ModelsPage,
  NewSessionRequest,
  PromptRequest,
  QueuedPrompt,
  SessionPage,
  SessionSnapshot,
  TakeOverRequest,
  TodoItem,
  TreeNode,
} from './contract/session.ts';
export type { StreamEvent, StreamSource } from './contract/stream.ts';
export type { UsageReply } from './contract/usage.ts';
export { type ServeWebOptions, serveWeb } from './serve-web.ts';
export type { WebTarget } from './server/listen.ts';
export type { RunningWeb } from './server/open-server.ts';
