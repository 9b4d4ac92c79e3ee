/** The wire formats we speak. */
export const apiKinds = ['anthropic', 'openai', 'openai-responses', 'google', 'ollama', 'offline'] as const;

export type ApiKind = (typeof apiKinds)[number];

/** `pause`: the vendor interrupted a long turn and wants the same conversation sent again. */
export type StopReason = 'end' | 'tool-calls' | 'length' | 'pause' | 'refusal' | 'error' | 'aborted';

/** Which model made a message. */
export interface ModelRef {
  readonly vendor: string;
  readonly id: string;
  readonly api: ApiKind;
}
