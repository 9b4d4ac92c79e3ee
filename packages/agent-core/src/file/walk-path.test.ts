import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, expect, it } from 'vitest';
import { realPathOf } from './walk-path.ts';

const before = process.cwd();
afterEach(() => process.chdir(before));

it('a relative path starts in the working directory, and a link is followed before ".."', async () => {
  proves('R-4', 'R-5');
  const root = realPathOf(await temporaryDirectory());
  mkdirSync(join(root, 'here/deep'), { recursive: true });
  mkdirSync(join(root, 'other/inside'), { recursive: true });
  symlinkSync('../other/inside', join(root, 'here/link'));
  process.chdir(join(root, 'here'));
  expect(realPathOf('.')).toBe(join(root, 'here'));
  expect(realPathOf('..')).toBe(root);
  expect(realPathOf('../other')).toBe(join(root, 'other'));
  expect(realPathOf('./deep/../link/..')).toBe(join(root, 'other'));
  expect(realPathOf('missing/file')).toBe(join(root, 'here/missing/file'));
  expect(realPathOf('../../../../../../../../../..')).toBe('/');
});
