import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { reasonOf } from './server-failure.ts';

const answered = (status: number, message: string) => Object.assign(new Error(message), { status });

describe('the reason of a failure', () => {
  it('is the status and what to look at, and no page of HTML', () => {
    proves('R-75');
    const page = 'Error POSTing to endpoint: <!DOCTYPE html>\n<html><body>Cannot POST /nope</body></html>';
    expect(reasonOf(answered(404, page))).toBe(
      'it answered with HTTP 404; is its address right? (Error POSTing to endpoint)',
    );
    expect(reasonOf(answered(500, 'Error POSTing to endpoint: out of disk'))).toBe(
      'it answered with HTTP 500; it is in trouble itself (Error POSTing to endpoint: out of disk)',
    );
  });

  it('is what lies behind a request that failed', () => {
    proves('R-75');
    const cause = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    expect(reasonOf(new Error('fetch failed', { cause }))).toBe('fetch failed (ECONNREFUSED)');
    expect(reasonOf(new Error('no such thing'))).toBe('no such thing');
  });
});
