import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from '@robota-sdk/agent-sdk/testing';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { findChromium } from './chromium.ts';
import { makeWebFixture, refreshFleet } from './fixtures/web/make-web-fixture.ts';
import { isRecording } from './recording/tour-recording.ts';
import { serveFixture, WebPage } from './web-browser.ts';

const looks = {
  light: { width: 1280, height: 800 },
  dark: { width: 1280, height: 800, scheme: 'dark' },
  phone: { width: 390, height: 844 },
} as const;

const answers = [
  {
    text: 'The rates for 2027 are in `rates/2027.json` and the tests pass. Now I publish the package.',
    calls: [call('Bash', { command: 'npm publish --access public', description: 'Publish the tax rates' })],
  },
];

it.skipIf(findChromium() === undefined)(
  'makes the pictures of robota web for the documentation',
  async () => {
    // Otherwise it only proves that `npm run record` would work.
    const folder = isRecording
      ? join(import.meta.dirname, '../docs/media/web')
      : await temporaryDirectory('web-pictures');
    const wanted = isRecording ? Object.entries(looks) : [['light', looks.light] as const];
    const fixture = await makeWebFixture();
    const server = await serveFixture(fixture, answers);
    const page = await WebPage.open(server.createAddress());
    await mkdir(folder, { recursive: true });
    const pictures = async (name: string, path: string, ready: string) => {
      for (const [look, size] of wanted) {
        await page.look(size);
        await page.show(path);
        await page.until(ready);
        await page.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        const picture = await page.picture();
        expect(picture.subarray(8, 12).toString()).toBe('WEBP');
        expect(picture.length).toBeGreaterThan(5000);
        await writeFile(join(folder, `${name}-${look}.webp`), picture);
      }
    };
    try {
      await page.until(`document.querySelector('.rail')`);
      const cwd = fixture.projects.get('shop-api') ?? '';
      const asked = await page.send<{ id: string }>('/api/sessions', {
        cwd,
        prompt: 'Publish the tax rates of 2027',
      });
      await prepareReview(page, fixture.reviewed);
      await pictures(
        'review',
        `/s/${fixture.reviewed}/review`,
        `document.querySelectorAll('.review-comment').length >= 2`,
      );
      await page.look(looks.light);
      await page.show('/usage');
      await page.until(`document.querySelector('.plot')`);
      await pictures('usage', '/usage', `document.querySelector('.plot')`);
      await refreshFleet(fixture);
      await pictures('fleet', '/fleet', `document.querySelector('.fleet')`);
      await pictures(
        'question',
        `/s/${asked.id}/question`,
        `document.body.innerText.includes('npm publish')`,
      );
      await pictures(
        'session',
        `/s/${fixture.reviewed}`,
        `document.body.innerText.includes('rounded per line')`,
      );
      await pictures(
        'board',
        '/',
        `document.querySelectorAll('.board-column article, .board-column a').length > 3`,
      );
    } finally {
      await page.close();
      await server.close();
    }
    expect(server.requests.length).toBeGreaterThan(0);
  },
);

/** Decides two hunks, and leaves two drafts and an open comment. */
async function prepareReview(page: WebPage, id: string): Promise<void> {
  const path = `/api/sessions/${id}/review`;
  const review = await page.send<{ files: { name: string; hunks: { key: string }[] }[] }>(path);
  const hunk = (file: string, index = 0) => ({
    file,
    hunk: review.files.find(({ name }) => name === file)?.hunks[index]?.key ?? '',
  });
  await page.send(`${path}/keep`, hunk('src/round.ts'));
  await page.send(`${path}/keep`, hunk('docs/prices.md'));
  await page.send(`${path}/take-back`, hunk('src/cart.ts', 1));
  const draft = (file: string, [line, endLine]: readonly [number, number], comment: string) =>
    page.send(`${path}/drafts`, { file, side: 'new', line, endLine, comment });
  await draft('src/cart.ts', [5, 6], 'Name this `rounded`: it holds prices, not lines.');
  await draft(
    'src/cart.ts',
    [23, 23],
    'Good catch, but discounts are a separate change. Please leave them out here.',
  );
  await draft('src/round.ts', [5, 5], 'Does this hold for negative lines (returns)? Please add a test.');
}
