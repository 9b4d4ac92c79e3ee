import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');
const mostNames = 60;

describe('the root of the SDK', () => {
  it('has few names, and every one of them is in the reference', async () => {
    const { 'agent-sdk': listed } = JSON.parse(await read('scripts/check/public-exports.json'));
    const names: string[] = listed.map((name: string) => name.replace(/^type /, ''));
    expect(names.length).toBeGreaterThan(30);
    expect(names.length).toBeLessThanOrEqual(mostNames);
    const page = await read('docs/sdk.md');
    const reference = page.slice(page.indexOf('### Names'), page.indexOf('### Events'));
    expect(names.filter((name) => !reference.includes(`\`${name}\``))).toEqual([]);
  });

  it('has an index of all its example programs', async () => {
    const programs = await read('examples/sdk/README.md');
    expect(programs.match(/^\| \[/gm)).toHaveLength(17);
  });
});
