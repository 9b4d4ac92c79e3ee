/** Percent of the live heap that may be garbage. V8 of Node 20 by itself waits for far more, all of it resident; newer ones decide alone. */
const garbagePercent = 20;
/** Both halves of V8's young generation. It would grow to four times this and stay resident, without saving CPU on a screen. */
const enoughBytes = 8_000_000;
const growing = 2;
const resting = 1;
let factor = growing;

/** Lets V8 collect earlier and compact the heap: a screen is idle most of the time, and lives for days. */
export function limitHeapGrowth(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`);
  setFlagsFromString('--compact-on-every-full-gc');
}

/** Keeps V8's young generation from growing further once it is large enough; asked after each turn, as it may shrink again. */
export function limitYoungHeap(): void {
  const v8 = process.getBuiltinModule('node:v8');
  const young = v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  const wanted = (young?.space_size ?? 0) < enoughBytes ? growing : resting;
  if (wanted === factor) return;
  factor = wanted;
  v8.setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
