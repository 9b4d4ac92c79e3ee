import {
  AgentError,
  type CommandOutcome,
  describeCost,
  errorMessage,
  type ModelRef,
  type Price,
  pluralize,
  type Usage,
  windowText,
} from '@robota-sdk/agent-core';
import {
  addTotals,
  type ContextPart,
  type ContextReport,
  compactionText,
  isCountedMessage,
  noTotals,
  type Pin,
  partName,
  type RecallItem,
  type SessionTotals,
  type SessionTree,
} from '@robota-sdk/agent-sessions';
import type { ModelSpending, TurnSpending } from '@robota-sdk/agent-usage';
import { selectedAgent } from '../input/select-agent.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { CommandActions } from './built-in-commands.ts';
import { editItems, isEditWord, itemLines } from './context-items-text.ts';
import { describeTokens } from './describe-tokens.ts';
import { entryNames, findEntry } from './find-entry.ts';
import { fateTexts, receiptSummary, receiptText } from './receipt-text.ts';

/** Markdown's boxes, and one for the item in work. */
const marks = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const;

/** Commands about the context window and its cost. */
export const contextCommands: CommandActions = {
  context: {
    run: async (args, { session }) => {
      const [word = '', ...numbers] = args.split(/\s+/);
      if (word === 'receipt') return showReceipt(session, numbers[0]);
      if (isEditWord(word)) return editItems(session, word, numbers);
      if (word !== '')
        return {
          kind: 'error',
          text: 'Use /context, /context fold|drop|restore N, or /context receipt [N].',
        };
      return showWindow(session);
    },
  },
  todo: {
    run: async (_args, { session }) => {
      const { todos } = session;
      if (todos.length === 0) return { kind: 'notice', text: 'The todo list is empty.', data: { todos } };
      const rows = todos.map(({ status, content }) => `${marks[status]} ${content}`);
      return { kind: 'notice', text: rows.join('\n'), data: { todos } };
    },
  },
  btw: {
    run: async (args, { session, signal }) => {
      if (args === '') return { kind: 'error', text: 'Missing question. Use /btw QUESTION.' };
      if (session.replay) return { kind: 'error', text: 'A replay has only the answers of its recording.' };
      const { askAside } = await import('../input/ask-aside.ts');
      const text = await askAside(session.getSession(), args, signal);
      return { kind: 'notice', text, isMarkdown: true };
    },
  },
  compact: {
    run: async (args, context) => {
      const session = context.session.getSession();
      const result = await session.compact(args === '' ? undefined : args);
      if (result.kind === 'unchanged')
        return { kind: result.hasFailed ? 'error' : 'notice', text: result.notice };
      const { kind, receipt } = result;
      const text = `${compactionText(result, session.model)}\n${receiptSummary(receipt)}`;
      return { kind: 'notice', text, data: { kind, receipt } };
    },
  },
  pin: {
    run: async (args, { session }) => {
      const { context } = session.getSession();
      if (args === '') return listPins(context.pins);
      const reference = referenceOf(args, session.getSession().branches.tree());
      const pin =
        reference === undefined ? await context.pinText(unquoted(args)) : await context.pinMessage(reference);
      const number = context.pins.findIndex(({ id }) => id === pin.id) + 1;
      return { kind: 'notice', text: `Pinned as ${number}: ${beginning(pin)}`, data: { number, pin } };
    },
  },
  unpin: {
    run: async (args, { session }) => {
      if (!/^\d+$/.test(args)) return { kind: 'error', text: 'Missing number: /unpin N. /pin lists them.' };
      const pin = await session.getSession().context.unpin(Number(args));
      return { kind: 'notice', text: `No longer pinned: ${beginning(pin)}`, data: { pin } };
    },
  },
  recall: {
    run: async (args, { session }) => {
      const { context } = session.getSession();
      if (args === '') return listRecallable(context.recallable);
      const found = context.findRecallable(args);
      const [item, ...others] = found;
      if (!item) return { kind: 'error', text: `No removed message matches "${args}". /recall lists it.` };
      if (others.length > 0)
        return listRecallable(found, `${found.length} messages match; choose one by its number:`);
      await context.recall(item);
      const text = `Restored for the next prompt: ${item.title} (~${item.tokens} tokens)`;
      return { kind: 'notice', text, data: { item } };
    },
  },
  cost: {
    run: async (args, { session }) => {
      const { totals } = session.getSession();
      const { spendingReport } = await import('@robota-sdk/agent-usage');
      const { turns, models } = spendingReport(session.getSession().spending.entries());
      const shares = withRest(
        models.map((share) => shareOf(share, session)),
        totals,
      );
      const saved = shares.reduce((sum, share) => sum + share.saved, 0);
      const shown = args === 'all' ? turns : turns.slice(-shownTurns);
      const lines = [
        `${spent(totals)}${saved > 0 ? `; the cache saved ${describeCost(saved)}` : ''}`,
        tokensOf(totals.usage),
        ...(shares.length === 0 ? [] : ['', 'By model', ...shares.map(modelLine)]),
        ...(shown.length === 0 ? [] : ['', 'By prompt', ...shown.map(turnLine)]),
        ...(shown.length < turns.length ? [`  … and ${turns.length - shown.length} before; /cost all`] : []),
      ];
      return { kind: 'notice', text: lines.join('\n'), data: { ...totals, saved, models: shares, turns } };
    },
  },
  usage: {
    run: async (_, { session }) => {
      const { collectUsage, sessionUsageText, usageReport } = await import('@robota-sdk/agent-usage');
      const { exported } = session.branches;
      const report = usageReport(exported ? [collectUsage(exported.header, exported.entries())] : []);
      const text = sessionUsageText(report, { columns: shownColumns }).trimEnd();
      return { kind: 'notice', text, data: { ...report } };
    },
  },
};

function showWindow(session: InteractiveSession): CommandOutcome {
  const own = session.getSession();
  const report = own.context.report();
  const items = own.context.items();
  const { usedTokens, maxTokens } = report;
  const usedPercentage = Math.min(100, Math.round((usedTokens / Math.max(1, maxTokens)) * 1_000) / 10);
  const used = `${Math.round(usedPercentage)}% (${describeTokens(usedTokens)}/${windowText(maxTokens)})`;
  const shown = session.getMessages().filter(isCountedMessage);
  const agent = selectedAgent(session);
  const text = [
    `${used} of ${own.model.name}, ${pluralize(shown.length, 'message')} in the window`,
    ...(agent === undefined ? [] : [`Agent: ${agent} (@agent:none deselects it)`]),
    ...itemLines(items, report),
    'By kind',
    ...reportLines(report),
  ].join('\n');
  return { kind: 'notice', text, data: { ...report, usedPercentage, items } };
}

function reportLines(report: ContextReport): string[] {
  const { parts, isCounted, freeTokens, reserveTokens, lastUsage, prefixBreak } = report;
  const counted = isCounted
    ? 'The total is what the model counted; the parts are estimates in proportion to it.'
    : 'The model has not counted it yet; these are estimates.';
  const lines = [
    ...parts.map(partLine),
    `  ${amount(freeTokens)}  free, ${reserveTokens} of it in reserve`,
    counted,
  ];
  if (lastUsage) {
    const { input, cacheRead, cacheWrite } = lastUsage;
    const whole = input + cacheRead + cacheWrite;
    const share = (tokens: number) => `${whole === 0 ? 0 : Math.round((tokens / whole) * 100)}%`;
    lines.push(`Last request: ${share(cacheRead)} read from cache, ${share(cacheWrite)} written to it.`);
  }
  if (prefixBreak)
    lines.push(`The cached beginning last broke because: ${prefixBreak.reason} (${prefixBreak.detail}).`);
  return lines;
}

function partLine(part: ContextPart): string {
  const cached = part.tokens === 0 ? 0 : Math.round((part.cachedTokens / part.tokens) * 100);
  return `  ${amount(part.tokens)}  ${partName(part)}${cached === 0 ? '' : `, ${cached}% cached`}`;
}

function amount(tokens: number): string {
  return `~${tokens}`.padStart(9);
}

function showReceipt(session: InteractiveSession, wanted: string | undefined): CommandOutcome {
  const { receipts } = session.getSession().context;
  if (receipts.length === 0)
    return { kind: 'notice', text: 'Nothing has been compacted in this conversation.' };
  const number = wanted === undefined ? receipts.length : Number(wanted);
  const receipt = receipts[number - 1];
  if (!receipt) return { kind: 'error', text: `No receipt ${wanted}; there are ${receipts.length}.` };
  return { kind: 'notice', text: receiptText(receipt, number), data: { number, receipt } };
}

/** A reference to a message; a single word with a digit is always one, so that a typo does not become text. */
function referenceOf(args: string, tree: SessionTree): string | undefined {
  if (args === 'last') return args;
  const isMeant = (/^[\w-]+$/.test(args) && /\d/.test(args)) || entryNames(tree).includes(args);
  if (!isMeant) return undefined;
  try {
    return findEntry(tree, args) ?? undefined;
  } catch (thrown) {
    throw new AgentError(
      'usage',
      `${errorMessage(thrown)} To pin it as a text, put it in quotes: /pin "${args}".`,
    );
  }
}

function unquoted(text: string): string {
  return /^"([\s\S]+)"$/.exec(text)?.[1] ?? text;
}

function listPins(pins: readonly Pin[]): CommandOutcome {
  const lines = pins.map((pin, index) => `${index + 1}. ${beginning(pin)}`);
  const text = lines.length === 0 ? 'Nothing is pinned. /pin TEXT pins a text.' : lines.join('\n');
  return { kind: 'notice', text, data: { pins } };
}

function beginning({ text }: Pin): string {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim();
  return line.length <= 100 ? line : `${line.slice(0, 99).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function listRecallable(items: readonly RecallItem[], heading?: string): CommandOutcome {
  const width = String(items.length === 0 ? 0 : items.at(-1)?.number).length;
  const lines = items.map(
    ({ number, fate, tokens, title }) =>
      `${String(number).padStart(width)}. ${title} (${fateTexts[fate]}, ~${tokens} tokens)`,
  );
  const nothing = 'Nothing has been removed from this conversation.';
  const text = [...(heading === undefined ? [] : [heading]), ...(lines.length === 0 ? [nothing] : lines)];
  return { kind: 'notice', text: text.join('\n'), data: { items } };
}

/** Columns of the tables of `/usage`: they fit any usual screen. */
const shownColumns = 76;
const shownTurns = 10;

interface Share extends SessionTotals {
  readonly name: string;
  /** Dollars saved by reading from the cache, minus the extra cost of writing to it. */
  readonly saved: number;
}

function shareOf({ model, purpose, ...totals }: ModelSpending, session: InteractiveSession): Share {
  if (!model) return { ...totals, name: purpose ?? 'others', saved: 0 };
  const models = [session.getSession().model, ...session.listModels()];
  const known =
    models.find((each) => isSame(each, model)) ??
    models.find((each) => isSame(each, { ...model, id: model.id.replace(date, '') }));
  const name =
    known?.name ?? (model.id === '' ? `${model.vendor}, model not known` : `${model.vendor}/${model.id}`);
  const saved = savedBy(totals.usage, known?.price);
  return { ...totals, name: purpose === undefined ? name : `${name} (${purpose})`, saved };
}

/** Vendors name a version of a model by its day. */
const date = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** Costs without a line in the conversation: hooks that asked a model, and unsaved cleared parts. */
function withRest(shares: readonly Share[], totals: SessionTotals): readonly Share[] {
  const sum = shares.reduce<SessionTotals>((all, share) => addTotals(all, share), noTotals);
  const modelCalls = totals.modelCalls - sum.modelCalls;
  if (modelCalls <= 0) return shares;
  const usage = subtractUsage(totals.usage, sum.usage);
  return [
    ...shares,
    { name: 'others', usage, cost: Math.max(0, totals.cost - sum.cost), modelCalls, saved: 0 },
  ];
}

function subtractUsage(all: Usage, part: Usage): Usage {
  const rest = (field: 'input' | 'output' | 'cacheRead' | 'cacheWrite') =>
    Math.max(0, all[field] - part[field]);
  return {
    input: rest('input'),
    output: rest('output'),
    cacheRead: rest('cacheRead'),
    cacheWrite: rest('cacheWrite'),
  };
}

function isSame(a: Pick<ModelRef, 'vendor' | 'id'>, b: Pick<ModelRef, 'vendor' | 'id'>): boolean {
  return a.vendor === b.vendor && a.id === b.id;
}

function savedBy({ cacheRead, cacheWrite }: Usage, price: Price | undefined): number {
  if (!price) return 0;
  const read = cacheRead * (price.input - (price.cacheRead ?? price.input));
  const written = cacheWrite * ((price.cacheWrite ?? price.input) - price.input);
  return (read - written) / 1_000_000;
}

function modelLine({ name, usage, saved, ...share }: Share): string {
  const saving = saved > 0 ? `, saved ${describeCost(saved)}` : '';
  return `  ${name}: ${spent(share)}; ${tokensOf(usage)}${saving}`;
}

function turnLine({ turn, prompt, ...used }: TurnSpending): string {
  const title = prompt.length > 48 ? `${prompt.slice(0, 47)}…` : prompt;
  return `  ${turn}. ${title}: ${spent(used)}`;
}

function spent({ cost, modelCalls }: Pick<SessionTotals, 'cost' | 'modelCalls'>): string {
  return `${describeCost(cost)} for ${pluralize(modelCalls, 'model call')}`;
}

function tokensOf({ input, cacheRead, cacheWrite, output }: Usage): string {
  const all = input + cacheRead + cacheWrite;
  const share = all === 0 ? 0 : Math.round((cacheRead / all) * 100);
  return `${describeTokens(all)} tokens in (${share}% from cache, ${describeTokens(cacheWrite)} written to it), ${describeTokens(output)} out`;
}
