import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../contract/pages.ts';
import bundle from './page.json' with { type: 'json' };
import { isPagePath, loadPage } from './page-document.ts';

const largestScript = 60_000;

describe('the documents of the page', () => {
  it('have scripts of at most 60 kB as they are sent', () => {
    for (const script of [bundle.script, bundle.reports])
      expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(largestScript);
  });

  it('share the addresses of all screens, and let each run its own script alone', async () => {
    const reports = ['/review', '/usage', '/fleet', '/s/a-1/review', '/tasks/t-1/review'];
    const sessions = ['/', '/devices', '/enter', '/s/a-1', '/s/a-1/question', '/s/review'];
    for (const path of [...reports, ...sessions]) expect(isPagePath(path), path).toBe(true);
    expect(reports.map(pageOf)).toEqual(reports.map(() => 'reports'));
    expect(sessions.map(pageOf)).toEqual(sessions.map(() => 'sessions'));
    const [one, other] = await Promise.all([loadPage('sessions'), loadPage('reports')]);
    expect(one.html.toString()).toContain(bundle.script);
    expect(other.html.toString()).toContain(bundle.reports);
    expect(one.policy).not.toBe(other.policy);
  });
});
