export type { LinkedSession, WaitingQuestion } from './linked-session.ts';
