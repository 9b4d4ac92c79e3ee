export type { BoardRow } from './contract/board.ts';
export type { WebReply, WebRequest, WebRoute } from './contract/route.ts';
export type { StreamEvent, StreamSource } from './contract/stream.ts';
