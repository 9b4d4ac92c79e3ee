import { readFile } from 'node:fs/promises';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findToolchain } from './find-toolchain.ts';
import { HostServices } from './host-services.ts';
import { PluginInstance } from './plugin-instance.ts';
import { emptyManifest } from './plugin-manifest.ts';
import { type TranspiledComponent, transpileComponent } from './transpile-component.ts';

const source = new URL('../../../../test/fixtures/wasm/hostile.wat', import.meta.url);
const { grants, config } = emptyManifest;
const services = new HostServices({ grants, config, cwd: '/', home: '/', env: {} });

describe('PluginInstance, with a component by hand', () => {
  let made: TranspiledComponent;
  let instance: PluginInstance;

  beforeAll(async () => {
    made = await madeOf(await readFile(source, 'utf8'));
    instance = begun(10);
  });
  afterAll(() => instance.dispose());

  const madeOf = async (text: string) =>
    transpileComponent({ toolchain: findToolchain('/nowhere') ?? '', component: await parse(text) });
  const begun = (seconds: number) =>
    new PluginInstance({ load: async () => made, limits: { memoryMegabytes: 8, seconds }, services });

  /** It answers by the length of the name. */
  const call = (length: number, plugin = instance) =>
    plugin
      .call({ name: 'executeTool', args: ['x'.repeat(length), 'id', '{}'] })
      .catch((thrown: Error) => thrown);

  it.each([
    ['a pointer outside of its memory', 1, /length|bounds|offset/],
    ['text that is not UTF-8', 2, /not UTF-8/],
    ['a trap', 4, /unreachable/],
    ['recursion without end', 5, /stack/],
    ['two gigabytes of text', 6, /length|bounds|more text/],
  ])('that answers with %s is an error, and the next call works', async (_, length, message) => {
    proves('P-131');
    expect(await call(length)).toMatchObject({ message: expect.stringMatching(message) });
    expect(await call(0)).toBe('hostile');
  });

  it('gets as much memory and as large tables as it may have, and no more', async () => {
    proves('P-132');
    expect(String(await call(3))).toHaveLength(8 * 16);
    expect(String(await call(7)).length).toBeLessThan(1100);
  });

  it('that never ends is stopped in time, and the next call works', async () => {
    proves('P-131');
    const impatient = begun(1);
    expect(await call(8, impatient)).toMatchObject({
      message: 'it was not done after 1 seconds and was stopped',
    });
    expect(await call(0, impatient)).toBe('hostile');
    impatient.dispose();
  });

  it('calls are made one after the other, and one that is not wanted any more is ended', async () => {
    proves('P-131');
    const answers = await Promise.all([call(0), call(4), call(0)]);
    expect(answers.map(String)).toEqual(['hostile', expect.stringContaining('unreachable'), 'hostile']);
    const controller = new AbortController();
    const unwanted = instance.call({ name: 'executeTool', args: ['x'.repeat(8), 'id', '{}'] }, controller);
    controller.abort();
    await expect(unwanted).rejects.toThrow(/abort/);
    expect(await call(0)).toBe('hostile');
  });

  it('that is unloaded or interrupted while it starts is ended at once', async () => {
    proves('P-131');
    const text = (await readFile(source, 'utf8')).replace(
      '(memory (export "memory") 1)',
      '(memory (export "memory") 1) (start $never) (func $never (loop $on (br $on)))',
    );
    const endless = await madeOf(text);
    const limits = { memoryMegabytes: 8, seconds: 10 };
    const plugin = new PluginInstance({ load: async () => endless, limits, services });
    const controller = new AbortController();
    const interrupted = plugin.call({ name: 'name', args: [] }, controller);
    setTimeout(() => controller.abort(), 200);
    await expect(interrupted).rejects.toThrow(/abort/);
    const unloaded = call(0, plugin);
    setTimeout(() => plugin.dispose(), 200);
    expect(await unloaded).toMatchObject({ message: 'it is not loaded any more' });
  });

  it('whose names are code runs none of it', async () => {
    proves('P-131');
    const name = `n'+(()=>{globalThis.isOut=true})()+'`;
    const trick = await madeOf((await readFile(source, 'utf8')).replaceAll('"execute"', `"${name}"`));
    const limits = { memoryMegabytes: 8, seconds: 10 };
    const plugin = new PluginInstance({ load: async () => trick, limits, services });
    expect(await call(0, plugin)).toMatchObject({ message: `a name in it is "${name}", which is none` });
  });

  it.each([
    ['reads a file', "process.getBuiltinModule('node:fs').readFileSync('/etc/hostname')"],
    ['starts a program', "process.getBuiltinModule('node:child_process').execSync('id')"],
  ])('has a script around it that can do little more than it: none %s', async (_, code) => {
    proves('P-132');
    const script = `export async function instantiate() { ${code}; }`;
    const files = new Map([['plugin.js', Buffer.from(script)]]);
    const limits = { memoryMegabytes: 8, seconds: 10 };
    const load = async () => ({ files, imports: [], exports: [] });
    const plugin = new PluginInstance({ load, limits, services });
    expect(await call(0, plugin)).toMatchObject({ message: expect.stringContaining('restricted') });
  });
});
