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

  it('holds files for changed that were put back behind the back of the model', () => {
    const ledger = new FileLedger();
    const version = versionOf(Buffer.from('x'), 1);
    ledger.record('/a', version);
    ledger.record('/b', version);
    ledger.outdate(['/a', '/never-seen']);
    expect(['/a', '/b', '/never-seen'].map((file) => ledger.compare(file, version))).toEqual([
      'changed',
      'same',
      'changed',
    ]);
    ledger.outdate();
    expect(ledger.compare('/b', version)).toBe('changed');
    ledger.record('/b', version);
    expect(ledger.compare('/b', version)).toBe('same');
  });
});
