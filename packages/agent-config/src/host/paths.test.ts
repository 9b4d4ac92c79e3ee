import { proves } from '@robota-sdk/agent-testing/proves';
import { expect, it } from 'vitest';
import { projectPaths, userPaths } from './paths.ts';

it('our files in a project and in a home are named in one place', () => {
  proves('R-74');
  const project = projectPaths('/project');
  expect(project).toMatchObject({ root: '/project/.robota', settings: '/project/.robota/settings.json' });
  for (const path of Object.values(project)) expect(path.startsWith('/project/.robota')).toBe(true);
  expect(userPaths({ home: '/home/user', env: {} })).toMatchObject({
    root: '/home/user/.robota',
    auth: '/home/user/.robota/auth.json',
    trust: '/home/user/.robota/trust.json',
  });
  expect(userPaths({ home: '/home/user', env: { ROBOTA_HOME: '/else' } }).settings).toBe(
    '/else/settings.json',
  );
});
