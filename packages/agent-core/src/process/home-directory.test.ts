import { userInfo } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { homeDirectory } from './home-directory.ts';

afterEach(() => void vi.unstubAllEnvs());

it('is what HOME names', () => {
  vi.stubEnv('HOME', '/somewhere/else');
  expect(homeDirectory()).toBe('/somewhere/else');
});

it.each(['', '.', 'work', './work', '~', '~/work'])('is that of the system where HOME is "%s"', (home) => {
  vi.stubEnv('HOME', home);
  expect(homeDirectory()).toBe(userInfo().homedir);
});

it('is that of the system where there is no HOME', () => {
  vi.stubEnv('HOME', undefined);
  expect(homeDirectory()).toBe(userInfo().homedir);
});
