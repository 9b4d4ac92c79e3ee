import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { sections, titleOf } from '../sections.mjs';

const content = fileURLToPath(new URL('../content', import.meta.url));
const item = (name) => ({ text: titleOf(readFileSync(`${content}/${name}.md`, 'utf8')), link: `/${name}` });
const sidebar = Object.entries(sections).map(([text, names], index) => ({
  text,
  collapsed: index > 1,
  items: names.map(item),
}));

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14181f"/><path d="M8 10l6 6-6 6M17 22h8" fill="none" stroke="#5fd3bc" stroke-width="3"/></svg>';

export default defineConfig({
  title: 'Robota',
  description: 'A coding agent for the terminal, and its TypeScript SDK.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'content',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  cleanUrls: true,
  srcExclude: ['public/**'],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark' } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Quick start', link: '/guides/quick-start' },
      { text: 'Guides', link: '/guides/first-task' },
      { text: 'Reference', link: '/reference/options' },
      { text: 'Benchmarks', link: '/compare' },
      { text: 'Security', link: '/security' },
    ],
    sidebar,
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: 'https://github.com/robota-sdk/robota' }],
    editLink: undefined,
    footer: { message: 'MIT license.' },
  },
});
