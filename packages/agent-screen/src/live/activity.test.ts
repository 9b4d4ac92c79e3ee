import { createRenderStyle } from '@robota-sdk/agent-tui';
import { expect, it } from 'vitest';
import type { AppToken } from '../theme/app-tokens.ts';
import { type Activity, activityAfter } from './activity.ts';

const look = createRenderStyle<AppToken>({ isAscii: true });
const model = { vendor: 'anthropic', id: 'claude', api: 'anthropic' } as const;
const failure = { code: 'rate-limit', message: '', retryable: true } as const;

it('shows how much of the prompt a local server has read, as one activity, and then the answer', () => {
  const after = (processed: number, now: number, before?: Activity) =>
    activityAfter({ type: 'prompt-progress', processed, total: 3000 }, now, {
      look,
      vendorName: (id) => id,
      before,
    });
  const begun = after(0, 1000);
  expect(begun).toMatchObject({ what: 'Reading 0%', since: 1000 });
  expect(after(1039, 5000, begun)).toMatchObject({ what: 'Reading 34%', since: 1000 });
  expect(after(2999, 9000, begun)).toMatchObject({ what: 'Reading 99%' });
  expect(after(3000, 9000, begun)).toMatchObject({ what: 'Reading 100%' });
  const answering = activityAfter({ type: 'text-delta', text: 'Hi' }, 9500, { look, vendorName: (id) => id });
  expect(answering).toEqual({ what: 'Answering', since: 9500 });
});

it('names the date of a reset only if it is a day or more away, so that the line stays short', () => {
  const now = new Date(2026, 10, 18, 22, 9).getTime();
  const whatUntil = (until: Date) =>
    activityAfter({ type: 'limit-wait', model, failure, until: until.getTime() }, now, {
      look,
      vendorName: (id) => id,
    })?.what;
  expect(whatUntil(new Date(2026, 10, 19, 0, 9))).toMatch(/resumes 00:09$/);
  expect(whatUntil(new Date(2026, 10, 21, 9, 5))).toMatch(/resumes 21 Nov 09:05$/);
  expect(whatUntil(new Date(2027, 0, 2, 9, 5))).toMatch(/resumes 2 Jan 2027 09:05$/);
});
