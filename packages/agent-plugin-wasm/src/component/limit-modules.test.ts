import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitModules } from './limit-modules.ts';

const head = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const { WebAssembly: webAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    validate(bytes: Uint8Array): boolean;
    Module: new (bytes: Uint8Array) => object;
    Instance: new (module: object) => { readonly exports: Record<string, { grow(pages: number): number }> };
  };
};

/** A module with one exported memory. */
function memoryModule(minimum: number, maximum?: number): Uint8Array {
  const limits = maximum === undefined ? [0, ...leb(minimum)] : [1, ...leb(minimum), ...leb(maximum)];
  const exported = [1, 1, 0x6d, 2, 0];
  return Uint8Array.from([...head, 5, limits.length + 1, 1, ...limits, 7, exported.length, ...exported]);
}

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...leb(Math.floor(value / 128))];
}

function limited(bytes: Uint8Array, memoryPages: number): Uint8Array {
  return limitModules(new Map([['m', bytes]]), { memoryPages }).get('m') ?? new Uint8Array();
}

describe('limitModules', () => {
  it('lets a memory grow to its limit and not beyond, whatever it says itself', () => {
    proves('P-132');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }),
        fc.option(fc.integer({ min: 0, max: 60_000 })),
        fc.integer({ min: 40, max: 300 }),
        (minimum, more, pages) => {
          const own = more === null ? undefined : minimum + more;
          const bytes = limited(memoryModule(minimum, own), pages);
          expect(webAssembly.validate(bytes)).toBe(true);
          const { m } = new webAssembly.Instance(new webAssembly.Module(bytes)).exports;
          const most = Math.min(own ?? pages, pages);
          expect(m?.grow(most - minimum)).toBe(minimum);
          expect(() => m?.grow(1)).toThrow();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('shares the limit among all memories of a plugin', () => {
    proves('P-132');
    const modules = new Map([
      ['a', memoryModule(10)],
      ['b', memoryModule(10)],
    ]);
    const { m } = new webAssembly.Instance(
      new webAssembly.Module(limitModules(modules, { memoryPages: 100 }).get('a') ?? new Uint8Array()),
    ).exports;
    expect(m?.grow(40)).toBe(10);
    expect(() => m?.grow(1)).toThrow();
    expect(() => limitModules(modules, { memoryPages: 19 })).toThrow(
      'it needs 2 MB of memory from the start',
    );
  });

  it.each([
    ['objects of the garbage collector', [1, 4, 1, 0x5e, 0x7f, 0], /garbage collection/],
    ['tables filled by an expression', [4, 9, 1, 0x40, 0, 0x70, 0, 1, 0xd0, 0x70, 0x0b], /expression/],
    ['tables without end', [4, 8, 1, 0x70, 0, 0xff, 0xff, 0xff, 0xff, 0x0f], /entries/],
    ['pages of another size', [5, 4, 1, 8, 1, 0], /pages of another size|unknown/],
    ['a section that ends early', [5, 100, 1, 0], /ends in the middle/],
  ])('refuses %s', (_, section, message) => {
    proves('P-132');
    expect(() => limited(Uint8Array.from([...head, ...section]), 100)).toThrow(message);
  });

  it('answers every broken module with an error of its own', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (rest) => {
        try {
          limited(Uint8Array.from([...head, ...rest]), 100);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Error);
          expect((thrown as Error).message).toMatch(/^(?:it|its|a) /);
        }
      }),
    );
  });
});
