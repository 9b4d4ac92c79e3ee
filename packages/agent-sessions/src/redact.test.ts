import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

describe('createRedactor', () => {
  it('hides values under telling keys, however they are spelt, and leaves counts alone', () => {
    const redact = createRedactor();
    const secret = {
      apiKey: 'a',
      'x-api-key': 'b',
      Authorization: 'c',
      client_secret: 'd',
      refresh_token: 'e',
      token: 'f',
      Cookie: ['g'],
    };
    expect(new Set(Object.values(redact(secret) as object))).toEqual(new Set(['[redacted]']));
    const harmless = {
      maxTokens: 5,
      tokensBefore: 7,
      token: 3,
      apiKey: '',
      secret: null,
      author: 'me',
      monkey: 'x',
    };
    expect(redact(harmless)).toEqual(harmless);
  });

  it('hides known secrets wherever they stand', () => {
    const secret = fc.stringMatching(/^[a-z0-9]{12,30}$/);
    fc.assert(
      fc.property(secret, fc.jsonValue(), fc.string(), (key, value, around) => {
        const seeded = { deep: [value, { text: around + key + around, [`k${key}`]: key }] };
        expect(JSON.stringify(createRedactor([key])(seeded))).not.toContain(key);
      }),
    );
  });

  it('hides a longer secret whole where it contains a shorter one', () => {
    expect(createRedactor(['secret-a', 'secret-a-long'])('x secret-a-long y')).toBe('x [redacted] y');
  });

  it('hides what looks like the key of a well-known service', () => {
    const redact = createRedactor();
    expect(redact(`key=sk-ant-api03-${'a'.repeat(40)}; done`)).toBe('key=[redacted]; done');
    expect(redact('task-force and risk-averse-but-otherwise-fine-sentence')).toBe(
      'task-force and risk-averse-but-otherwise-fine-sentence',
    );
  });
});
