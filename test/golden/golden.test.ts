import { describe, expect, it } from 'vitest';
import { readCorpus, recordCorpus, unexplainedChanges } from './corpus.mjs';

const recorded = readCorpus();
const now = await recordCorpus();
const files = [...new Set([...recorded.keys(), ...now.keys()])].sort();

describe('the golden corpus', () => {
  it.each(files)('has %s as the program writes it now', (file) => {
    expect(now.get(file) ?? 'The program does not write this file.').toBe(
      recorded.get(file) ?? 'This file is not recorded: run npm run golden.',
    );
  });

  it('names each change since the first recording in DECISIONS.md', () => {
    expect(unexplainedChanges(recorded)).toEqual([]);
  });
});
