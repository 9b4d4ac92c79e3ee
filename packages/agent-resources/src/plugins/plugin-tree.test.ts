import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { isSealed, sealTree } from './plugin-tree.ts';

const bytecode = 'hooks/__pycache__/check.cpython-311.pyc';

async function plugin(...names: readonly string[]) {
  const root = await temporaryDirectory();
  const put = async (name: string, text = name) => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  };
  for (const name of ['hooks/check.py', ...names]) await put(name);
  return { root, put, has: (name: string) => existsSync(join(root, name)), seal: await sealTree(root) };
}

describe('the seal of a plugin', () => {
  it('survives the bytecode that Python adds, which is removed', async () => {
    const { root, put, has, seal } = await plugin();
    await put(bytecode);
    await put('__pycache__/more.pyc');
    expect(await isSealed(root, seal)).toBe(true);
    expect([has(bytecode), has('__pycache__/more.pyc'), has('hooks/check.py')]).toEqual([false, false, true]);
  });

  it('breaks by every other change, also beside bytecode', async () => {
    const changed = await plugin();
    await changed.put(bytecode);
    await changed.put('hooks/check.py', 'something else');
    expect(await isSealed(changed.root, changed.seal)).toBe(false);
    for (const name of ['hooks/check.pyc', 'hooks/__pycache__/run.sh', 'hooks/new.py']) {
      const { root, put, seal } = await plugin();
      await put(name);
      expect(await isSealed(root, seal)).toBe(false);
    }
    const linked = await plugin();
    await mkdir(join(linked.root, 'hooks/__pycache__'));
    await symlink('/etc/hosts', join(linked.root, bytecode));
    expect(await isSealed(linked.root, linked.seal)).toBe(false);
  });

  it('covers bytecode that was there when it was approved', async () => {
    const { root, put, has, seal } = await plugin(bytecode);
    expect(await isSealed(root, seal)).toBe(true);
    expect(has(bytecode)).toBe(true);
    await put(bytecode, 'something else');
    expect(await isSealed(root, seal)).toBe(false);
  });
});
