/** The supported wire formats. */
export const apiKinds = ['anthropic', 'openai', 'openai-responses', 'google', 'ollama', 'offline'] as const;

export type ApiKind = (typeof apiKinds)[number];

/** `pause`: the vendor interrupted a long turn and wants the same conversation sent again. */
export type StopReason = 'end' | 'tool-calls' | 'length' | 'pause' | 'refusal' | 'error' | 'aborted';

/** The model that made a message. */
export interface ModelRef {
  readonly vendor: string;
  readonly id: string;
  readonly api: ApiKind;
}

/** True if two references mean the same model of the same vendor, reached in the same way. */
export function isSameModel(a: ModelRef, b: ModelRef): boolean {
  return a.vendor === b.vendor && a.id === b.id && a.api === b.api;
}
