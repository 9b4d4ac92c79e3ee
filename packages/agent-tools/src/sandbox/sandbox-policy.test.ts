import { expect, it } from 'vitest';
import { parseSandbox, strictPolicy } from './sandbox-policy.ts';

it('is off unless it is set, and automatic where only its details are', () => {
  expect(parseSandbox(undefined)).toEqual({ mode: 'off', policy: strictPolicy });
  expect(parseSandbox('required')).toEqual({ mode: 'required', policy: strictPolicy });
  expect(parseSandbox({ writable: ['~/x'] })).toEqual({
    mode: 'auto',
    policy: { ...strictPolicy, writable: ['~/x'] },
  });
  expect(parseSandbox({ mode: 'off', network: { allow: ['a.org'] } }).policy.network).toEqual({
    allow: ['a.org'],
  });
});

it.each([
  ['on', 'mode is off, auto, required'],
  [7, 'must be "off"'],
  [{ mode: 'yes' }, 'not "yes"'],
  [{ writeable: [] }, 'sandbox.writeable is unknown. Available: mode, network, writable'],
  [{ writable: 'x' }, 'sandbox.writable must be a list'],
  [{ readable: [''] }, 'sandbox.readable must be a list'],
  [{ network: 'some' }, 'sandbox.network must be'],
  [{ network: { allow: ['https://x'] } }, 'without scheme'],
])('says what is wrong with %j', (value, message) => {
  expect(() => parseSandbox(value)).toThrow(message);
});
