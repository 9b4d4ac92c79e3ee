import { describe, expect, it } from 'vitest';
import { cronOf, describeCron } from './describe-cron.ts';

describe('a schedule in words', () => {
  it('names simple ones and shows the fields of others', () => {
    const texts = {
      '0 2 * * *': 'Every day at 02:00',
      '30 22 * * 1-5': 'Mon–Fri at 22:30',
      '0 6 * * 0': 'Sundays at 06:00',
      '0 6 * * 7': 'Sundays at 06:00',
      '0 * * * *': 'Every hour',
      '*/15 * * * *': 'Every 15 minutes',
      '0 6 1 * *': '0 6 1 * *',
      '0 6 * * 1,3': '0 6 * * 1,3',
    };
    for (const [cron, text] of Object.entries(texts)) expect(describeCron(cron)).toBe(text);
  });
});

it('writes simple schedules as five fields', () => {
  expect(cronOf('day', { at: '02:00' })).toBe('0 2 * * *');
  expect(cronOf('weekdays', { at: '22:30' })).toBe('30 22 * * 1-5');
  expect(cronOf('0', { at: '06:05' })).toBe('5 6 * * 0');
  expect(cronOf('hour', { at: '00:15' })).toBe('15 * * * *');
  expect(cronOf('cron', { cron: ' */5 * * * * ' })).toBe('*/5 * * * *');
});
