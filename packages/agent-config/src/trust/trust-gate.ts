import { errorMessage, type Problem, sentence, warning } from '@robota-sdk/agent-core';
import { escapedLine } from '../file/escaped-line.ts';
import type { HostEnvironment } from '../host/dialects.ts';
import {
  type AgreedItem,
  sealItem,
  subjectKey,
  type TrustDraft,
  type TrustItem,
  type TrustSubject,
  trustKinds,
} from './trust-item.ts';
import { readTrust, rememberTrust, type TrustDecision } from './trust-store.ts';

/** Shows the user what a repository supplies and asks what may run; undefined if no user is available. */
export type AskTrust = (items: readonly TrustItem[]) => Promise<TrustDecision | undefined>;

/** The one gate through which everything passes that a repository supplies. */
export interface TrustGate {
  /** True if something may run or count: only what was collected and agreed to. */
  allows(subject: TrustSubject): boolean;
  /**
   * Resolves to true if an allowed item is unchanged since its approval: its files may change during a
   * session.
   */
  isUnchanged(subject: TrustSubject): Promise<boolean>;
  /** Records an approval by the user during the session; effective immediately. */
  agree(subject: TrustSubject): void;
  /** Withheld items, except those the user chose to ignore. */
  readonly withheld: readonly TrustItem[];
  /** True if the user has seen the withheld items. */
  readonly isShown?: boolean;
}

export interface TrustGateOptions {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly drafts: readonly TrustDraft[];
  /** All of it is trusted as it is now, for this run. */
  readonly trustProject: boolean;
  /** Asks the user; without it, untrusted items are withheld. */
  readonly ask?: AskTrust | undefined;
  readonly problems: Problem[];
}

/** Decides about everything a repository supplies, once, before anything of it is used. */
export async function openTrustGate(options: TrustGateOptions): Promise<TrustGate> {
  const refused = options.drafts.filter(({ refusal }) => refusal !== undefined);
  options.problems.push(...refused.map(refusalProblem));
  const drafts = options.drafts.filter(({ refusal }) => refusal === undefined);
  const items = distinct(await Promise.all(drafts.map(sealItem)));
  const { trusted, withheld, isShown = false } = await divide(items, options);
  const hashes = new Set(trusted.map(({ hash }) => hash));
  // Two skills of one name may say the same and mean different scripts: approving one does not approve the other.
  const open = items.filter(({ hash }) => !hashes.has(hash));
  const closed = new Set([...refused, ...open].map(subjectKey));
  const allowed = new Set(trusted.map(subjectKey).filter((key) => !closed.has(key)));
  return {
    withheld,
    isShown,
    allows: (subject) => allowed.has(subjectKey(subject)),
    agree: (subject) => void allowed.add(subjectKey(subject)),
    isUnchanged: async (subject) => {
      const key = subjectKey(subject);
      const same = allowed.has(key) ? drafts.filter((draft) => subjectKey(draft) === key) : [];
      const now = await Promise.all(same.map(sealItem));
      return now.length > 0 && now.every(({ hash }) => hashes.has(hash));
    },
  };
}

function refusalProblem({ kind, name, source, refusal }: TrustDraft): Problem {
  const code = kind === 'mcp-server' ? 'mcp.refused' : 'trust.refused';
  const message = sentence`The ${{ kind: trustKinds[kind] }} ${{ name: escapedLine(name) }} is skipped: ${{ reason: refusal ?? '' }}.`;
  return warning(code, message, { subject: name, source: { file: source }, isInactive: true });
}

interface Division {
  readonly trusted: readonly TrustItem[];
  readonly withheld: readonly TrustItem[];
  readonly isShown?: boolean;
}

async function divide(items: readonly TrustItem[], options: TrustGateOptions): Promise<Division> {
  if (items.length === 0 || options.trustProject) return { trusted: items, withheld: [] };
  const record = await readTrust(options.cwd, options.host);
  const trusted = items.filter(({ hash }) => record.trusted.has(hash));
  const undecided = items.filter(({ hash }) => !record.trusted.has(hash) && !record.never.has(hash));
  const open = withBefore(undecided, goneOf(record.agreed, items));
  if (open.length === 0 || !options.ask) return { trusted, withheld: open };
  const decision = await options.ask(open);
  if (!decision) return { trusted, withheld: open };
  const { trust, never } = decision;
  if (trust.length > 0 || never.length > 0) await remember({ trust, never, present: items }, options);
  const withheld = open.filter((item) => !trust.includes(item) && !never.includes(item));
  return { trusted: [...trusted, ...trust], withheld, isShown: true };
}

/** Approved items that are missing or changed. */
function goneOf(agreed: readonly AgreedItem[], items: readonly TrustItem[]): AgreedItem[] {
  const present = new Set(items.map(({ hash }) => hash));
  return agreed.filter(({ hash }) => !present.has(hash));
}

/** Joins what is new with what it takes the place of, which has the same kind and name. */
function withBefore(items: readonly TrustItem[], gone: AgreedItem[]): TrustItem[] {
  return items.map((item) => {
    const at = gone.findIndex(({ kind, name }) => kind === item.kind && name === item.name);
    const [before] = at < 0 ? [] : gone.splice(at, 1);
    return before ? { ...item, before } : item;
  });
}

/** A decision applies even if it could not be stored. */
async function remember(decision: TrustDecision, { cwd, host, problems }: TrustGateOptions): Promise<void> {
  await rememberTrust(cwd, decision, host).catch((thrown: unknown) => {
    const message = sentence`Your decision about this project holds for this session only: ${{ reason: errorMessage(thrown) }}`;
    problems.push(warning('trust.not-stored', message));
  });
}

/** The same thing in two files is agreed to once. */
function distinct(items: readonly TrustItem[]): TrustItem[] {
  return [...new Map(items.map((item) => [item.hash, item])).values()];
}
