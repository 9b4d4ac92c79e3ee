export type { BoardPage, BoardRow } from './contract/board.ts';
export type { DevicesPage, PairingCode, WebDevice, WebFailure } from './contract/devices.ts';
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
export type { WebReply, WebRequest, WebRoute } from './contract/route.ts';
export type {
  ChangedFile,
  ContextUse,
  EntriesPage,
  NewSessionRequest,
  PromptRequest,
  QueuedPrompt,
  SessionPage,
  SessionState,
  TakeOverRequest,
  TodoItem,
  TreeNode,
} from './contract/session.ts';
export type { StreamEvent, StreamSource } from './contract/stream.ts';
export type { UsageReply } from './contract/usage.ts';
