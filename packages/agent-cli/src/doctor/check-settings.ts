import {
  type Config,
  checkSettingsFile,
  type HostEnvironment,
  type SettingsFile,
  settingsFiles,
} from '@robota-sdk/agent-sdk/front-end';
import type { Finding } from './finding.ts';

interface Place {
  readonly cwd: string;
  readonly host: HostEnvironment;
}

/**
 * Problems of all settings files, each with its line, and untrusted items of the project. `config` is a
 * problem text if it could not be loaded.
 */
export async function checkSettings(place: Place, config: Config | string): Promise<readonly Finding[]> {
  const files = (await settingsFiles(place)).filter(({ state }) => state !== 'missing');
  const found = (await Promise.all(files.map((file) => checkFile(file, place)))).flat();
  const said = found.map(({ what }) => what).join('\n');
  const rest = typeof config === 'string' ? [config] : [];
  const warnings = typeof config === 'string' ? [] : config.warnings;
  return [
    ...found,
    ...rest.filter((text) => !said.includes(text)).map(broken),
    ...warnings.filter((text) => !said.includes(text) && !isAboutTrust(text)).map(warning),
    ...(found.some(({ status }) => status === 'broken') || rest.length > 0 ? [] : [readFiles(files)]),
    ...(typeof config === 'string' ? [] : trustFindings(config)),
  ];
}

async function checkFile(file: SettingsFile, place: Place): Promise<Finding[]> {
  if (file.state === 'broken') return [broken(file.why ?? file.path)];
  if (file.what !== 'settings' || file.state !== 'used') return [];
  const { problem, warnings } = await checkSettingsFile(file.path, place);
  return [...(problem === undefined ? [] : [broken(problem)]), ...warnings.map(warning)];
}

function broken(what: string): Finding {
  return {
    area: 'settings',
    status: 'broken',
    what,
    advice: 'robota config edit opens the file and checks it.',
  };
}

function warning(what: string): Finding {
  return { area: 'settings', status: 'warning', what };
}

function isAboutTrust(text: string): boolean {
  return text.includes('--trust-project');
}

function readFiles(files: readonly SettingsFile[]): Finding {
  const used = files.filter(({ state }) => state === 'used').length;
  const what =
    used === 0 ? 'no settings files; the defaults hold' : `${used} ${used === 1 ? 'file' : 'files'} read`;
  return { area: 'settings', status: 'ok', what };
}

function trustFindings({ trust }: Config): Finding[] {
  const withheld = trust?.withheld ?? [];
  if (withheld.length === 0)
    return [{ area: 'trust', status: 'ok', what: 'nothing of this project waits for your agreement' }];
  return withheld.map(({ kind, name, source }) => ({
    area: 'trust',
    status: 'note',
    what: `not used before you agree: ${kind} ${name} (${source})`,
    advice: 'Start robota here and answer its question.',
  }));
}
