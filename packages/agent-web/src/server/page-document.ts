import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PageName } from '../contract/pages.ts';

/** A document of the page, ready to be sent. */
export interface PageDocument {
  readonly policy: string;
  readonly html: Buffer;
  readonly zipped: Buffer;
}

/** The generated bundle. The compiler keeps the type of a JSON file that has changed, so that it is declared here. */
interface PageModule {
  readonly default: { readonly script: string; readonly reports: string; readonly style: string };
}

const pages = [
  /^\/(?:usage|fleet|devices|review|enter)?$/,
  /^\/s\/[A-Za-z0-9._~-]+(?:\/(?:question|review))?$/,
  /^\/tasks\/[A-Za-z0-9._~-]+\/review$/,
];

/** True for the addresses of the page's screens. */
export function isPagePath(path: string): boolean {
  return pages.some((pattern) => pattern.test(path));
}

/**
 * Reads the bundle and puts the script of a document into it. Its policy lets only this script and this style run, by their hashes; a
 * script that came in with a session's text would not run, and could not become markup either (Trusted Types).
 */
export async function loadPage(name: PageName): Promise<PageDocument> {
  const { default: bundle } = (await import('./page.json', { with: { type: 'json' } })) as PageModule;
  const page = { script: name === 'reports' ? bundle.reports : bundle.script, style: bundle.style };
  const html = Buffer.from(documentOf(page));
  return { policy: policyOf(page), html, zipped: await promisify(gzip)(html, { level: 9 }) };
}

function documentOf({ script, style }: { readonly script: string; readonly style: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Robota</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>The page needs its own script, which loads nothing from anywhere else. Allow scripts here.</noscript>
<script>${script}</script>
</body>
</html>
`;
}

function policyOf({ script, style }: { readonly script: string; readonly style: string }): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}
