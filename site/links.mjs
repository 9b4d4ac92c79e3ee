import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Links of built pages whose file or anchor does not exist. VitePress itself looks at files only. */
export function deadLinks(/** @type {string} */ folder, base = '/') {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const pages = new Map(
    files
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const known = new Set(files);
  return [...pages].flatMap(([file, html]) =>
    [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].flatMap(([, address = '']) => {
      const problem = problemOf(withoutBase(address.replaceAll('&amp;', '&')), file);
      return problem === undefined ? [] : `${file}: ${address}: ${problem}`;
    }),
  );

  function withoutBase(/** @type {string} */ address) {
    return address.startsWith(base) ? `/${address.slice(base.length)}` : address;
  }

  function problemOf(/** @type {string} */ address, /** @type {string} */ file) {
    if (/^([a-z]+:|\/\/)/i.test(address)) return undefined;
    const [path = '', anchor = ''] = address.split('#');
    const target =
      path === '' ? file : relative('/', join('/', path.startsWith('/') ? '' : dirname(file), path));
    const page = [target, `${target}.html`, join(target, 'index.html')].find(
      (name) => known.has(name) && /\./.test(name),
    );
    if (page === undefined) return 'there is no such page';
    if (anchor === '' || !pages.has(page)) return undefined;
    const id = decodeURIComponent(anchor);
    return pages.get(page)?.includes(`id="${id}"`) ? undefined : 'there is no such heading';
  }
}
