const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

/** A simple schedule: each day, each working day, a day of the week, each hour; or the five fields themselves. */
export type Rhythm = 'day' | 'weekdays' | 'hour' | 'cron' | '0' | '1' | '2' | '3' | '4' | '5' | '6';

/** The five fields of a simple schedule. */
export function cronOf(
  rhythm: Rhythm,
  { at = '00:00', cron = '' }: { readonly at?: string | undefined; readonly cron?: string | undefined },
): string {
  if (rhythm === 'cron') return cron.trim();
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  if (rhythm === 'hour') return `${minute} * * * *`;
  const weekday = rhythm === 'day' ? '*' : rhythm === 'weekdays' ? '1-5' : rhythm;
  return `${minute} ${hour} * * ${weekday}`;
}

/** A schedule in words where it is a simple one: `Every day at 02:00`; the five fields otherwise. */
export function describeCron(cron: string): string {
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  if (date !== '*' || month !== '*') return cron;
  if (hour === '*' && weekday === '*') {
    const every = /^\*\/(\d+)$/.exec(minute)?.[1];
    if (every !== undefined) return `Every ${every} minutes`;
    if (!/^\d+$/.test(minute)) return cron;
    return minute === '0' ? 'Every hour' : `Every hour at minute ${minute}`;
  }
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return cron;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (weekday === '*') return `Every day at ${time}`;
  if (weekday === '1-5') return `Mon–Fri at ${time}`;
  const day = weekdays[Number(weekday) % 7];
  return /^[0-7]$/.test(weekday) && day !== undefined ? `${day} at ${time}` : cron;
}
