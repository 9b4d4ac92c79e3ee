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

export default defineConfig({
  title: 'Robota',
  description: 'A coding agent for the terminal, and the SDK beneath it.',
  lang: 'en',
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
    footer: { message: 'MIT licence.' },
  },
});
