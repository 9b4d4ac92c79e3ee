import { expect, it } from 'vitest';
import { settingsSource } from './control-subject.ts';

it.each([
  ['/shop/.robota/settings.json', '/shop', 'projectSettings'],
  ['/shop/.robota/settings.local.json', '/shop', 'localSettings'],
  ['/shopping/.robota/settings.json', '/shop', 'userSettings'],
  ['C:\\shop\\.robota\\settings.json', 'C:\\shop', 'projectSettings'],
  ['C:\\Users\\me\\.robota\\settings.json', 'C:\\shop', 'userSettings'],
  ['command line', '/shop', 'cliArg'],
])('finds %s in %s among the %s', (origin, cwd, source) => {
  expect(settingsSource(origin, cwd)).toBe(source);
});
