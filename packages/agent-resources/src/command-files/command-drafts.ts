import type { ProjectSource, TrustDraft } from '@robota-sdk/agent-config';
import { modelSubject, readProjectFile, resourceFolders, scriptsOf } from '@robota-sdk/agent-config';
import { isProblem, orElse } from '@robota-sdk/agent-core';
import { grantSubject, skillChooser, snippetSubject } from '../skills/skill-trust.ts';
import { templateSegments } from '../template/template-segments.ts';
import { asSkill } from './file-command.ts';
import { type FoundCommand, findCommandFiles } from './find-command-files.ts';
import { parseCommandFile } from './read-command-file.ts';

/** Finds the shell commands and the grants of tools in a repository's command files. */
export async function commandDrafts({ cwd, host }: ProjectSource): Promise<readonly TrustDraft[]> {
  const folders = resourceFolders('commands', cwd, host).filter(({ scope }) => scope === 'project');
  const found = folders.flatMap(findCommandFiles);
  return (await Promise.all(found.map((file) => draftsOf(file, cwd)))).flat();
}

async function draftsOf(found: FoundCommand, cwd: string): Promise<readonly TrustDraft[]> {
  const text = textOf(found);
  // Most files need no closer look.
  if (!/!`|[`~]{3}\s*!|tools|model/i.test(text)) return [];
  const file = await parseCommandFile(found.path, text);
  if (isProblem(file)) return [];
  const skill = asSkill(file, found);
  const subjects = [grantSubject(skill), modelSubject(skillChooser(skill))].filter(
    (each) => each !== undefined,
  );
  const snippets = templateSegments(file.body).flatMap((segment) => {
    if (segment.kind !== 'shell') return [];
    const { command } = segment;
    const scripts = scriptsOf(command, cwd, { CLAUDE_SKILL_DIR: skill.directory });
    const line = text.slice(0, Math.max(0, text.indexOf(command))).split('\n').length;
    return [{ ...snippetSubject(skill, command), source: `${found.path}:${line}`, ...scripts }];
  });
  return [...subjects.map((subject) => ({ ...subject, source: found.path })), ...snippets];
}

/** An unreadable file runs nothing; the loader reports it. */
function textOf({ path, folder }: FoundCommand): string {
  return orElse(() => readProjectFile(path, folder.root), '');
}
