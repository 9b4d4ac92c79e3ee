import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  AgentError,
  dayOf,
  processHost,
  type ReadOptions,
  readOptions,
  readUsage,
  tildePath,
  type UsageDimension,
  type UsageReport,
  usageCsv,
  usageDimensions,
  usageOfStore,
  usageReport,
  usageText,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { momentOf } from '../sessions/session-arguments.ts';
import { sessionOutput } from '../sessions/session-output.ts';

const usualColumns = 100;

/** `robota usage`: tokens and cost of all stored sessions. */
export async function usageCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('usage'));
  refuseWords(options, 'robota usage');
  if (options.has('json') && options.has('csv'))
    throw new AgentError('usage', '--json and --csv cannot be used together.');
  const by = dimensionsOf(options);
  const host = await processHost();
  const { sessions, unreadable } = await usageIn(options.value('database'), userPaths(host).root);
  const whole = usageReport(sessions, { ...daysOf(options), project: projectOf(options) });
  const report = by ? { ...whole, rows: whole.rows.filter((row) => isWanted(row.by, by)) } : whole;
  const { stdout, note } = sessionOutput();
  if (options.has('json')) await stdout.write(`${JSON.stringify({ ...report, unreadable })}\n`);
  else if (options.has('csv')) await stdout.write(usageCsv(report.rows));
  else await stdout.write(stdout.clean(tablesOf(report, { by, home: host.home })));
  if (!options.has('json')) await note.hidden({ elsewhere: 0, unreadable });
  return 0;
}

/** The usage of the user's own sessions, or of those in the database of a fleet. */
async function usageIn(database: string | undefined, root: string): ReturnType<typeof usageOfStore> {
  if (database === undefined) return readUsage(root);
  const { openDatabaseSessions } = await import('../database/open-database-sessions.ts');
  return usageOfStore(await openDatabaseSessions(database, () => {}));
}

function tablesOf(
  report: UsageReport,
  { by, home }: { readonly by: readonly UsageDimension[] | undefined; readonly home: string },
): string {
  const unicode = /utf-?8/i.test(
    process.env['LC_ALL'] || process.env['LC_CTYPE'] || process.env['LANG'] || 'utf8',
  );
  return usageText(report, {
    columns: process.stdout.isTTY ? process.stdout.columns : usualColumns,
    unicode,
    by,
    shorten: (path) => tildePath(path, home),
  });
}

/** The total belongs to every table. */
function isWanted(dimension: UsageDimension, by: readonly UsageDimension[]): boolean {
  return dimension === 'total' || by.includes(dimension);
}

function dimensionsOf(options: ReadOptions): readonly UsageDimension[] | undefined {
  if (!options.has('by')) return undefined;
  const choices = usageDimensions.filter((each) => each !== 'total');
  const wanted = options
    .values('by')
    .flatMap((text) => text.split(','))
    .map((text) => {
      const found = choices.find((each) => each === text.trim());
      if (found) return found;
      throw new AgentError('usage', `--by ${text}: expected ${choices.join(', ')}.`);
    });
  return [...new Set(wanted)];
}

function daysOf(options: ReadOptions): Record<'since' | 'until', string | undefined> {
  const [since, until] = [dayIn(options, 'since'), dayIn(options, 'until')];
  if (since !== undefined && until !== undefined && since > until)
    throw new AgentError('usage', `--since ${since} is later than --until ${until}. Swap them.`);
  return { since, until };
}

function dayIn(options: ReadOptions, name: 'since' | 'until'): string | undefined {
  const moment = momentOf(options, name);
  return moment === undefined ? undefined : dayOf(moment);
}

/** Sessions know their directory by its real path; it may be gone. */
function projectOf(options: ReadOptions): string | undefined {
  const given = options.value('project');
  if (given === undefined) return undefined;
  const path = resolve(given);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
