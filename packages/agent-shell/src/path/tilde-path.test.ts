import { expect, it } from 'vitest';
import { tildePath } from './tilde-path.ts';

it.each([
  ['/srv/me/shop', '/srv/me', '~/shop'],
  ['/srv/me', '/srv/me', '~'],
  ['/srv/mel', '/srv/me', '/srv/mel'],
  ['C:\\Users\\me\\shop', 'C:\\Users\\me', '~\\shop'],
  ['C:\\Users\\mel', 'C:\\Users\\me', 'C:\\Users\\mel'],
  ['/srv', '/', '/srv'],
  ['/srv', '', '/srv'],
])('shortens %s in the home %s to %s', (path, home, expected) => {
  expect(tildePath(path, home)).toBe(expected);
});
