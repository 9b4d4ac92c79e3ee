export { LinkFolder, type LinkRecord } from './link-folder.ts';
export { serveLink } from './link-server.ts';
export type {
  AnswerOutcome,
  Front,
  HandOverOutcome,
  LinkChange,
  LinkedFacts,
  LinkedSession,
  QueuedMessageText,
  WaitingQuestion,
} from './linked-session.ts';
export { LiveFold } from './live-fold.ts';
export { answerText, questionDigest } from './question-text.ts';
export { SharedSession, type SharedSessionOptions } from './shared-session.ts';
export { type VisitedSession, visitLink } from './visit-link.ts';
