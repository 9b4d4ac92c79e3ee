const browsers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bHeadlessChrome\/|\bChromium\//, 'Chromium'],
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

/** A device by its browser and its system, of fixed lists: nothing of a header is stored. Only its brands tell Chromium. */
export function nameDevice(userAgent = '', brands = ''): string {
  const known = (table: typeof browsers) =>
    table.find(([pattern]) => pattern.test(userAgent.slice(0, 512)))?.[1];
  const isChromium = brands.includes('"Chromium"') && !brands.includes('"Google Chrome"');
  const browser = known(browsers) ?? 'Browser';
  const system = known(systems);
  const name = browser === 'Chrome' && isChromium ? 'Chromium' : browser;
  return system === undefined ? name : `${name} on ${system}`;
}
