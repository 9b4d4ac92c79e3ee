import { signal } from '@preact/signals';
import { type PageName, pageOf } from '../../contract/pages.ts';

/** The path of the address, such as `/s/ID`. */
export const path = signal(location.pathname);

/** The path of the screen before this one; undefined if the document began with this one. */
export let pathBefore: string | undefined;

/** The document that is shown. */
let page: PageName = pageOf(location.pathname);

/** Shows another screen, without loading a document unless the screen is in the other one. */
export function navigate(to: string, options: { readonly replace?: boolean } = {}): void {
  if (to === path.value) return;
  if (pageOf(to.replace(/[?#].*/, '')) !== page) return location[options.replace ? 'replace' : 'assign'](to);
  history[options.replace ? 'replaceState' : 'pushState'](null, '', to);
  showAddress();
  scrollTo(0, 0);
}

function showAddress(): void {
  if (location.pathname !== path.value) pathBefore = path.value;
  path.value = location.pathname;
}

/** Follows the history and the links of the page. */
export function startRouter(name: PageName): void {
  page = name;
  addEventListener('popstate', showAddress);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
      return;
    // Fragments, such as the one of the skip link, stay with the browser.
    if (link.hash !== '' && link.pathname === location.pathname) return;
    if (link.pathname.startsWith('/api/') || pageOf(link.pathname) !== page) return;
    event.preventDefault();
    navigate(link.pathname);
  });
}

/** The named parts of a path, such as `id` of `/s/:id`; undefined if it is another one. */
export function matchPath(pattern: string, actual: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = actual.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
      continue;
    }
    if (value === '') return undefined;
    params[part.slice(1)] = decoded(value);
  }
  return params;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
