import {
  type ListedSession,
  localTime,
  lockHolder,
  readOptions,
  sessionLabel,
  shortIds,
} from '@robota-sdk/agent-sdk/front-end';
import type { Output } from '@robota-sdk/agent-transport-headless';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { limitOf, scopeOf, sinceOf } from './session-arguments.ts';
import { sessionOutput } from './session-output.ts';
import { sessionSource } from './session-source.ts';

const usualLimit = 20;
const rowsPerWrite = 500;

/** `robota sessions list`: what was kept, newest first, and how much of it is not shown. */
export async function listSessionsCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('sessions', 'list'));
  refuseWords(options, 'robota sessions list');
  const scope = scopeOf(options);
  const since = sinceOf(options) ?? Number.NEGATIVE_INFINITY;
  const { catalogue } = await sessionSource(options);
  const { sessions, unreadable, elsewhere } = await catalogue.list(scope);
  const wanted = sessions.filter(({ modified }) => Date.parse(modified) >= since);
  const shown = wanted.slice(0, limitOf(options, usualLimit));
  const { stdout, note } = sessionOutput();
  if (options.has('json')) {
    const rows = shown.map((session) => ({ ...session, ...usage(session) }));
    await stdout.write(
      `${JSON.stringify({ sessions: rows, total: wanted.length, elsewhere, unreadable })}\n`,
    );
    return 0;
  }
  const directories = scope.cwd === undefined;
  const everyone = directories ? sessions : await catalogue.paths();
  await writeRows(shown, { stdout, ids: everyone.map(({ id }) => id), directories });
  if (shown.length < wanted.length)
    await note(`${shown.length} of ${wanted.length} sessions are shown; --limit 0 shows all.`);
  if (wanted.length === 0) await note(nothingFound(scope.cwd, options.value('since')));
  await note.hidden({ elsewhere, unreadable });
  return 0;
}

interface RowOptions {
  readonly stdout: Output;
  readonly ids: readonly string[];
  /** True if each row names its directory. */
  readonly directories: boolean;
}

async function writeRows(sessions: readonly ListedSession[], view: RowOptions): Promise<void> {
  const shorts = shortIds(view.ids);
  const idWidth = Math.max(0, ...sessions.map(({ id }) => shorts.get(id)?.length ?? 0));
  const countWidth = Math.max(0, ...sessions.map(({ messages }) => `${messages}`.length));
  const { stdout } = view;
  for (let from = 0; from < sessions.length && !stdout.closed.aborted; from += rowsPerWrite) {
    const rows = sessions.slice(from, from + rowsPerWrite).map((session) => {
      const { id, modified, messages, cwd } = session;
      const { inUse } = usage(session);
      const columns = [
        (shorts.get(id) ?? id).padEnd(idWidth),
        localTime(Date.parse(modified)),
        `${`${messages}`.padStart(countWidth)} ${messages === 1 ? 'message ' : 'messages'}`,
        sessionLabel(session),
        ...(view.directories ? [cwd] : []),
        ...(inUse === undefined ? [] : [`(in use by ${inUse})`]),
      ];
      return stdout.clean(`${columns.join('  ')}\n`);
    });
    await stdout.write(rows.join(''));
  }
}

function usage({ path }: ListedSession): { inUse?: string } {
  const inUse = lockHolder(path);
  return inUse === undefined ? {} : { inUse };
}

function nothingFound(cwd: string | undefined, since: string | undefined): string {
  const where = cwd === undefined ? '' : ` in ${cwd}`;
  return since === undefined
    ? `No saved sessions${where} yet.`
    : `No session${where} was used since ${since}.`;
}
