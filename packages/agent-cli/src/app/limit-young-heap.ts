/** Both halves of V8's young generation. It would grow to four times this and stay resident, without saving CPU on a screen. */
const enoughBytes = 8_000_000;
const growing = 2;
const resting = 1;
let factor = growing;

/** Keeps V8's young generation from growing further once it is large enough; asked after each turn, as it may shrink again. */
export function limitYoungHeap(): void {
  const v8 = process.getBuiltinModule('node:v8');
  const young = v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  const wanted = (young?.space_size ?? 0) < enoughBytes ? growing : resting;
  if (wanted === factor) return;
  factor = wanted;
  v8.setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
