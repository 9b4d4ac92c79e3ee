import { expect, it } from 'vitest';
import { remindersIn, spokenContent } from './spoken-content.ts';

const text = (words: string) => ({ type: 'text', text: words }) as const;
const image = { type: 'image', mimeType: 'image/png', data: '' } as const;

it('leaves out the reminders behind what a user said, and nothing else', () => {
  const reminder = text('<system-reminder>\nThere are more tools.\n</system-reminder>');
  expect(spokenContent([text('hi'), image, reminder])).toEqual([text('hi'), image]);
  const about = text('What is <system-reminder>?');
  expect(spokenContent([text('see'), about])).toEqual([text('see'), about]);
  expect(spokenContent([reminder])).toEqual([reminder]);
  expect(remindersIn([text('hi'), image, reminder])).toEqual([reminder]);
  expect(remindersIn([reminder])).toEqual([]);
});
