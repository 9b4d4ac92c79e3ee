import { expect, it } from 'vitest';
import { nameDevice } from './device-name.ts';

const linux = 'Mozilla/5.0 (X11; Linux x86_64)';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chromium = '"Chromium";v="140", "Not=A?Brand";v="24"';
const chrome = '"Chromium";v="140", "Google Chrome";v="140"';
const edge = '"Chromium";v="140", "Microsoft Edge";v="140"';

it.each([
  ['Chromium on Linux', `${linux} ${webkit} HeadlessChrome/140.0 Safari/537.36`, undefined],
  ['Chromium on Linux', `${linux} ${webkit} Chrome/140.0 Safari/537.36`, chromium],
  ['Chromium on Linux', `${linux} ${webkit} Ubuntu Chromium/80.0 Chrome/80.0 Safari/537.36`, undefined],
  ['Chrome on Linux', `${linux} ${webkit} Chrome/140.0 Safari/537.36`, undefined],
  ['Chrome on Windows', `${windows} ${webkit} Chrome/140.0 Safari/537.36`, chrome],
  [
    'Chrome on Android',
    `Mozilla/5.0 (Linux; Android 15; K) ${webkit} Chrome/140.0 Mobile Safari/537.36`,
    chrome,
  ],
  ['Edge on Windows', `${windows} ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`, edge],
  ['Edge on macOS', `${mac} ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`, edge],
  ['Firefox on Linux', `${linux} Gecko/20100101 Firefox/140.0`, undefined],
  [
    'Firefox on iPhone',
    `${iphone} AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15`,
    undefined,
  ],
  [
    'Chrome on iPhone',
    `${iphone} AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1`,
    undefined,
  ],
  [
    'Safari on macOS',
    `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`,
    undefined,
  ],
  [
    'Safari on iPad',
    'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
    undefined,
  ],
  ['Browser', 'curl/8.0', undefined],
  ['Browser', undefined, undefined],
])('names %s', (name, userAgent, brands) => {
  expect(nameDevice(userAgent, brands)).toBe(name);
});
