import { describe, expect, it } from 'vitest';
import { errorReport } from './agent-error.ts';
import { diskAdvice } from './disk-advice.ts';

const failure = (code: string) => Object.assign(new Error(`${code}: it failed`), { code });

describe('diskAdvice', () => {
  it.each([
    ['EROFS', /read-only: mount it for writing, or set ROBOTA_HOME/],
    ['ENOSPC', /Free some space/],
    ['EACCES', /Make \/home\/me writable/],
    ['ENOTDIR', /move it away/],
    ['EIO', /Check the disk/],
  ])('says what to do about %s', (code, advice) => {
    expect(diskAdvice(failure(code), '/home/me/file')).toMatch(advice);
  });

  it('follows a system error that nothing else explains', () => {
    expect(errorReport(failure('EROFS'))).toMatch(/^EROFS: it failed\. The disk is read-only/);
    expect(errorReport(failure('ENOENT'))).toBe('ENOENT: it failed');
  });
});
