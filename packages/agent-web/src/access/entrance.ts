import type { PairingCode } from '../contract/devices.ts';
import { createCode, createSecret, hashSecret, matchesHash } from './secret.ts';

const tokenMs = 60_000;
const codeMs = 120_000;
const codeTries = 5;

interface Pass {
  readonly hash: string;
  readonly expires: number;
}

/**
 * Gives out the two ways in: a token in the printed address, and a short code that a known device shows. Each works once
 * and for a short time; a code ends after a few wrong tries. There is one of each at most.
 */
export class Entrance {
  readonly #now: () => number;
  #token: Pass | undefined;
  #code: (Pass & { readonly triesLeft: number; readonly maker: string }) | undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A new token; the one before it ends. */
  createToken(): string {
    const token = createSecret();
    this.#token = { hash: hashSecret(token), expires: this.#now() + tokenMs };
    return token;
  }

  /** A new code that a device shows; the one before it ends. */
  createCode(maker: string): PairingCode {
    const code = createCode();
    const expires = this.#now() + codeMs;
    this.#code = { hash: hashSecret(code), expires, triesLeft: codeTries, maker };
    return { code: `${code.slice(0, 4)}-${code.slice(4)}`, expires };
  }

  /** True once for the token in force. A wrong one changes nothing: it cannot be guessed, and must not lock out its owner. */
  takeToken(token: string): boolean {
    if (!this.#isValid(this.#token) || !matchesHash(token, this.#token.hash)) return false;
    this.#token = undefined;
    return true;
  }

  /** The device that made the code in force, once for the right one. Case, spaces and dashes do not matter. */
  takeCode(typed: string): string | undefined {
    const code = this.#code;
    if (!this.#isValid(code)) return undefined;
    const isRight = matchesHash(typed.replace(/[\s-]/g, '').toUpperCase(), code.hash);
    this.#code = isRight || code.triesLeft <= 1 ? undefined : { ...code, triesLeft: code.triesLeft - 1 };
    return isRight ? code.maker : undefined;
  }

  #isValid<P extends Pass>(pass: P | undefined): pass is P {
    return pass !== undefined && this.#now() < pass.expires;
  }
}
