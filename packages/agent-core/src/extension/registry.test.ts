import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { Registry } from './registry.ts';

describe('a registry', () => {
  it('tells what a source added, hidden values included, until it is taken away', () => {
    proves('P-28');
    const registry = new Registry<{ readonly id: number }>();
    const values = Array.from({ length: 4 }, (_, id) => ({ id }));
    registry.add('a', { id: 9 }, 'first');
    const removals = values.map((value) => registry.add('a', value, 'second'));
    const [shared] = values;
    if (shared === undefined) throw new Error('There are values.');
    const again = registry.add('b', shared, 'second');
    expect(registry.of('second')).toEqual([...values, shared]);
    removals[0]?.();
    expect(registry.of('second')).toEqual([...values.slice(1), shared]);
    expect(registry.sourceOf(shared)).toBe('second');
    again();
    expect(registry.of('second')).not.toContain(shared);
    expect(registry.of('nothing')).toEqual([]);
  });
});
