import {
  AgentError,
  type Config,
  editSetting,
  type HostEnvironment,
  isProblem,
  loadConfig,
  pathText,
  pluralize,
  problemOf,
  processHost,
  readOptions,
} from '@robota-sdk/agent-sdk/front-end';
import { givenDirectory } from '../arguments/given-directory.ts';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { areas, type Finding } from './finding.ts';

/** Runs `robota doctor`. */
export async function doctorCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('doctor'));
  refuseWords(options, 'robota doctor');
  const place = { cwd: givenDirectory(options.value('cwd')), host: await processHost() };
  const asksServers = !options.has('no-network');
  const model = options.value('model');
  if (model !== undefined && !asksServers)
    throw new AgentError(
      'usage',
      'A model cannot be tried without asking its server: leave --no-network out.',
    );
  if (options.has('fix') && model === undefined)
    throw new AgentError('usage', '--fix needs a model: robota doctor --model MODEL --fix');
  const first = await (model === undefined ? examine(place, { asksServers }) : examineModel(model, place));
  const findings =
    model !== undefined && options.has('fix') ? await afterFixes(first, { ...place, model }) : first;
  const isSound = findings.every(({ status }) => status !== 'broken');
  const output = terminalOutput(process.stdout);
  const report = options.has('json')
    ? JSON.stringify({ ok: isSound, findings })
    : output.clean(describe(findings));
  await output.write(`${report}\n`);
  return isSound ? 0 : 1;
}

/** The report of `robota doctor` on a directory, as text. */
export async function doctorReport(place: DoctorContext): Promise<string> {
  return describe(await examine(place, { asksServers: true }));
}

interface DoctorContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
}

async function examineModel(model: string, { cwd, host }: DoctorContext): Promise<readonly Finding[]> {
  const { checkModel } = await import('./check-model.ts');
  return checkModel(model, await loadConfig(cwd, { host }));
}

/** Applies what is recommended, and tries the model again; without anything to apply, the findings stay. */
async function afterFixes(
  findings: readonly Finding[],
  { model, cwd, host }: DoctorContext & { readonly model: string },
): Promise<readonly Finding[]> {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  if (fixes.length === 0) return findings;
  const applied: Finding[] = [];
  for (const { path, text } of fixes) {
    const { file } = await editSetting({ path, scope: 'user', action: 'set', text }, { cwd, host });
    applied.push({ area: 'models', status: 'note', what: `set ${pathText(path)} to ${text} in ${file}` });
  }
  return [...applied, ...(await examineModel(model, { cwd, host }))];
}

/** Everything at once, but for the start-up, which wants the machine for itself. */
async function examine(
  place: DoctorContext,
  { asksServers }: { readonly asksServers: boolean },
): Promise<Finding[]> {
  const began = performance.now();
  const config = await loadConfig(place.cwd, { host: place.host }).catch(problemOf);
  const configMs = performance.now() - began;
  const known: Config | undefined = isProblem(config) ? undefined : config;
  const found = await Promise.all([
    import('./check-versions.ts').then(({ checkVersions }) => checkVersions()),
    import('./check-connections.ts').then(({ checkConnections }) =>
      checkConnections(place.host.env, { asksServers }),
    ),
    import('./check-models.ts').then(({ checkModels }) => (known ? checkModels(known, { asksServers }) : [])),
    import('./check-settings.ts').then(({ checkSettings }) => checkSettings(place, config)),
    import('./check-tools.ts').then(({ checkTools }) => checkTools(known)),
    import('./check-servers.ts').then(({ checkServers }) => (known ? checkServers(known) : [])),
    import('./check-storage.ts').then(({ checkStorage }) => checkStorage(place.host)),
    import('./check-terminal.ts').then(({ checkTerminal }) => checkTerminal(place.host.env)),
  ]);
  const { checkStart } = await import('./check-start.ts');
  return [...found.flat(), ...(await checkStart({ configMs }))];
}

const marks = { ok: 'ok     ', note: 'note   ', warning: 'warning', broken: 'BROKEN ' } as const;

function describe(findings: readonly Finding[]): string {
  const sections = areas.flatMap((area) => {
    const own = findings.filter((finding) => finding.area === area);
    return own.length === 0 ? [] : [[area, ...own.map(findingText)].join('\n')];
  });
  return [...sections, summary(findings)].join('\n\n');
}

function findingText({ status, what, why, advice }: Finding): string {
  const more = [why, advice].filter((text) => text !== undefined).map((text) => `\n          ${text}`);
  return `  ${marks[status]} ${what}${more.join('')}`;
}

function summary(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  const broken = count('broken');
  const warnings = count('warning');
  if (broken > 0) return `${broken} ${broken === 1 ? 'thing prevents' : 'things prevent'} work.`;
  return warnings > 0 ? `Robota can work; ${pluralize(warnings, 'warning')}.` : 'Everything looks good.';
}
