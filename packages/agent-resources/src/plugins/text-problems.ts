import { basename, dirname } from 'node:path';
import { isProblem, type Problem, readRegularFile } from '@robota-sdk/agent-core';
import type { IBundlePlugin } from './bundle-plugin.ts';
import { bundleTexts } from './bundle-texts.ts';
import type { PluginProblem } from './plugin-problem.ts';

export type TextKind = 'skills' | 'commands' | 'agents';

/** Reports the problems a session would report, for authors. */
const readers: Readonly<Record<TextKind, (file: string, text: string) => Promise<readonly Problem[]>>> = {
  skills: async (path) => {
    const { readSkill } = await import('../skills/read-skill.ts');
    const directory = dirname(path);
    const place = { directory, folder: dirname(directory), defaultName: basename(directory) };
    return (await readSkill({ path, ...place, scope: 'plugin' })).problems;
  },
  commands: async (path, text) => {
    const { parseCommandFile } = await import('../command-files/read-command-file.ts');
    const read = await parseCommandFile(path, text);
    return isProblem(read) ? [read] : read.problems;
  },
  agents: async (path) => {
    const { readAgentFile } = await import('../agents/load-agents.ts');
    return (await readAgentFile({ path, folder: {} })).problems;
  },
};

/** Problems a session would report for a plugin's skills, commands and agents. */
export async function textProblems(plugin: IBundlePlugin): Promise<readonly PluginProblem[]> {
  const kinds = ['skills', 'commands', 'agents'] as const;
  const found = kinds.map(async (kind) => {
    const files = await bundleTexts(plugin, kind);
    return Promise.all(
      files.map(async (file) => fileProblems(file, (await readRegularFile(file)).toString(), kind)),
    );
  });
  return (await Promise.all(found)).flat(2);
}

/** The same for one file. */
export async function fileProblems(
  file: string,
  text: string,
  kind: TextKind,
): Promise<readonly PluginProblem[]> {
  return (await readers[kind](file, text)).map((problem) => ({
    ...problem,
    source: problem.source ?? { file },
  }));
}
