import { errorMessage } from '@robota-sdk/agent-core';
import type { HostEnvironment } from '../dialects.ts';
import { sealItem, subjectKey, type TrustDraft, type TrustItem, type TrustSubject } from './trust-item.ts';
import { readTrust, rememberTrust, type TrustDecision } from './trust-store.ts';

/** Shows a person what a repository supplies and asks what may run. */
export type AskTrust = (items: readonly TrustItem[]) => Promise<TrustDecision>;

/** The one gate through which everything passes that a repository supplies. */
export interface TrustGate {
  /** Whether something may run or count: only what was collected and agreed to. */
  allows(subject: TrustSubject): boolean;
  /** Whether something allowed is still what was agreed to: its files may change while a session goes on. */
  isUnchanged(subject: TrustSubject): Promise<boolean>;
  /** What was left out, except for what the person does not want to hear of. */
  readonly withheld: readonly TrustItem[];
}

export interface TrustGateOptions {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly drafts: readonly TrustDraft[];
  /** All of it is trusted as it is now, for this run. */
  readonly trustProject: boolean;
  /** The person to ask; without one, whatever is not trusted yet is left out. */
  readonly ask?: AskTrust | undefined;
  readonly warnings: string[];
}

/** Decides about everything a repository supplies, once, before anything of it is used. */
export async function openTrustGate(options: TrustGateOptions): Promise<TrustGate> {
  const items = distinct(await Promise.all(options.drafts.map(sealItem)));
  const { trusted, withheld } = await divide(items, options);
  const allowed = new Map(trusted.map((item) => [subjectKey(item), item.hash]));
  const drafts = new Map(options.drafts.map((draft) => [subjectKey(draft), draft]));
  return {
    withheld,
    allows: (subject) => allowed.has(subjectKey(subject)),
    isUnchanged: async (subject) => {
      const key = subjectKey(subject);
      const draft = drafts.get(key);
      return draft !== undefined && (await sealItem(draft)).hash === allowed.get(key);
    },
  };
}

interface Division {
  readonly trusted: readonly TrustItem[];
  readonly withheld: readonly TrustItem[];
}

async function divide(items: readonly TrustItem[], options: TrustGateOptions): Promise<Division> {
  if (items.length === 0 || options.trustProject) return { trusted: items, withheld: [] };
  const record = await readTrust(options.cwd, options.host);
  const trusted = items.filter(({ hash }) => record.trusted.has(hash));
  const open = items.filter(({ hash }) => !record.trusted.has(hash) && !record.never.has(hash));
  if (open.length === 0 || !options.ask) return { trusted, withheld: open };
  const { trust, never } = await options.ask(open);
  if (trust.length > 0 || never.length > 0) await remember({ trust, never, present: items }, options);
  const withheld = open.filter((item) => !trust.includes(item) && !never.includes(item));
  return { trusted: [...trusted, ...trust], withheld };
}

/** Somebody has decided: that it could not be kept is no reason not to act on it. */
async function remember(decision: TrustDecision, { cwd, host, warnings }: TrustGateOptions): Promise<void> {
  await rememberTrust(cwd, decision, host).catch((thrown: unknown) => {
    warnings.push(`Your decision about this project holds for this session only: ${errorMessage(thrown)}`);
  });
}

/** The same thing in two files is agreed to once. */
function distinct(items: readonly TrustItem[]): TrustItem[] {
  return [...new Map(items.map((item) => [item.hash, item])).values()];
}
