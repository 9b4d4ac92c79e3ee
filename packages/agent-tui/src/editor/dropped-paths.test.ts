import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { droppedPaths } from './dropped-paths.ts';

describe('dropped files', () => {
  it.each([
    ["'/home/user/a b/사진.png'", ['/home/user/a b/사진.png']],
    ['"/home/user/a b.png" /tmp/c.txt', ['/home/user/a b.png', '/tmp/c.txt']],
    ['/home/user/a\\ b\\(1\\).png ', ['/home/user/a b(1).png']],
    ['file:///home/user/a%20b/%E4%B8%AD.png', ['/home/user/a b/中.png']],
    ['file:///home/user/a.png\nfile:///home/user/b.png', ['/home/user/a.png', '/home/user/b.png']],
    ['~/notes.md', ['~/notes.md']],
    ['C:\\Users\\user\\a.png', ['C:\\Users\\user\\a.png']],
    ['"C:\\Users\\my name\\a.png"', ['C:\\Users\\my name\\a.png']],
  ])('are read as paths: %j', (text, paths) => {
    proves('P-89');
    expect(droppedPaths(text)).toEqual(paths);
  });

  it.each([
    '',
    'see /tmp/a.png',
    '/',
    '// a comment',
    "it's /tmp/a",
    '/tmp/a\n\n/tmp/b',
    'file://%zz',
    'https://a.b/c',
  ])('are not seen in other text: %j', (text) => {
    proves('P-89');
    expect(droppedPaths(text)).toBeUndefined();
  });
});
