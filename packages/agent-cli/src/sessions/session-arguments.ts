import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError, type ReadOptions } from '@robota-sdk/agent-sdk/front-end';

/** The directory that is meant: the one here, or that of `--cwd`. */
export function commandDirectory(options: ReadOptions): string {
  return resolve(options.value('cwd') ?? process.cwd());
}

/** Which sessions are meant: those of a directory, or with `--all` every one. */
export function scopeOf(options: ReadOptions): { readonly cwd?: string } {
  if (options.has('all') && options.has('cwd'))
    throw new AgentError('usage', '--all means every directory, so --cwd cannot be given with it.');
  if (options.has('all')) return {};
  const cwd = commandDirectory(options);
  // Sessions outlive their directory, so a missing one is only strange where it was typed.
  if (options.has('cwd') && !existsSync(cwd))
    throw new AgentError('usage', `--cwd ${cwd}: no such directory. --all shows sessions of all.`);
  return { cwd };
}

/** How many to show; nothing for all of them, which `--limit 0` asks for. */
export function limitOf(options: ReadOptions, usual: number): number | undefined {
  const text = options.value('limit');
  if (text === undefined) return options.has('json') ? undefined : usual;
  if (!/^\d+$/.test(text))
    throw new AgentError('usage', `--limit ${text}: expected a whole number; 0 is all.`);
  return Number(text) === 0 ? undefined : Number(text);
}

const milliseconds: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 24 * 3_600_000,
  w: 7 * 24 * 3_600_000,
};

/** The moment `--since` names. */
export function sinceOf(options: ReadOptions, now = Date.now()): number | undefined {
  return momentOf(options, 'since', now);
}

/** The moment that an option names: a date, a time, or how long ago. */
export function momentOf(
  options: ReadOptions,
  name: 'since' | 'until',
  now = Date.now(),
): number | undefined {
  const text = options.value(name)?.trim();
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+)\s*([mhdw])$/i.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (milliseconds[unit?.toLowerCase() ?? ''] ?? 0);
  // A date alone would be read as one of Greenwich.
  const time = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
  // Without a year in front, Node reads almost any number as a date: 7 is July 2001.
  if (/^\d{4}-/.test(text) && !Number.isNaN(time)) return time;
  throw new AgentError('usage', `--${name} ${text}: expected a date such as 2026-01-31, or 12h, 7d, 2w.`);
}
