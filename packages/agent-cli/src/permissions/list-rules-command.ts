import { describePermissions, permissionReport, readOptions } from '@robota-sdk/agent-sdk/front-end';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { projectPolicy } from './project-policy.ts';

/** `robota permissions list`: the mode and every rule with its origin. */
export async function listRulesCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('permissions', 'list'));
  refuseWords(options, 'robota permissions list');
  const { policy, modeOrigin, config } = await projectPolicy(options);
  const report = await permissionReport({ ...policy, modeOrigin, problems: config.problems });
  const output = terminalOutput(process.stdout);
  await output.write(
    `${options.has('json') ? JSON.stringify(report) : output.clean(describePermissions(report))}\n`,
  );
  return 0;
}
