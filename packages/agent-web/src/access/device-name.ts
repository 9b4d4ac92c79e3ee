const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bFirefox\//, 'Firefox'],
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bCriOS\/|\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bLinux\b/, 'Linux'],
];

/** A device by the name of its browser and its system. Both come from fixed lists, so nothing of a header is stored. */
export function nameDevice(userAgent: string | undefined): string {
  const known = (table: typeof browsers) =>
    table.find(([pattern]) => pattern.test((userAgent ?? '').slice(0, 512)))?.[1];
  const browser = known(browsers) ?? 'Browser';
  const system = known(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
