import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { reviewMessage } from './review-message.ts';

stillOpen('A comment of a review stands apart from the lines that it quotes', {
  observe: () => {
    const draft = {
      id: 'd',
      path: '/nowhere/cart.js',
      side: 'old',
      line: 3,
      excerpt: ['  let sum = 0;'],
      before: [],
      after: [],
      comment: 'keep the euro sign in front',
    } as const;
    return reviewMessage([draft as never], { cwd: '/nowhere' })
      ?.text.split('\n')
      .slice(-2);
  },
  today: ['>   let sum = 0;', 'keep the euro sign in front'],
  wanted: (lines) => expect(lines).toEqual(['', 'keep the euro sign in front']),
});
