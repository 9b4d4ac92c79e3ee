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
 * Makes V8 prefer memory to speed for good, with a young generation that does not grow, and collects garbage when the program
 * rests. For a server that lives for days and makes many short-lived objects: it would keep the memory of its busiest minute.
 */
export function spareMemory(): void {
  prefer('memory');
  limitYoungGrowth(resting);
  collectAtRest();
}

/** Time without a collection of V8 after which a program rests. */
const restMs = 2000;
/** Bytes of garbage that are not worth a collection. V8 by itself leaves 10 MB. */
const smallGarbage = 2_000_000;
let restTimer: NodeJS.Timeout | undefined;

/** Does nothing while nothing is allocated. */
function collectAtRest(): void {
  if (restTimer) return;
  // V8 would collect again by itself, 8 s later.
  if (canCount()) countOwnCollections(0);
  const collect = garbageCollector();
  const { PerformanceObserver } = process.getBuiltinModule('node:perf_hooks');
  const { getHeapStatistics } = process.getBuiltinModule('node:v8');
  let leftBytes = 0;
  const rest = () => {
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
    if (heap + external < leftBytes + smallGarbage) return;
    collect();
    const left = getHeapStatistics();
    leftBytes = left.used_heap_size + left.external_memory;
  };
  restTimer = setTimeout(rest, restMs).unref();
  new PerformanceObserver(() => restTimer?.refresh()).observe({ type: 'gc' });
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
  if (hasRun) return;
  countOwnCollections(0);
  limitGrowth(firstGrowth);
  garbageCollector()();
}

/** Collects everything, and returns pages with gaps to the system. */
function garbageCollector(): () => void {
  const v8 = process.getBuiltinModule('node:v8');
  v8.setFlagsFromString('--expose-gc');
  const collect: unknown = process.getBuiltinModule('node:vm').runInNewContext('gc');
  v8.setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') return () => {};
  if (canCount()) return () => collect({ type: 'major', flavor: 'last-resort' });
  return () => {
    // Older versions of V8 take any options for those of a small collection.
    v8.setFlagsFromString('--compact-on-every-full-gc');
    collect();
    v8.setFlagsFromString('--no-compact-on-every-full-gc');
  };
}

function canCount(): boolean {
  return Number.parseInt(process.versions.v8, 10) >= countingVersion;
}

/** Limits how often V8 collects by itself once it has found memory to return: never in a run, in which an answer would wait for it. */
function countOwnCollections(count: number): void {
  if (!canCount()) return;
  setV8Flag(`--memory-reducer-gc-count=${count}`, `--memory-reducer-gc-count=${ownCollections}`);
}

function limitGrowth(percent: number): void {
  setV8Flag(`--heap-growing-percent=${percent}`, `--heap-growing-percent=${growthByV8}`);
}

/** Time for the frame with the line that closes a run. */
const closingMs = 100;
let closingTimer: NodeJS.Timeout | undefined;

/**
 * Adapts V8 to an event as `limitHeapAt` does, but after a run only once its last line is painted: V8 may collect as soon as it
 * prefers memory, the longer the larger the session, and the line would wait for that.
 */
export function limitHeapAfter(eventType: string): void {
  if (closingTimer && (eventType === 'run-start' || eventType === 'run-end')) {
    clearTimeout(closingTimer);
    closeRun();
  }
  if (eventType === 'run-end') closingTimer = setTimeout(closeRun, closingMs).unref();
  else limitHeapAt(eventType);
}

function closeRun(): void {
  closingTimer = undefined;
  limitHeapAt('run-end');
}

/** Adapts V8 to an event of the agent: speed in a run, unless memory has grown; memory between runs; a small young generation. */
export function limitHeapAt(eventType: string): void {
  if (eventType === 'run-start') return beginRun();
  if (eventType === 'turn-end') return endTurn();
  if (eventType !== 'run-end') return;
  leastBytes = Math.min(leastBytes, process.memoryUsage.rss());
  limitGrowth(growthByV8);
  countOwnCollections(ownCollections);
  saveMemory();
}

function beginRun(): void {
  countOwnCollections(0);
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
