import { expect, it } from 'vitest';
import { projectPaths, userPaths } from './paths.ts';

it('R-74 our files in a project and in a home are named in one place', () => {
  const project = projectPaths('/work');
  expect(project).toMatchObject({ root: '/work/.robota', settings: '/work/.robota/settings.json' });
  for (const path of Object.values(project)) expect(path.startsWith('/work/.robota')).toBe(true);
  expect(userPaths({ home: '/home/ann', env: {} })).toMatchObject({
    root: '/home/ann/.robota',
    auth: '/home/ann/.robota/auth.json',
    trust: '/home/ann/.robota/trust.json',
  });
  expect(userPaths({ home: '/home/ann', env: { ROBOTA_HOME: '/else' } }).settings).toBe(
    '/else/settings.json',
  );
});
