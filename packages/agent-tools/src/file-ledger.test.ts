import { describe, expect, it } from 'vitest';
import { FileLedger, versionOf } from './file-ledger.ts';

describe('FileLedger', () => {
  it('goes by content where it is known, else by size and time', () => {
    const ledger = new FileLedger();
    expect(ledger.compare('/a', versionOf(Buffer.from('x'), 1))).toBe('unseen');
    ledger.record('/a', versionOf(Buffer.from('x'), 1));
    expect(ledger.compare('/a', versionOf(Buffer.from('x'), 2))).toBe('same');
    expect(ledger.compare('/a', versionOf(Buffer.from('y'), 1))).toBe('changed');
    ledger.record('/big', { size: 9, changedAt: 1 });
    expect(ledger.compare('/big', { size: 9, changedAt: 1 })).toBe('same');
    expect(ledger.compare('/big', { size: 9, changedAt: 2 })).toBe('changed');
  });
});
