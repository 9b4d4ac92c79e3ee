import { type Chunk, eventStream, jsonReply, type Reply, sse } from './model-server.ts';

/** One part of a Gemini answer, as the API writes it. */
export type GooglePart = Readonly<Record<string, unknown>>;

export interface GoogleAnswer {
  /** Each list of parts is one chunk of the stream. */
  readonly chunks: readonly (readonly GooglePart[])[];
  /** `STOP` unless given; null leaves it out, as in a stream that breaks off. */
  readonly finishReason?: string | null;
  readonly finishMessage?: string;
  readonly usage?: Readonly<Record<string, number>>;
}

const defaultUsage = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

/** A streamed Gemini answer: text, or parts chunk by chunk. */
export function googleReply(answer: string | GoogleAnswer, extra: Omit<Reply, 'chunks'> = {}): Reply {
  return eventStream(googleChunks(answer), extra);
}

/** The events of such an answer, to be cut, mixed with pauses or broken off. */
export function googleChunks(answer: string | GoogleAnswer): readonly Chunk[] {
  const { chunks, finishReason, finishMessage, usage } =
    typeof answer === 'string' ? textAnswer(answer) : answer;
  const lists = chunks.length === 0 ? [[]] : chunks;
  return lists.map((parts, index) => {
    const isLast = index === lists.length - 1 && finishReason !== null;
    const ending = {
      finishReason: finishReason ?? 'STOP',
      ...(finishMessage === undefined ? {} : { finishMessage }),
    };
    return sse({
      candidates: [{ content: { parts, role: 'model' }, ...(isLast ? ending : {}), index: 0 }],
      usageMetadata: isLast ? (usage ?? defaultUsage) : { promptTokenCount: 10, totalTokenCount: 10 },
      modelVersion: 'gemini-test',
      responseId: 'response-test',
    });
  });
}

/** An error as Google words it. */
export function googleError(status: number, message: string, name = 'INVALID_ARGUMENT'): Reply {
  return jsonReply(status, { error: { code: status, message, status: name } });
}

function textAnswer(text: string): GoogleAnswer {
  const half = Math.ceil(text.length / 2);
  return { chunks: [[{ text: text.slice(0, half) }], [{ text: text.slice(half) }]] };
}
