import { resolve } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { hostShape, processHost, resourceFolders } from '@robota-sdk/agent-config';
import { checkArguments, describeProblems, object, optional, pathShape } from '@robota-sdk/agent-core';
import { loadAgents, loadContext, loadSkills } from '@robota-sdk/agent-resources';
import type { LoadedContext } from '../assembly/context-resources.ts';

/** Reads the instructions of a directory and its user, for `createSession`. */
export async function loadSessionContext(
  directory: string,
  options: { host?: HostEnvironment } = {},
): Promise<LoadedContext> {
  checkArguments('loadContext', {
    directory: [directory, pathShape],
    options: [options, object({}, { host: optional(hostShape) })],
  });
  const host = options.host ?? (await processHost());
  const cwd = resolve(directory);
  const [context, skills, agents] = await Promise.all([
    loadContext(cwd, { host }),
    loadSkills(resourceFolders('skills', cwd, host)),
    loadAgents(resourceFolders('agents', cwd, host)),
  ]);
  const problems = [...(context.problems ?? []), ...skills.problems, ...agents.problems];
  return {
    ...context,
    ...(skills.skills.length === 0 ? {} : { skills }),
    ...(agents.definitions.length === 0 ? {} : { agents }),
    ...(problems.length === 0 ? {} : { problems, warnings: describeProblems(problems) }),
  };
}
