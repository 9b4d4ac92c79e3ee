import {
  AgentError,
  type Config,
  checkNetwork,
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
import { checkModels } from './check-models.ts';
import { checkSettings, checkTrust } from './check-settings.ts';
import { checkStart } from './check-start.ts';
import { checkStorage } from './check-storage.ts';
import { checkTerminal } from './check-terminal.ts';
import { checkTools } from './check-tools.ts';
import { checkVersions } from './check-versions.ts';
import { type Area, areas, type Finding } from './finding.ts';

/** Runs `robota doctor`. */
export async function doctorCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('doctor'));
  refuseWords(options, 'robota doctor');
  const place = { cwd: givenDirectory(options.value('cwd')), host: await processHost() };
  const asksServers = !options.has('no-network');
  const model = options.value('model');
  if (model !== undefined && !asksServers)
    throw new AgentError('usage', '--model and --no-network cannot be used together.');
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

async function examineModel(model: string, { cwd, host }: DoctorContext): Promise<readonly AreaFinding[]> {
  const { checkModel } = await import('./check-model.ts');
  return inArea('models', await checkModel(model, await loadConfig(cwd, { host })));
}

/** Applies the recommended settings and tests the model again. */
async function afterFixes(
  findings: readonly AreaFinding[],
  { model, cwd, host }: DoctorContext & { readonly model: string },
): Promise<readonly AreaFinding[]> {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  if (fixes.length === 0) return findings;
  const applied: Finding[] = [];
  for (const { path, text } of fixes) {
    const { file } = await editSetting({ path, scope: 'user', action: 'set', text }, { cwd, host });
    applied.push({ status: 'note', what: `set ${pathText(path)} to ${text} in ${file}` });
  }
  return [...inArea('models', applied), ...(await examineModel(model, { cwd, host }))];
}

/** Runs all checks in parallel, and then measures the start, which needs an idle machine. */
async function examine(
  place: DoctorContext,
  { asksServers }: { readonly asksServers: boolean },
): Promise<readonly AreaFinding[]> {
  const began = performance.now();
  const config = await loadConfig(place.cwd, { host: place.host }).catch(problemOf);
  const configMs = performance.now() - began;
  const known: Config | undefined = isProblem(config) ? undefined : config;
  const checks: Readonly<Partial<Record<Area, Findings | Promise<Findings>>>> = {
    versions: checkVersions(),
    network: checkConnections(place.host.env, { asksServers }),
    models: known ? checkModels(known, { asksServers }) : [],
    settings: checkSettings(place, config),
    trust: known ? checkTrust(known) : [],
    tools: checkTools(known),
    servers: known ? checkServers(known) : [],
    storage: checkStorage(place.host),
    terminal: checkTerminal(place.host.env),
  };
  const found = await Promise.all(areas.map(async (area) => inArea(area, (await checks[area]) ?? [])));
  return [...found.flat(), ...inArea('start', await checkStart({ configMs }))];
}

type Findings = readonly Finding[];

type AreaFinding = Finding & { readonly area: Area };

function inArea(area: Area, findings: Findings): readonly AreaFinding[] {
  return findings.map((finding) => ({ area, ...finding }));
}

const marks = { ok: 'ok     ', note: 'note   ', warning: 'warning', broken: 'BROKEN ' } as const;

function describe(findings: readonly AreaFinding[]): string {
  const sections = areas.flatMap((area) => {
    const own = findings.filter((finding) => finding.area === area);
    return own.length === 0 ? [] : [[area, ...own.map(findingText)].join('\n')];
  });
  return [...sections, summary(findings)].join('\n\n');
}

function findingText({ status, what, why, advice }: Finding): string {
  const lines = [what, why, advice].flatMap((text) => text?.split('\n') ?? []);
  return `  ${marks[status]} ${lines.join('\n          ')}`;
}

function summary(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  const broken = count('broken');
  const warnings = count('warning');
  if (broken > 0) return `${pluralize(broken, 'problem')} found.`;
  return warnings > 0 ? `Robota works; ${pluralize(warnings, 'warning')}.` : 'Everything looks good.';
}

/** The proxies and certificates that the environment names; nothing where it names none. */
async function checkConnections(
  env: HostEnvironment['env'],
  { asksServers }: { readonly asksServers: boolean },
): Promise<readonly Finding[]> {
  const found = await checkNetwork(env, { connects: asksServers });
  return found.map(({ what, problem }) =>
    problem === undefined ? { status: 'ok', what } : { status: 'broken', what, why: problem },
  );
}

/** The MCP servers that are configured; whether they work is for `robota mcp test`, which starts them. */
function checkServers({ mcpServers = [] }: Config): readonly Finding[] {
  return mcpServers.map(({ name, config, disabledBy, origin }): Finding => {
    const { transport } = config;
    const program = transport.kind === 'stdio' ? transport.command : 'a program';
    const how = 'url' in transport ? new URL(transport.url).host : program;
    const what = `${name}: ${how} (${origin.scope})`;
    if (disabledBy !== undefined) return { status: 'note', what, why: `disabled by ${disabledBy}` };
    return { status: 'ok', what, advice: `Test it with: robota mcp test ${name}` };
  });
}
