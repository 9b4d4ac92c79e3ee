import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

  it('leave what the shared renderer draws to its own styles', () => {
    const page = join(import.meta.dirname, '../page');
    const shared = ['markdown', 'tools', 'terminal'].flatMap((name) =>
      selectorsOf(join(page, `../../../agent-export/src/page/${name}.css`)),
    );
    const names = new Set(shared.flatMap(classesOf));
    const own = readdirSync(page, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.css'))
      .flatMap((name) => selectorsOf(join(page, name)));
    const touching = own.filter((selector) => {
      const classes = classesOf(selector);
      return classes.length > 0 && !selector.includes(':not(pre') && classes.every((name) => names.has(name));
    });
    // The colour of links, calls that run, and changed words where colours are forced.
    expect(touching.toSorted()).toEqual(['.call-mark.mark-running', '.markdown a', '.word']);
  });
});

function selectorsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');
  return [...text.matchAll(/([^{};]+)\{/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim()),
  );
}

function classesOf(selector: string): readonly string[] {
  return [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name);
}
