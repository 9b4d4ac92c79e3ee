import { fileURLToPath } from 'node:url';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { checkDirection } from '../scripts/check/direction.mjs';
import { isCode, isTest, packageOf, readProject } from '../scripts/check/project.mjs';

const project = readProject(fileURLToPath(new URL('..', import.meta.url)));

/** The imports of a package's product code from other packages. */
function importsOf(owner: string): Set<string> {
  const files = [...project.files.keys()].filter(
    (file) => packageOf(file) === owner && file.includes('/src/') && isCode(file) && !isTest(file),
  );
  const specifiers = files.flatMap((file) => project.parse(file).imports.map(({ specifier }) => specifier));
  return new Set(
    specifiers.filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:')),
  );
}

/** The product code of all packages. */
const productFiles = () =>
  [...project.files.keys()].filter((file) => file.includes('/src/') && isCode(file) && !isTest(file));

const ours = (owner: string) =>
  [...importsOf(owner)].filter((specifier) => specifier.startsWith('@robota-sdk/')).sort();

describe('layers', () => {
  it('every package imports and depends in one direction only', () => {
    proves('R-1');
    expect(checkDirection(project)).toEqual([]);
  });

  it('the SDK builds on sessions, tools and core; core on connections, command lines and diffs only, and on no vendor', () => {
    proves('R-1', 'P-3');
    expect(ours('agent-shell')).toEqual([]);
    expect(ours('agent-diff')).toEqual([]);
    expect(ours('agent-http')).toEqual([]);
    expect(ours('agent-core')).toEqual([
      '@robota-sdk/agent-diff',
      '@robota-sdk/agent-http',
      '@robota-sdk/agent-shell',
    ]);
    expect([...importsOf('agent-core')].join()).not.toMatch(/anthropic|openai|google|ollama/);
    expect(ours('agent-sessions')).toEqual(['@robota-sdk/agent-core']);
    expect(ours('agent-sdk')).toEqual(
      expect.arrayContaining(
        ['agent-core', 'agent-sessions', 'agent-tools'].map((name) => `@robota-sdk/${name}`),
      ),
    );
    for (const vendor of ['anthropic', 'openai', 'google'])
      expect(ours(`agent-provider-${vendor}`)).toEqual(['@robota-sdk/agent-core']);
  });

  it('the toolkit for terminals knows nothing of the product', () => {
    const words =
      /robota(?!-sdk)|subagent|\bsessions?\b|permission|assistant|\btool ?calls?\b|'app\.|slash.?command/i;
    const files = productFiles().filter((file) => packageOf(file) === 'agent-tui');
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => words.test(project.files.get(file) ?? ''))).toEqual([]);
  });

  it('the command line takes sessions, tools, permissions, configuration and providers from the SDK', () => {
    proves('C-1');
    for (const specifier of ours('agent-cli'))
      expect(specifier).toMatch(
        /^@robota-sdk\/(agent-sdk(\/(front-end|compat))?|agent-sessions|agent-screen|agent-tui|agent-transport-(headless|acp|mcp)|agent-web|agent-fleet\/command-line)$/,
      );
    // Texts for an editor are spelled out as those of the terminal.
    for (const transport of ['headless', 'acp', 'mcp'])
      for (const specifier of ours(`agent-transport-${transport}`))
        expect(specifier).toMatch(/^@robota-sdk\/agent-(core|sdk\/front-end|tui)$/);
    for (const specifier of ours('agent-screen'))
      expect(specifier).toMatch(/^@robota-sdk\/(agent-sdk\/front-end|agent-sessions|agent-tui|agent-link)$/);
    expect(ours('agent-tui')).toEqual(['@robota-sdk/agent-diff']);
  });

  it('what a terminal and a spinner are is defined once', () => {
    proves('C-2');
    for (const name of ['ITerminalOutput', 'ISpinner']) {
      const definition = new RegExp(`\\b(?:interface|class) ${name}\\b|\\btype ${name}\\b\\s*=`);
      const files = productFiles().filter((file) => definition.test(project.files.get(file) ?? ''));
      expect(files, name).toEqual(['packages/agent-sessions/src/log/terminal-output.ts']);
    }
  });

  it('print mode writes to a terminal output of its own and loads nothing of the screen', () => {
    proves('C-4');
    const files = productFiles().filter((file) => file.startsWith('packages/agent-cli/src/print/'));
    const imports = files.flatMap((file) => project.parse(file).imports.map(({ specifier }) => specifier));
    expect(imports).toContain('../terminal/terminal-output.ts');
    expect(imports.filter((specifier) => /\/app\/|agent-tui|terminal-interface/.test(specifier))).toEqual([]);
  });
});
