import {
  type Config,
  checkSettingsFile,
  describeProblem,
  type HostEnvironment,
  isProblem,
  type Problem,
  pluralize,
  type SettingsFile,
  settingsFiles,
} from '@robota-sdk/agent-sdk/front-end';
import { programName } from '../arguments/program-name.ts';
import type { Finding } from './finding.ts';

interface DoctorContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
}

/**
 * Problems of all settings files, each with its line, and untrusted items of the project. `config` is a
 * problem text if it could not be loaded.
 */
export async function checkSettings(
  place: DoctorContext,
  config: Config | Problem,
): Promise<readonly Finding[]> {
  const files = (await settingsFiles(place)).filter(({ state }) => state !== 'missing');
  const found = (await Promise.all(files.map((file) => checkFile(file, place)))).flat();
  const said = new Set(found.map(({ what }) => what));
  const others = isProblem(config)
    ? [config]
    : config.problems.filter(({ code }) => code !== 'trust.withheld');
  const all = [...found, ...others.map(findingOf).filter(({ what }) => !said.has(what))];
  return [
    ...all,
    ...(all.some(({ status }) => status === 'broken') ? [] : [readFiles(files)]),
    ...(isProblem(config) ? [] : trustFindings(config)),
  ];
}

async function checkFile(file: SettingsFile, place: DoctorContext): Promise<Finding[]> {
  if (file.problem !== undefined) return [findingOf(file.problem)];
  if (file.what !== 'settings' || file.state !== 'used') return [];
  return (await checkSettingsFile(file.path, place)).map(findingOf);
}

function findingOf(problem: Problem): Finding {
  const what = describeProblem(problem, programName());
  if (problem.severity !== 'error') return { area: 'settings', status: 'warning', what, problem };
  const advice = `Open the file and check it with: ${programName()} config edit`;
  return { area: 'settings', status: 'broken', what, advice, problem };
}

function readFiles(files: readonly SettingsFile[]): Finding {
  const used = files.filter(({ state }) => state === 'used').length;
  const what = used === 0 ? 'no settings files; the defaults hold' : `${pluralize(used, 'file')} read`;
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
