import { type Command, type CommandOutcome, windowText } from '@robota-sdk/agent-core';
import { type ContextPart, type ContextReport, isSaid, partName } from '@robota-sdk/agent-sessions';
import { selectedAgent } from '../input/select-agent.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { receiptText } from './receipt-text.ts';

export const contextCommand: Command<InteractiveSession> = {
  name: 'context',
  description: 'Show what fills the context window; what compactions took out of it',
  argumentHint: '[receipt [N]]',
  subcommands: [{ name: 'receipt', description: 'Show what a compaction did' }],
  run: async (args, { session }) => {
    const [word = '', number] = args.split(/\s+/);
    if (word === 'receipt') return showReceipt(session, number);
    if (word !== '') return { kind: 'error', text: 'Use /context, or /context receipt [N].' };
    return showWindow(session);
  },
};

function showWindow(session: InteractiveSession): CommandOutcome {
  const own = session.getSession();
  const report = own.context.report();
  const { usedTokens, maxTokens } = report;
  const usedPercentage = Math.min(100, Math.round((usedTokens / Math.max(1, maxTokens)) * 1_000) / 10);
  const used = `${Math.round(usedPercentage)}% (${windowText(usedTokens)}/${windowText(maxTokens)})`;
  const shown = session.getMessages().filter(isSaid);
  const agent = selectedAgent(session);
  const text = [
    `${used} of ${own.model.name}, ${shown.length === 1 ? '1 message' : `${shown.length} messages`} in the window`,
    ...(agent === undefined ? [] : [`Agent: ${agent} (@agent:none takes it back)`]),
    ...reportLines(report),
  ].join('\n');
  return { kind: 'notice', text, data: { ...report, usedPercentage } };
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
  if (!receipt)
    return { kind: 'error', text: `There is no receipt ${wanted}; there are ${receipts.length}.` };
  return { kind: 'notice', text: receiptText(receipt, number), data: { number, receipt } };
}
