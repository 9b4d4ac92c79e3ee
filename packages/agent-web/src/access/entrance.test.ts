import { describe, expect, it } from 'vitest';
import { Entrance } from './entrance.ts';

describe('the entrance', () => {
  it('takes a token of 256 bits once', () => {
    const entrance = new Entrance();
    const token = entrance.createToken();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(entrance.takeToken(`${token}x`)).toBe(false);
    expect(entrance.takeToken('')).toBe(false);
    expect(entrance.takeToken(token)).toBe(true);
    expect(entrance.takeToken(token)).toBe(false);
  });

  it('takes a token for a minute, and only the last one', () => {
    let now = 0;
    const entrance = new Entrance(() => now);
    const first = entrance.createToken();
    const second = entrance.createToken();
    expect(entrance.takeToken(first)).toBe(false);
    now = 60_000;
    expect(entrance.takeToken(second)).toBe(false);
    const third = entrance.createToken();
    now = 119_999;
    expect(entrance.takeToken(third)).toBe(true);
  });

  it('takes a code as users type it, once and for two minutes', () => {
    let now = 0;
    const entrance = new Entrance(() => now);
    const { code, expires } = entrance.createCode('maker');
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    expect(entrance.takeCode(` ${code.replace('-', ' ').toLowerCase()}`)).toBe('maker');
    expect(entrance.takeCode(code)).toBeUndefined();
    const { code: late } = entrance.createCode('maker');
    now = expires;
    expect(entrance.takeCode(late)).toBeUndefined();
  });

  it('ends a code after five wrong tries', () => {
    const entrance = new Entrance();
    const { code } = entrance.createCode('maker');
    for (let tries = 0; tries < 4; tries++) expect(entrance.takeCode('0000-0000')).toBeUndefined();
    expect(entrance.takeCode(code)).toBe('maker');
    const { code: next } = entrance.createCode('maker');
    for (let tries = 0; tries < 5; tries++) expect(entrance.takeCode('0000-0000')).toBeUndefined();
    expect(entrance.takeCode(next)).toBeUndefined();
  });
});
