// Records the golden corpus, or the named sections of it: `npm run golden`, `npm run golden -- exit-codes`. It runs the built
// program. Afterwards, add a line to DECISIONS.md for each file that changed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  firstRecording,
  hashOf,
  readCorpus,
  readFirstRecording,
  recordCorpus,
  recordedFolder,
  unexplainedChanges,
} from './corpus.mjs';

const isFirst = process.argv.includes('--first');
const sections = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const before = readCorpus();
const after = await recordCorpus(sections);
const isWanted = (/** @type {string} */ file) =>
  sections.length === 0 || sections.includes(file.split('/')[1] ?? '');

for (const [file, text] of after) {
  if (before.get(file) === text) continue;
  mkdirSync(dirname(join(recordedFolder, file)), { recursive: true });
  writeFileSync(join(recordedFolder, file), text);
  console.log(`${before.has(file) ? 'changed' : 'new'}: ${file}`);
}
for (const file of before.keys()) {
  if (after.has(file) || !isWanted(file)) continue;
  rmSync(join(recordedFolder, file));
  console.log(`gone: ${file}`);
}
if (isFirst) keepAsFirst(readCorpus());
const unexplained = unexplainedChanges(readCorpus());
if (unexplained.length > 0) console.log(`DECISIONS.md must name:\n${unexplained.join('\n')}`);

/** Notes files as first recorded which are not noted yet. */
function keepAsFirst(/** @type {import('./corpus.mjs').Corpus} */ corpus) {
  const known = readFirstRecording();
  for (const [file, text] of corpus) if (!known.has(file)) known.set(file, hashOf(text));
  const lines = [...known]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, hash]) => `${hash} ${file}\n`);
  writeFileSync(firstRecording, lines.join(''));
}
