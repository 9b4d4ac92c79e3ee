import { arch, release, type } from 'node:os';
import { version } from '../arguments/version.ts';
import { ownInstallation } from '../update/version-command.ts';
import type { Finding } from './finding.ts';

const oldestNode = [20, 19] as const;

/** The versions of Robota, Node and the system. */
export function checkVersions(): readonly Finding[] {
  return [
    { status: 'ok', what: `robota ${version}` },
    { status: 'ok', what: ownInstallation() },
    nodeFinding(process.versions.node),
    { status: 'ok', what: `${type()} ${release()} (${process.platform} ${arch()})` },
  ];
}

/** Checks the version of Node. */
function nodeFinding(node: string): Finding {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  if (!isOld) return { status: 'ok', what: `node ${node}` };
  return {
    status: 'broken',
    what: `node ${node} is too old`,
    why: `Robota needs ${oldestNode.join('.')} or newer.`,
    advice: 'Install a newer Node: https://nodejs.org',
  };
}
