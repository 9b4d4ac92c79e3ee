/** The supported wire formats. */
export const apiKinds = ['anthropic', 'openai', 'openai-responses', 'google', 'ollama', 'offline'] as const;

export type ApiKind = (typeof apiKinds)[number];

/** The names that pi has for API kinds, which session files and `models.json` use. */
export const piApis = {
  'openai-completions': 'openai',
  'anthropic-messages': 'anthropic',
  'google-generative-ai': 'google',
} as const satisfies Readonly<Record<string, ApiKind>>;

/** How pi's other names of wire formats begin. */
const piBeginnings: readonly (readonly [string, ApiKind])[] = [
  ['anthropic', 'anthropic'],
  ['openai-responses', 'openai-responses'],
  ['openai-codex', 'openai-responses'],
  ['azure-openai-responses', 'openai-responses'],
  ['google', 'google'],
];

/** The name of an API kind in a session file. */
export function storedApi(api: ApiKind): string {
  return Object.entries(piApis).find(([, kind]) => kind === api)?.[0] ?? api;
}

/** The API kind by the name in a session file, ours or pi's. */
export function apiOfStored(stored: unknown): ApiKind {
  const name = typeof stored === 'string' ? stored : '';
  const own = apiKinds.find((kind) => kind === name);
  return own ?? piBeginnings.find(([beginning]) => name.startsWith(beginning))?.[1] ?? 'openai';
}

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
