import { createRenderStyle } from '@robota-sdk/agent-tui';
import { expect, it } from 'vitest';
import type { AppToken } from '../theme/app-tokens.ts';
import { type Activity, activityAfter } from './activity.ts';

const look = createRenderStyle<AppToken>({ isAscii: true });

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
