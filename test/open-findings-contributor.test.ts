import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect } from 'vitest';
import { findUnplainEnglish } from '../scripts/check/plain-english.mjs';
import { createProject } from '../scripts/check/project.mjs';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The source files of the packages, without tests and what only tests use. */
function sources(below = 'packages'): string[] {
  const entries = readdirSync(join(root, below), { recursive: true, encoding: 'utf8' });
  return entries
    .map((name) => `${below}/${name}`)
    .filter((path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path))
    .filter(
      (path) => !/\.test\.tsx?$|\/fixtures\/|^packages\/agent-(?:testing|provider-offline)\//.test(path),
    );
}

/** The lines that match, in all files of a folder. */
const linesIn = (folder: string, pattern: RegExp) =>
  sources(folder).flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => pattern.test(line)),
  );

describe('a contributor', () => {
  for (const tool of ['Read', 'Glob', 'Edit'])
    stillOpen(`finds the name of the tool ${tool} in few files`, {
      observe: () => sources().filter((path) => read(path).includes(`'${tool}'`)).length,
      today: (files) => expect(files).toBeGreaterThan(4),
      wanted: (files) => expect(files).toBeLessThanOrEqual(4),
    });

  stillOpen('reads how to add a tool, a point for hooks, an event and a front end', {
    observe: () => [...read('CONTRIBUTING.md').matchAll(/^## (Add .*)$/gm)].map(([, title]) => title),
    today: (titles) => expect(titles.join('\n')).not.toMatch(/tool|hook|event|front end/),
    wanted: (titles) => {
      const all = titles.join('\n');
      for (const topic of [/tool/, /hook/, /event/, /front end/]) expect(all).toMatch(topic);
    },
  });

  stillOpen('is told by a test of the program that the build is older than the source', {
    observe: () => {
      const files = ['vitest.config.ts', ...readdirSync(join(root, 'test')).map((name) => `test/${name}`)];
      return [...files, 'packages/agent-testing/src/run-robota.ts']
        .filter((path) => /\.ts$/.test(path) && !path.endsWith('.test.ts'))
        .filter((path) => /build\.stamp|\bisStale|needsBuild|\bisBuilt/.test(read(path)));
    },
    today: [],
    wanted: (files) => expect(files).not.toEqual([]),
  });

  stillOpen('adds a point for hooks in one place', {
    observe: () => linesIn('packages/agent-core/src/hook', /^ +'tool-before': /).length,
    today: (places) => expect(places).toBeGreaterThan(1),
    wanted: (places) => expect(places).toBe(1),
  });

  stillOpen('adds an event for hooks in one place', {
    observe: () => linesIn('packages/agent-config/src/options', /^ +(?:readonly )?'?PostCompact\b/).length,
    today: (places) => expect(places).toBeGreaterThan(1),
    wanted: (places) => expect(places).toBe(1),
  });

  stillOpen('is refused words of one kind alike', {
    observe: () =>
      ['whoever', 'whichever'].map(
        (word) => findUnplainEnglish(createProject({ 'docs/x.md': `Use ${word} you like.\n` })).length,
      ),
    today: [1, 0],
    wanted: ([one, other]) => expect(one).toBe(other),
  });

  stillOpen('finds one way to write what a session costs', {
    observe: () =>
      ['render-footer.ts', 'footer-fields.ts'].map(
        (name) => /describe(?:Cost|Money)/.exec(read(`packages/agent-screen/src/bars/${name}`))?.[0],
      ),
    today: ['describeCost', 'describeMoney'],
    wanted: ([one, other]) => expect(one).toBe(other),
  });
});

describe('a new user', () => {
  stillOpen('reads how to run the build of a clone in a project', {
    observe: () =>
      ['README.md', 'docs/install.md', 'docs/guides/quick-start.md'].filter((path) =>
        /npm start -- --cwd|npm link|dist\/bin\.js/.test(read(path)),
      ),
    today: [],
    wanted: (pages) => expect(pages).not.toEqual([]),
  });

  stillOpen('reads which versions the figures of the comparison are of', {
    observe: () => {
      const [, section = ''] = /## How it compares\n([\s\S]*?)\n## /.exec(read('README.md')) ?? [];
      return {
        isThere: section.includes('| install size |'),
        hasVersions: /\b\d+\.\d+\.\d+\b/.test(section),
      };
    },
    today: { isThere: true, hasVersions: false },
    wanted: ({ hasVersions }) => expect(hasVersions).toBe(true),
  });

  stillOpen('finds pi compared under the name that it has today', {
    observe: () => /'(@[^']*pi-coding-agent)@/.exec(read('bench/compare.mjs'))?.[1],
    today: '@mariozechner/pi-coding-agent',
    wanted: (name) => expect(name).toBe('@earendil-works/pi-coding-agent'),
  });
});
