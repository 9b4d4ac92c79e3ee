import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, textRedactor } from './redact.ts';

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

  it('hides values behind telling names in a text, and passwords in addresses', () => {
    const redact = textRedactor();
    const lines = [
      ['password: hunter2secret', 'password: [redacted]'],
      ['{"db_password":"s3cr3tvalue99"}', '{"db_password":"[redacted]"}'],
      ['export API_KEY=abc123def;', 'export API_KEY=[redacted];'],
      ['https://user:pw12345@host/x', 'https://user:[redacted]@host/x'],
      ['postgres://app:s3cret@db:5432/shop', 'postgres://app:[redacted]@db:5432/shop'],
      ['password: string; token: JsonWebToken', 'password: string; token: JsonWebToken'],
      ['tokensBefore: 120000 of 200000', 'tokensBefore: 120000 of 200000'],
      ['http://localhost:8080/a@b', 'http://localhost:8080/a@b'],
    ];
    for (const [text = '', hidden] of lines) {
      expect(redact(text)).toBe(hidden);
      expect(redact(redact(text))).toBe(hidden);
    }
  });

  it('hides what looks like the key of a well-known service', () => {
    const redact = createRedactor();
    expect(redact(`key=sk-ant-api03-${'a'.repeat(40)}; done`)).toBe('key=[redacted]; done');
    expect(redact('task-force and risk-averse-but-otherwise-fine-sentence')).toBe(
      'task-force and risk-averse-but-otherwise-fine-sentence',
    );
  });

  it('hides the same as one expression for the whole assignment', () => {
    const whole =
      /((?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)["']?\s*(?::|=>?)\s*["']?)(?=[^\s"',;]*\d)[^\s"',;)}\]]{6,}/gi;
    const piece = fc.constantFrom('pwd', 'token', '=', ': ', '"', ' ', ')', ';', 'abc', 'abcdef', '1', 'x');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        expect(textRedactor()(text)).toBe(text.replace(whole, '$1[redacted]'));
      }),
      { numRuns: 3000 },
    );
  });

  it.each(['a+', 'pwd=', 'token=abcdef', 'a://b:', 'password : '])(
    'reads a megabyte of %j without slowing down',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length);
      expect(textRedactor()(text)).toBe(text);
    },
  );
});

describe('a text that grows', () => {
  const known = 'my known secret';
  const redact = textRedactor([known, 'swordfish', 'schlüssel-42']);
  const secret = fc.constantFrom(
    known,
    'swordfish',
    'schlüssel-42',
    `sk-ant-${'a1'.repeat(12)}`,
    `ghp_${'Ab3'.repeat(12)}`,
    'AKIA0123456789ABCDEF',
    'password: hunter2secret',
    '"api_key" :\n  "s3cr3tvalue99"',
    'token=abc)def1',
    'https://user:pässw0rd@host',
    'a.://user:pw12345@host',
  );
  const between = fc.constantFrom(
    ' ',
    '\n',
    '。',
    '😀',
    '\u00a0',
    '\u0001',
    'the password',
    'token',
    '://',
    ':',
    '=',
    '/',
    '@',
    '"',
    ',',
    ')',
    '7',
    'swordf',
    'sk-',
    'word. ',
    '秘密',
  );
  const text = fc
    .array(fc.oneof({ weight: 1, arbitrary: secret }, { weight: 3, arbitrary: between }), { maxLength: 14 })
    .map((parts) => parts.join(''));

  it('is shown without secrets wherever it is cut, and in the end as if it had come whole', () => {
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (whole, sizes) => {
        const expected = redact(whole);
        let shown = '';
        let rest = '';
        for (let at = 0; at < whole.length; ) {
          const size = sizes.next().value ?? 1;
          const settled = redact.settle(rest + whole.slice(at, at + size));
          at += size;
          shown += settled.shown;
          rest = settled.rest;
          expect(expected.startsWith(shown)).toBe(true);
        }
        expect(shown + redact(rest)).toBe(expected);
      }),
      { numRuns: 1500 },
    );
  });

  it('is shown word by word, without waiting for its end', () => {
    expect(redact.settle('It is done. The last wor')).toEqual({
      shown: 'It is done. The last ',
      rest: 'wor',
    });
    expect(redact.settle('できました。次')).toEqual({ shown: 'できました。次', rest: '' });
    expect(redact.settle('a password: ')).toEqual({ shown: 'a ', rest: 'password: ' });
    expect(redact.settle('password: hunter2swift and')).toEqual({
      shown: 'password: [redacted] ',
      rest: 'and',
    });
  });
});
