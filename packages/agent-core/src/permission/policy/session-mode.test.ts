import { expect, it } from 'vitest';
import type { PermissionMode } from './mode.ts';
import { SessionMode } from './session-mode.ts';

function modeOf(given: { configured?: PermissionMode; forbiddenBy?: string; mayBypass?: boolean }) {
  const settings = { configured: 'default' as PermissionMode, mayBypass: false, ...given };
  const mode = new SessionMode({
    configured: () => settings.configured,
    bypassForbiddenBy: () => settings.forbiddenBy,
    mayBypass: settings.mayBypass,
  });
  return { mode, settings };
}

it('lets the user choose bypassPermissions only after a start with a flag, or after it was on', () => {
  const { mode } = modeOf({});
  expect(() => mode.choose('bypassPermissions')).toThrow('--allow-dangerously-skip-permissions');
  expect(mode.current).toBe('default');
  mode.choose('plan');
  expect(mode.current).toBe('plan');
  const flagged = modeOf({ mayBypass: true }).mode;
  flagged.choose('bypassPermissions');
  expect(flagged.current).toBe('bypassPermissions');
  const started = modeOf({ configured: 'bypassPermissions' }).mode;
  started.choose('default');
  started.choose('bypassPermissions');
  expect(started.current).toBe('bypassPermissions');
});

it('never bypasses where a file forbids it, whatever flag there is', () => {
  const { mode, settings } = modeOf({ mayBypass: true, forbiddenBy: 'managed.json' });
  expect(() => mode.choose('bypassPermissions')).toThrow('is forbidden by');
  expect(() => mode.set('bypassPermissions')).toThrow('managed.json');
  delete settings.forbiddenBy;
  mode.set('bypassPermissions');
  settings.forbiddenBy = 'managed.json';
  expect(mode.current).toBe('default');
});

it('follows the settings until the user chooses', () => {
  const { mode, settings } = modeOf({});
  settings.configured = 'acceptEdits';
  mode.renew();
  expect([mode.current, mode.isConfigured]).toEqual(['acceptEdits', true]);
  mode.choose('plan');
  settings.configured = 'default';
  mode.renew();
  expect([mode.current, mode.isConfigured]).toEqual(['plan', false]);
});
