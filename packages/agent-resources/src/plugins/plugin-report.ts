import { basename, join, relative } from 'node:path';
import { escapedLine, hookSubject, parseFrontMatter } from '@robota-sdk/agent-config';
import { readRegularFile } from '@robota-sdk/agent-core';
import { serverSubject } from '../mcp-definitions/server-subject.ts';
import { templateSegments } from '../template/template-segments.ts';
import { bundledComponents } from '../wasm/bundled-components.ts';
import type { IBundlePlugin } from './bundle-plugin.ts';
import { bundleTexts } from './bundle-texts.ts';

/** The components of a plugin and the commands it would run, for the approval question. */
export interface PluginReport {
  readonly skills: readonly string[];
  readonly commands: readonly string[];
  readonly agents: readonly string[];
  /** Everything that runs or relaxes permissions, one line each, with its location. */
  readonly runs: readonly string[];
  /** Estimated tokens that it adds to every request. */
  readonly tokens: number;
}

/** Examines all files of a plugin; runs none of them. */
export async function reportPlugin(plugin: IBundlePlugin): Promise<PluginReport> {
  const { root, name } = plugin;
  const [skills, commands, agents, modules, components] = await Promise.all([
    textsIn(plugin, 'skills'),
    textsIn(plugin, 'commands'),
    textsIn(plugin, 'agents'),
    bundleTexts(plugin, 'extensions'),
    bundledComponents(plugin),
  ]);
  const texts = [...skills, ...commands, ...agents];
  const characters = texts.reduce(
    (sum, { title, description }) => sum + title.length + description.length + 8,
    0,
  );
  return {
    skills: skills.map(({ title }) => title),
    commands: commands.map(({ title }) => `/${name}:${title}`),
    agents: agents.map(({ title }) => `${name}:${title}`),
    runs: [
      ...hookLines(plugin),
      ...serverLines(plugin),
      ...modules.map((file) => `extension module ${relative(root, file)}`),
      ...components,
      ...texts.flatMap((text) => linesOf(text, root)),
      ...(plugin.permissions.allow ?? []).map((rule) => `allow rule ${rule}`),
      ...(plugin.systemPrompt === undefined ? [] : [`adds to the system prompt: ${plugin.systemPrompt}`]),
    ].map(indented),
    tokens: Math.ceil((characters + (plugin.systemPrompt?.length ?? 0)) / 4),
  };
}

/** The report as lines of text. */
export function describeReport(report: PluginReport): string {
  const list = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${label}: ${names.map(escapedLine).join(', ')}`];
  return [
    ...list('skills', report.skills),
    ...list('commands', report.commands),
    ...list('agents', report.agents),
    ...(report.runs.length === 0
      ? ['Nothing of it runs by itself.']
      : ['These run or count without another question:', ...report.runs.map((line) => `  ${line}`)]),
    `It adds about ${report.tokens} tokens to every request.`,
  ].join('\n');
}

/** Later lines are indented more than items, so that none can look like another item. */
function indented(text: string): string {
  return text.trimEnd().split('\n').map(escapedLine).join('\n      ');
}

interface PluginText {
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
  readonly grants: string;
}

async function textsIn(plugin: IBundlePlugin, kind: 'skills' | 'commands' | 'agents'): Promise<PluginText[]> {
  return Promise.all((await bundleTexts(plugin, kind)).map((file) => textOf(file, kind)));
}

async function textOf(file: string, kind: 'skills' | 'commands' | 'agents'): Promise<PluginText> {
  const text = (await readRegularFile(file)).toString();
  const { data } = await parseFrontMatter(text);
  const folder = basename(join(file, '..'));
  const usual = kind === 'skills' ? folder : basename(file, '.md');
  const given = kind === 'commands' ? undefined : data.name;
  const grants = data['allowed-tools'] ?? data.allowedTools;
  return {
    file,
    text,
    title: typeof given === 'string' ? given : usual,
    description: typeof data.description === 'string' ? data.description : '',
    grants: kind === 'agents' || grants === undefined || grants === null ? '' : String(grants),
  };
}

/** Shell commands that run when a text is used, and the tools it may use without a question. */
function linesOf({ file, text, grants }: PluginText, root: string): string[] {
  const name = relative(root, file);
  let end = 0;
  const shell = templateSegments(text).flatMap((segment) => {
    if (segment.kind !== 'shell') return [];
    // The same command may occur in an example before it.
    const at = Math.max(text.indexOf(`!\`${segment.command}`, end), text.indexOf(segment.command, end));
    end = at + segment.command.length;
    return [`shell command (${name}:${text.slice(0, at).split('\n').length}): ${segment.command}`];
  });
  return [...shell, ...(grants === '' ? [] : [`allowed tools (${name}): ${grants}`])];
}

/** Lists the servers that start with every session. */
function serverLines({ mcpServers }: IBundlePlugin): string[] {
  return Object.entries(mcpServers).map(([name, written]) => {
    const { content } = serverSubject({ name, written });
    return `MCP server ${name}: ${content}`;
  });
}

function hookLines({ hooks, root }: IBundlePlugin): string[] {
  return hooks.flatMap((group) =>
    group.hooks.map((hook) => {
      const { name, content } = hookSubject(group, hook);
      return `hook ${name} (${relative(root, group.source)}): ${content}`;
    }),
  );
}
