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
 * Problems of all settings files, each with its line. `config` is a problem if it could not be loaded.
 */
export async function checkSettings(
  place: DoctorContext,
  config: Config | Problem,
): Promise<readonly Finding[]> {
  const files = (await settingsFiles(place)).filter(({ state }) => state !== 'missing');
  const found = (await Promise.all(files.map((file) => checkFile(file, place)))).flat();
  const said = new Set(found.map(slipOf));
  const others = isProblem(config)
    ? [config]
    : config.problems.filter(({ code }) => code !== 'trust.withheld');
  const all = [...found, ...others.map(findingOf).filter((each) => !said.has(slipOf(each)))];
  return [...all, ...(all.some(({ status }) => status === 'broken') ? [] : [readFiles(files)])];
}

/** The name and place of a slip: how strictly it is taken, and so its wording, differs between the checks. */
function slipOf({ what, problem }: Finding): string {
  const { subject, source } = problem ?? {};
  return subject === undefined || source === undefined ? what : JSON.stringify([subject, source]);
}

async function checkFile(file: SettingsFile, place: DoctorContext): Promise<Finding[]> {
  if (file.problem !== undefined) return [findingOf(file.problem)];
  if (file.what !== 'settings' || file.state !== 'used') return [];
  return (await checkSettingsFile(file.path, place)).map(findingOf);
}

function findingOf(problem: Problem): Finding {
  const what = describeProblem(problem, programName());
  if (problem.severity !== 'error') return { status: 'warning', what, problem };
  const advice = `Open the file and check it with: ${programName()} config edit`;
  return { status: 'broken', what, advice, problem };
}

function readFiles(files: readonly SettingsFile[]): Finding {
  const used = files.filter(({ state }) => state === 'used').length;
  const what = used === 0 ? 'no settings files; using the defaults' : `${pluralize(used, 'file')} read`;
  return { status: 'ok', what };
}

/** Items of the project that are not trusted yet. */
export function checkTrust({ trust }: Config): readonly Finding[] {
  const withheld = trust?.withheld ?? [];
  if (withheld.length === 0) return [{ status: 'ok', what: 'nothing in this project needs your approval' }];
  return withheld.map(({ kind, name, source }) => ({
    status: 'note',
    what: `not trusted yet: ${kind} ${name} (${source})`,
    advice: 'Start robota here to decide.',
  }));
}
