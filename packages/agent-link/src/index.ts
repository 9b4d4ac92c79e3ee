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
