import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  AgentError,
  didYouMean,
  type ImportOutcome,
  type ImportReport,
  importablePrograms,
  importSessions,
  type ReadOptions,
  readOptions,
} from '@robota-sdk/agent-sdk/front-end';
import { optionsOf } from '../arguments/row-options.ts';
import { commandDirectory } from './session-arguments.ts';
import { sessionOutput } from './session-output.ts';

/** `robota sessions import`: makes sessions of other programs' files, which are never written to. */
export async function importCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('sessions', 'import'));
  const outcomes: ImportOutcome[] = [];
  const { stdout, note } = sessionOutput();
  const isText = !options.has('json');
  for await (const outcome of importSessions(requestOf(options))) {
    outcomes.push(outcome);
    if (outcome.kind === 'failed') await note(`robota: ${outcome.message}`);
    if (outcome.kind === 'nothing' && isText) await note(nothingText(outcome));
    if (outcome.kind === 'report' && isText) await stdout.say(reportText(outcome.report));
  }
  const total = totalOf(outcomes);
  if (isText) {
    for (const text of leftOutTexts(outcomes)) await note(text);
    await stdout.write(`${totalText(total, options.has('dry-run'))}\n`);
    if (outcomes.every(({ kind }) => kind === 'left-out'))
      await note(
        'Nothing was imported. Give a session file, or the program to import from, such as --from claude.',
      );
  } else await stdout.write(`${JSON.stringify(jsonOf(outcomes, total))}\n`);
  return total.failed > 0 ? 1 : 0;
}

function requestOf(options: ReadOptions) {
  const from = options
    .values('from')
    .flatMap((text) => text.split(','))
    .map((name) => name.trim());
  for (const name of from) assertProgram(name);
  const paths = options.words.map((word) => resolve(word));
  if (paths.length === 0 && from.length === 0) {
    throw new AgentError('usage', 'Nothing to import. Give a PATH, or --from claude.', {
      hint: { text: 'See', run: ['sessions', '--help'] },
    });
  }
  const cwd = commandDirectory(options);
  if (options.has('cwd') && !existsSync(cwd))
    throw new AgentError('usage', `--cwd ${cwd}: no such directory.`);
  if (options.has('all') && from.length === 0)
    throw new AgentError('usage', '--all goes with --from: it takes the sessions of every directory.');
  return {
    paths,
    from,
    cwd,
    all: options.has('all'),
    again: options.has('again'),
    dryRun: options.has('dry-run'),
  };
}

function assertProgram(name: string): void {
  const known = importablePrograms();
  if (known.includes(name)) return;
  const hint = didYouMean(name, known);
  throw new AgentError('usage', `--from ${name}: expected ${known.join(', ')}.`, { hint });
}

const programs: Readonly<Record<string, string>> = {
  pi: 'pi',
  'pi-4': 'pi (format 4)',
  flat: 'rab (flat lines)',
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  'eidolon-json': 'eidolon',
  'eidolon-xnl': 'eidolon (XNL)',
};

const verbs = {
  imported: 'imported',
  'would-import': 'would import',
  already: 'already imported',
  empty: 'empty',
};

function reportText(report: ImportReport): string {
  const { path, status, sessionId, earlierId, name } = report;
  const title = name === undefined ? '' : ` "${name}"`;
  const as = sessionId === undefined ? '' : ` as ${sessionId}`;
  const head = `${verbs[status]}${as}${title}: ${path}`;
  if (status === 'already') return `${head}\n  --again imports it once more`;
  return [
    head,
    `  ${countsText(report)}, from ${programs[report.format] ?? report.format}, in ${report.cwd}`,
    ...report.skipped.map(({ reason, count }) => `  not taken over: ${counted(count, 'line')} ${reason}`),
    ...report.repaired.map(({ reason, count }) => `  repaired: ${counted(count, 'line')} ${reason}`),
    ...(earlierId === undefined ? [] : [`  an earlier state of the file is session ${earlierId}`]),
  ].join('\n');
}

function countsText({ messages, branches, toolCalls, compactions }: ImportReport): string {
  return [
    counted(messages, 'message'),
    counted(branches, 'branch', 'branches'),
    counted(toolCalls, 'tool call'),
    ...(compactions > 0 ? [counted(compactions, 'compaction')] : []),
  ].join(', ');
}

function nothingText({ program, folders }: Extract<ImportOutcome, { kind: 'nothing' }>): string {
  return `No sessions of ${program}: ${folders.join(' and ')} ${folders.length === 1 ? 'does' : 'do'} not exist.`;
}

function leftOutTexts(outcomes: readonly ImportOutcome[]): string[] {
  const counts = new Map<string, number>();
  for (const outcome of outcomes)
    if (outcome.kind === 'left-out')
      counts.set(outcome.reason, (counts.get(outcome.reason) ?? 0) + outcome.count);
  return [...counts].map(([reason, count]) => `left out: ${counted(count, 'file')} ${reason}`);
}

interface Total {
  readonly imported: number;
  readonly already: number;
  readonly failed: number;
  readonly messages: number;
  readonly toolCalls: number;
}

function totalOf(outcomes: readonly ImportOutcome[]): Total {
  const reports = outcomes.flatMap((outcome) => (outcome.kind === 'report' ? [outcome.report] : []));
  const made = reports.filter(({ status }) => status === 'imported' || status === 'would-import');
  return {
    imported: made.length,
    already: reports.length - made.length,
    failed: outcomes.filter(({ kind }) => kind === 'failed').length,
    messages: made.reduce((sum, { messages }) => sum + messages, 0),
    toolCalls: made.reduce((sum, { toolCalls }) => sum + toolCalls, 0),
  };
}

function totalText({ imported, already, failed, messages, toolCalls }: Total, isDry: boolean): string {
  const what = `${counted(messages, 'message')} and ${counted(toolCalls, 'tool call')}`;
  return [
    `${counted(imported, 'session')} ${isDry ? 'would be imported' : 'imported'}${imported > 0 ? ` with ${what}` : ''}`,
    ...(already > 0 ? [`${already} imported before`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');
}

function jsonOf(outcomes: readonly ImportOutcome[], total: Total) {
  const of = <K extends ImportOutcome['kind']>(kind: K) =>
    outcomes
      .filter((outcome): outcome is Extract<ImportOutcome, { kind: K }> => outcome.kind === kind)
      .map(({ kind: _, ...rest }) => rest);
  return {
    sessions: of('report').map(({ report }) => report),
    failed: of('failed'),
    leftOut: of('left-out'),
    total,
  };
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
