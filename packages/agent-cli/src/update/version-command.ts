import { describeInstallation, findInstallation, readOptions } from '@robota-sdk/agent-sdk/front-end';
import { ownProgram } from '../arguments/own-command.ts';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { version } from '../arguments/version.ts';

/** Runs `robota version`. */
export async function versionCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('version'));
  refuseWords(options, 'robota version');
  if (!options.has('json')) {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const { kind, path, manager, updateWith } = findInstallation(ownProgram());
  const about = {
    version,
    node: process.versions.node,
    platform: process.platform,
    architecture: process.arch,
    installation: { kind, path, manager, updateWith: updateWith ?? 'robota update' },
  };
  process.stdout.write(`${JSON.stringify(about)}\n`);
  return 0;
}

/** Names how this program was installed. */
export function ownInstallation(): string {
  return describeInstallation(findInstallation(ownProgram()));
}
