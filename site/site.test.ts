import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { helpText } from '../packages/agent-cli/src/arguments/help.ts';
import { deadLinks } from './links.mjs';
import { sitePages } from './pages.mjs';
import { llmsText, sections } from './sections.mjs';

const docs = fileURLToPath(new URL('../docs', import.meta.url));

describe('the web site', () => {
  it('has every page of the documentation in its menu', async () => {
    const names = await Promise.all(
      ['', 'guides/'].map(async (folder) =>
        (await readdir(join(docs, folder)))
          .filter((name) => name.endsWith('.md'))
          .map((name) => folder + name),
      ),
    );
    const menu = Object.values(sections).flat();
    expect(names.flat().filter((name) => !menu.includes(name.replace(/\.md$/, '')))).toEqual([]);
  });

  it('lists every option and command of the program in its reference', async () => {
    const pages = await sitePages();
    const rows = (name: string) => pages.get(`reference/${name}.md`) ?? '';
    const options = [...helpText().matchAll(/ (--[a-z-]+)/g)].map(([, name = '']) => name);
    expect(options.filter((name) => !rows('options').includes(name))).toEqual([]);
    const commands = [...helpText().matchAll(/^ {2}robota ([a-z]+)/gm)].map(([, name = '']) => name);
    expect(commands.filter((name) => !rows('commands').includes(`| \`robota ${name}`))).toEqual([]);
    expect(rows('commands')).toContain('| `/rewind ');
    const empty = [...pages].filter(([, text]) => /^\|[-:|]+\|\n(?!\|)/m.test(text));
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it('finds links to pages and headings that do not exist', async () => {
    const folder = await temporaryDirectory();
    await mkdir(join(folder, 'guides'));
    await writeFile(join(folder, 'index.html'), '<a href="/guides/a#here">a</a> <a href="/gone">b</a>');
    await writeFile(
      join(folder, 'guides/a.html'),
      '<h2 id="here"></h2> <a href="../index.html#no">c</a> <a href="#here">d</a> <a href="https://x.test/y">e</a>',
    );
    expect(deadLinks(folder).sort()).toEqual([
      'guides/a.html: ../index.html#no: there is no such heading',
      'index.html: /gone: there is no such page',
    ]);
  });

  it('shows the pictures of the documentation, which have to be there', async () => {
    const pictures = [...(await sitePages()).values()].flatMap((text) =>
      [...text.matchAll(/ src(?:set)?="([^":]+)"/g)].map(([, target = '']) => target),
    );
    expect(pictures).toContain('/media/web/board-light.webp');
    const missing = pictures.filter((target) => !existsSync(join(docs, target)));
    expect(missing).toEqual([]);
  });

  it('and the README compare Robota with others by the same figures', async () => {
    const tableIn = async (file: string, first: RegExp) => {
      const rows = (await readFile(file, 'utf8')).split('\n').filter((line) => line.startsWith('|'));
      const cells = rows.map((row) => row.split('|').map((cell) => cell.replaceAll('*', '').trim()));
      const from = cells.findIndex(([, , name = '', next = '']) => first.test(`${name} ${next}`));
      return { cells, from };
    };
    const { cells, from } = await tableIn(join(docs, '../README.md'), /^Robota Codex/);
    const [names = [], , ...figures] = cells.slice(from, from + 7);
    const compared = (await tableIn(join(docs, 'compare.md'), /^version/)).cells;
    const columns = ['one turn', '`--version`', 'install size', 'packages', 'first request'];
    const titles = compared.find((row) => row.includes('one turn')) ?? [];
    for (const [row, title] of columns.entries())
      for (const [column, name] of names.entries()) {
        if (name === '') continue;
        const known = compared.find((each) => each[1] === name)?.[titles.indexOf(title)];
        expect(figures[row]?.[column], `${name}: ${title}`).toBe(known);
      }
  });

  it('has an index for language models', () => {
    const pages = new Map([
      ['models.md', '# Models\n\nChoose [one](x.md)\nof many.\n\nMore.\n'],
      ['tour.md', '# Tour\n\nTake it:\n\n```sh\nrobota demo\n```\n'],
    ]);
    expect(llmsText(pages)).toContain('- [Models](/models.md): Choose one of many.\n');
    expect(llmsText(pages)).toContain('- [Tour](/tour.md): Take it.\n');
  });
});
