import { expect, it } from 'vitest';
import { isRefusedVariable } from './refused-variables.ts';

it.each([
  ...[
    'TAR_OPTIONS',
    'MAKEFILES',
    'RSYNC_RSH',
    'VIMINIT',
    'DOTNET_STARTUP_HOOKS',
    'JAVA_HOME',
    'GOPROXY',
    'AWKPATH',
  ],
  ...[
    'CFLAGS',
    'RUSTFLAGS',
    'GRADLE_OPTS',
    'MAVEN_ARGS',
    'ANSIBLE_LIBRARY',
    'R_PROFILE_USER',
    'CORECLR_PROFILER',
  ],
  ...[
    'MY_TOOL_HOME',
    'EXTRA_OPTIONS',
    'MODULEPATH',
    'ANY_RSH',
    'X_EDITOR',
    'java_home',
    'LD_PRELOAD',
    'PATH',
    'A=B',
  ],
])('a project cannot set %s', (name) => {
  expect(isRefusedVariable(name)).toBe(true);
});

it.each([
  'NODE_ENV',
  'DATABASE_URL',
  'LOG_LEVEL',
  'PORT',
  'CI',
  'FEATURE_X',
  'TZ',
  'PYTHONUNBUFFERED',
  'RUST_LOG',
])('a trusted project may set %s', (name) => {
  expect(isRefusedVariable(name)).toBe(false);
});
