import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseFrontMatter } from '@robota-sdk/agent-config';
import {
  AgentError,
  describeProblems,
  type Problem,
  type ProblemSource,
  parseRules,
  problemOf,
  readRegularFile,
  warning,
} from '@robota-sdk/agent-core';
import type { IBundlePlugin } from '@robota-sdk/agent-resources';
import {
  BundleLoader,
  bundleTexts,
  fileProblems,
  isForeign,
  isVersion,
  type LoadBundleOptions,
  manifestPlace,
  type PluginProblem,
  problemAt,
  readDefinitions,
  readMarketplace,
  resolveServer,
  type TextKind,
} from '@robota-sdk/agent-resources';
import {
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
  requiredWord,
} from '../request/plugin-request.ts';

/** `plugin validate DIR`: everything that is wrong with a plugin or a marketplace, with file and line. */
export async function validatePlugin(
  request: PluginRequest,
  { cwd }: PluginRequestServices,
): Promise<PluginAnswer> {
  const directory = resolve(cwd, requiredWord(request, 'validate DIR'));
  if (!existsSync(directory)) throw new AgentError('usage', `Missing folder ${directory}.`);
  const isMarketplace = existsSync(join(directory, '.claude-plugin', 'marketplace.json'));
  const problems = [
    ...(isMarketplace ? await marketplaceProblems(directory) : []),
    ...(!isMarketplace || existsSync(join(directory, manifestPlace)) ? await pluginProblems(directory) : []),
  ];
  const what = isMarketplace ? 'The marketplace' : 'The plugin';
  const isOk = problems.every(isForeign);
  const lines = describeProblems(problems);
  return {
    isOk,
    text: [...lines, ...(isOk ? [`${what} in ${directory} is valid.`] : [])].join('\n'),
    data: { problems: lines, details: problems },
  };
}

async function marketplaceProblems(directory: string): Promise<Problem[]> {
  try {
    const { entries, problems } = await readMarketplace(directory, { local: true });
    const inside = await Promise.all(
      entries.map(async ({ name, source, listed }) =>
        source.kind === 'inside' ? pluginProblems(join(directory, source.path), { name, listed }) : [],
      ),
    );
    return [...problems, ...inside.flat()];
  } catch (thrown) {
    return [problemOf(thrown)];
  }
}

async function pluginProblems(directory: string, options: LoadBundleOptions = {}): Promise<Problem[]> {
  try {
    const plugin = await new BundleLoader().load(directory, options);
    const texts = await Promise.all(
      (['skills', 'commands', 'agents'] as const).map((kind) => textProblems(plugin, kind)),
    );
    return [...plugin.problems, ...ownProblems(plugin), ...texts.flat(), ...serverProblems(plugin)];
  } catch (thrown) {
    return [problemOf(thrown)];
  }
}

/** The warnings a session would show about its MCP servers, except those that depend on variables. */
function serverProblems({ mcpServers, manifestFile, root }: IBundlePlugin): Problem[] {
  const { definitions, problems } = readDefinitions(
    { mcpServers: { ...mcpServers } },
    { scope: 'plugin', source: manifestFile, text: '' },
  );
  const plain = definitions.filter(({ written }) => !JSON.stringify(written).includes('$'));
  const resolved = plain.map((one) => resolveServer(one, { cwd: root, host: { env: {}, home: root } }));
  return [...problems, ...resolved.flatMap((one) => (one.ok ? one.notes : [one.problem]))];
}

/** Harmless omissions in a published plugin. */
function ownProblems(plugin: IBundlePlugin): PluginProblem[] {
  const { manifest, manifestFile: file, manifestText: text, permissions } = plugin;
  if (text === '') return [];
  const { problems } = parseRules(
    { allow: permissions.allow ?? [], ask: permissions.ask ?? [], deny: permissions.deny ?? [] },
    { source: file },
  );
  return [
    ...(manifest.description === undefined
      ? [problemAt({ file, text }, 'name', 'The plugin has no "description".')]
      : []),
    ...(manifest.version === undefined || isVersion(manifest.version)
      ? []
      : [
          problemAt(
            { file, text },
            'version',
            `Invalid "version" ${manifest.version}; expected one like 1.2.0.`,
          ),
        ]),
    ...problems.map((problem) => problemAt({ file, text, code: problem.code }, 'permissions', problem)),
  ];
}

async function textProblems(plugin: IBundlePlugin, kind: TextKind): Promise<PluginProblem[]> {
  const files = await bundleTexts(plugin, kind);
  return (await Promise.all(files.map((file) => problemsOf(file, kind)))).flat();
}

async function problemsOf(file: string, kind: TextKind): Promise<PluginProblem[]> {
  const text = (await readRegularFile(file)).toString();
  const { data, body, problems } = await parseFrontMatter(text);
  const isDescribed = typeof data.description === 'string' && data.description.trim() !== '';
  const found = await fileProblems(file, text, kind);
  return [
    ...found,
    ...(kind === 'commands' || isDescribed || problems.length > 0
      ? []
      : [textProblem({ file, line: 1 }, 'No "description", so the model cannot tell when to use it.')]),
    ...(body.trim() === '' && found.length === 0
      ? [textProblem({ file }, 'No text after the front matter.')]
      : []),
  ];
}

function textProblem(source: ProblemSource, message: string): PluginProblem {
  return { ...warning('plugin.text', message), source };
}
