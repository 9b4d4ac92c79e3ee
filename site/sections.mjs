/** The pages of the site in the order of its menu, by section. Paths are those below docs/, without their ending. */
export const sections = {
  'Get started': [
    'guides/quick-start',
    'guides/first-task',
    'tour',
    'install',
    'models',
    'cloud-accounts',
    'proxies',
    'rate-limits',
    'offline',
  ],
  Guides: [
    'guides/review-before-merge',
    'guides/ten-tasks-overnight',
    'guides/local-models',
    'guides/from-claude-code',
    'guides/from-codex',
    'guides/from-pi',
    'guides/writing-a-plugin',
    'guides/embedding-the-sdk',
  ],
  'In the terminal': [
    'terminal',
    'commands',
    'web',
    'review',
    'rewind',
    'context',
    'compaction',
    'sessions',
    'worktrees',
    'export',
    'import',
    'replay',
    'usage',
    'doctor',
    'update',
  ],
  Safety: ['permissions', 'ignore-files', 'trust', 'sandbox', 'security'],
  Customize: [
    'settings',
    'instructions',
    'skills',
    'agents',
    'hooks',
    'plugins',
    'wasm-plugins',
    'extensions',
    'mcp',
    'tools',
  ],
  'For programs': ['headless', 'sdk', 'sdk-from-claude', 'acp', 'xnl-protocol', 'toolkit'],
  Fleet: ['fleet', 'fleet-machines', 'fleet-crashes'],
  Reference: [
    'reference/options',
    'reference/commands',
    'reference/keys',
    'reference/events',
    'reference/settings-schema',
    'reference/api',
  ],
  Project: ['performance', 'compare', 'platforms', 'dependencies', 'changelog'],
};

/** The first heading of a page. */
export function titleOf(/** @type {string} */ text) {
  return /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? 'Robota';
}

/** The first paragraph below the heading, as one line without the colon before an example. */
function summaryOf(/** @type {string} */ text) {
  const [, paragraph = ''] = /^# .*\n+((?:(?![#|>-]|```).+\n)+)/m.exec(text) ?? [];
  return paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replaceAll('\n', ' ')
    .trim()
    .replace(/:$/, '.');
}

/** An index of the documentation for language models: https://llmstxt.org. */
export function llmsText(/** @type {ReadonlyMap<string, string>} */ pages, base = '/') {
  const lists = Object.entries(sections).map(([section, names]) => {
    const lines = names.flatMap((name) => {
      const text = pages.get(`${name}.md`);
      return text === undefined ? [] : `- [${titleOf(text)}](${base}${name}.md)${withColon(summaryOf(text))}`;
    });
    return `## ${section}\n\n${lines.join('\n')}\n`;
  });
  return `# Robota\n\n> A coding agent for the terminal, and its TypeScript SDK.\n\n${lists.join('\n')}`;
}

function withColon(/** @type {string} */ text) {
  return text === '' ? '' : `: ${text}`;
}
