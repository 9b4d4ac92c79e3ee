const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

/** A schedule in words where it is a simple one: `Every day at 02:00`; the five fields otherwise. */
export function describeCron(cron: string): string {
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  if (date !== '*' || month !== '*') return cron;
  if (hour === '*' && weekday === '*') {
    if (minute === '0') return 'Every hour';
    const every = /^\*\/(\d+)$/.exec(minute)?.[1];
    return every === undefined ? cron : `Every ${every} minutes`;
  }
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return cron;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (weekday === '*') return `Every day at ${time}`;
  if (weekday === '1-5') return `Mon–Fri at ${time}`;
  const day = weekdays[Number(weekday) % 7];
  return /^[0-7]$/.test(weekday) && day !== undefined ? `${day} at ${time}` : cron;
}
