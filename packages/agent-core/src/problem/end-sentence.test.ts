import { expect, it } from 'vitest';
import { endSentence } from './end-sentence.ts';

it.each([
  ['slow down', 'slow down.'],
  ['Slow down. ', 'Slow down.'],
  ['got the string "x"', 'got the string "x".'],
  ['it said "No."', 'it said "No."'],
  ['why?', 'why?'],
  ['(see above.)', '(see above.)'],
])('ends %j with one mark', (text, ended) => {
  expect(endSentence(text)).toBe(ended);
});
