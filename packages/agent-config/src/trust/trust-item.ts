import { createHash } from 'node:crypto';
import { openRegularFile } from '@robota-sdk/agent-core';

/** Everything a repository may supply that would execute, redirect or widen something, and what it is called. */
export const trustKinds = {
  hook: 'hook',
  'mcp-server': 'MCP server',
  plugin: 'plugin',
  extension: 'extension',
  'skill-shell': 'shell command of a skill',
  'agent-hook': 'hook of an agent',
  environment: 'environment',
  'key-helper': 'key helper',
  'status-line': 'status line',
  'allow-rule': 'allow rule',
  directory: 'directory',
  mode: 'permission mode',
  model: 'model',
} as const;

export type TrustKind = keyof typeof trustKinds;

/** Command files are skills whose names start with a slash. */
export function isCommandName(name: string): boolean {
  return name.startsWith('/');
}

/** The label of a kind. */
export function kindText({ kind, name }: Pick<TrustSubject, 'kind' | 'name'>): string {
  return kind === 'skill-shell' && isCommandName(name) ? 'shell command of the command' : trustKinds[kind];
}

/** A resource of a repository, as far as it matters for running it. */
export interface TrustSubject {
  readonly kind: TrustKind;
  readonly name: string;
  /** The full content that would run or apply. */
  readonly content: string;
}

/** A subject as it was found. */
export interface TrustDraft extends TrustSubject {
  /** `file:line`. */
  readonly source: string;
  /** Files of the repository that would run with it: when one changes, it has changed. */
  readonly files?: readonly string[] | (() => readonly string[]);
  /** True if it may run files that can't be told beforehand, whose changes go unnoticed. */
  readonly isPartlyFollowed?: () => boolean;
  /**
   * The reason why it cannot be approved, such as an undeterminable script; then it is withheld and named.
   */
  readonly refusal?: string | undefined;
}

/** A subject that can be approved: the hash covers exactly what would run. */
export interface TrustItem extends TrustSubject {
  readonly source: string;
  readonly hash: string;
  /** Set where something of the same name was agreed to, which was another: as it was then. */
  readonly before?: AgreedItem;
  /** Set where it may run files that can't be told beforehand. */
  readonly isPartlyFollowed?: boolean;
  /** The files that would run with it, each with the hash of its content. */
  readonly scripts?: readonly (readonly [path: string, sum: string])[];
}

/** Something as it was when the user agreed to it; records of earlier versions have its name and hash only. */
export type AgreedItem = Pick<TrustItem, 'kind' | 'name' | 'hash' | 'scripts'> & {
  readonly content?: string;
};

/** Makes an item of what was found. Where it was found does not matter for the hash. */
export async function sealItem(found: TrustDraft): Promise<TrustItem> {
  const { files = [], refusal, isPartlyFollowed, ...draft } = found;
  const present = typeof files === 'function' ? files() : files;
  const sums = await Promise.all([...present].sort().map(async (file) => [file, await sumOf(file)] as const));
  const hash = createHash('sha256').update(JSON.stringify([subjectKey(draft), sums]));
  return {
    ...draft,
    hash: hash.digest('hex'),
    ...(sums.length === 0 ? {} : { scripts: sums }),
    ...(isPartlyFollowed?.() ? { isPartlyFollowed: true } : {}),
  };
}

/** The same text for the same subject, however it was found. */
export function subjectKey({ kind, name, content }: TrustSubject): string {
  return JSON.stringify([kind, name, content]);
}

/** An unreadable file has a distinct sum, so that it counts as changed once it is readable. */
async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    const handle = await openRegularFile(file);
    for await (const chunk of handle.createReadStream()) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return 'unreadable';
  }
}
