import { holdCompilers, releaseCompilers } from './hold-compilers.ts';
import { setV8Flag } from './set-v8-flag.ts';

/** Both halves of V8's young generation. It would grow to four times this and stay resident, without saving CPU on a screen. */
const enoughBytes = 8_000_000;
const growing = 2;
const resting = 1;
let factor = growing;

/** Resident memory by the least after a run, above which saving it counts for more than speed. */
const maxGrowth = 1.15;
let leastBytes = Number.POSITIVE_INFINITY;
let isSaving = false;

/**
 * Makes V8 prefer memory to speed: it collects garbage earlier, closes the gaps that a collection leaves, and returns empty
 * pages to the system. Newer versions of V8 otherwise keep these pages for as long as turns follow each other. A screen
 * waits for a user or a model most of the time, and lives for days.
 */
export function saveMemory(): void {
  prefer('memory');
  if (!hasRun) holdCompilers('turbofan', 'maglev');
}

/**
 * Makes V8 prefer memory to speed for good, with a young generation that does not grow. For a server that lives for days and
 * makes many short-lived objects: it would keep the memory of its busiest minute.
 */
export function spareMemory(): void {
  prefer('memory');
  limitYoungGrowth(resting);
}

function limitYoungGrowth(wanted: number): void {
  factor = wanted;
  setV8Flag(`--semi-space-growth-factor=${factor}`, `--semi-space-growth-factor=${growing}`);
}

/** The first major version of V8 whose collections by itself can be counted. */
const countingVersion = 13;
const ownCollections = 2;
/**
 * How much the heap may grow until the end of the first run, in percent, before V8 marks it again. The first request of a
 * resumed session holds every message once more, which is more than V8 allows after a rest.
 */
const firstGrowth = 80;
const growthByV8 = 0;
let hasRun = false;

/**
 * Collects the garbage of the start and returns its memory to the system. V8 would do so by itself 8 s after the start, and
 * wake up an idle screen for it; between runs it still may.
 */
export function settleMemory(): void {
  if (hasRun || !canCount()) return;
  countOwnCollections(0);
  const v8 = process.getBuiltinModule('node:v8');
  v8.setFlagsFromString('--expose-gc');
  const collect: unknown = process.getBuiltinModule('node:vm').runInNewContext('gc');
  v8.setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') return;
  limitGrowth(firstGrowth);
  collect({ type: 'major', flavor: 'last-resort' });
}

function canCount(): boolean {
  return Number.parseInt(process.versions.v8, 10) >= countingVersion;
}

/** Limits how often V8 collects by itself once it has found memory to return: never in a run, in which an answer would wait for it. */
function countOwnCollections(count: number): void {
  setV8Flag(`--memory-reducer-gc-count=${count}`, `--memory-reducer-gc-count=${ownCollections}`);
}

function limitGrowth(percent: number): void {
  setV8Flag(`--heap-growing-percent=${percent}`, `--heap-growing-percent=${growthByV8}`);
}

/** Adapts V8 to an event of the agent: speed in a run, unless memory has grown; memory between runs; a small young generation. */
export function limitHeapAt(eventType: string): void {
  if (eventType === 'run-start') return beginRun();
  if (eventType === 'turn-end') return endTurn();
  if (eventType !== 'run-end') return;
  leastBytes = Math.min(leastBytes, process.memoryUsage.rss());
  if (canCount()) {
    limitGrowth(growthByV8);
    countOwnCollections(ownCollections);
  }
  saveMemory();
}

function beginRun(): void {
  if (canCount()) countOwnCollections(0);
  hasRun = true;
  prefer(hasGrown() ? 'memory' : 'speed');
}

function hasGrown(): boolean {
  return process.memoryUsage.rss() > leastBytes * maxGrowth;
}

/** Limits the young generation after each turn, as it may shrink again. */
function endTurn(): void {
  releaseCompilers();
  const v8 = process.getBuiltinModule('node:v8');
  const young = v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  const wanted = (young?.space_size ?? 0) < enoughBytes ? growing : resting;
  if (wanted !== factor) limitYoungGrowth(wanted);
}

function prefer(choice: 'memory' | 'speed'): void {
  const saves = choice === 'memory';
  if (saves === isSaving) return;
  isSaving = saves;
  // In older versions of V8 the flag implies another one, which V8 reads at its start only.
  setV8Flag(`--${saves ? '' : 'no-'}optimize-for-size`, '--no-optimize-for-size --max-semi-space-size=0');
}
