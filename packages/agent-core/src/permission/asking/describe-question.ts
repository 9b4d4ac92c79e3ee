import path from 'node:path';
import { describeRisk, isWithin, type Workspace } from '@robota-sdk/agent-shell';
import type { AuthorizationRequest } from '../../loop/agent-run.ts';
import type { Display } from '../../message/display.ts';
import { isJsonObject } from '../../shape/json.ts';
import { tellingArgument } from '../../tool/telling-argument.ts';
import type { PermissionDecision } from '../policy/permission.ts';

/** The inputs for the texts of a permission question. */
export interface AskedPermission {
  readonly request: AuthorizationRequest;
  readonly decision: PermissionDecision;
  readonly workspace: Workspace;
  readonly display: Display | undefined;
  /** The agent that requests the call; absent for the session itself. */
  readonly asker: string | undefined;
}

/** The title of a permission question: the action in a few words. */
export function questionTitle(asked: AskedPermission): string {
  const title = ownTitle(asked);
  return asked.asker === undefined ? title : `${title} for ${uncapitalized(asked.asker)}`;
}

function ownTitle({ request: { tool, access, call }, display, workspace }: AskedPermission): string {
  const [first] = access;
  if (first?.kind === 'run') {
    const program = scriptProgram(first.command);
    return program === undefined ? 'Run a command' : `Run a script with ${program}`;
  }
  if (first?.kind === 'fetch') return 'Fetch a page';
  if (first?.kind === 'write') return `${changeOf(display)} ${shownPath(first.path, workspace)}`;
  if (first?.kind === 'read' || first?.kind === 'search')
    return `Read ${shownPath(first.path, workspace)} (outside the workspace)`;
  if (first?.kind === 'use') return `${tool.name === 'Agent' ? 'Start agent' : 'Use'} ${first.name}`;
  if (tool.name === 'WebSearch') return 'Search the web';
  const [server, name] = mcpName(call.name);
  return name === undefined ? `Use ${tool.label ?? tool.name}` : `Use ${server}: ${name}`;
}

/** The reason for asking, completing "Why you're asked:". */
export function whyAsked({ request, decision, workspace }: AskedPermission): string {
  const [first] = request.access;
  if (decision.dangers) return 'no rule can allow this, only you, once.';
  if (decision.rule) return `your rule ask ${decision.rule.text} matches.`;
  if (first?.kind === 'write') {
    const file = shownPath(first.path, workspace);
    return decision.isProtected ? `${file} is protected.` : `no rule allows edits to ${file}.`;
  }
  if (first?.kind === 'read' || first?.kind === 'search')
    return `${shownPath(first.path, workspace)} is outside the workspace.`;
  if (first?.kind === 'fetch') return `no rule allows ${hostOf(first.url)}.`;
  const [server, name] = mcpName(request.call.name);
  if (!first && name !== undefined) return `no rule allows ${server}: ${name}.`;
  return uncapitalized(shortPaths(decision.reason, workspace));
}

/** The full subject, its risks and the reason, for text-only front ends. */
export function detailOf(asked: AskedPermission, why: string): string {
  const { dangers = [], cautions = [] } = asked.decision;
  const risks = [...dangers, ...cautions].map((risk) => `! ${describeRisk(risk)}`).join('\n');
  return [subjectOf(asked), risks, `Why you're asked: ${why}`].filter(Boolean).join('\n\n');
}

/** The interpreter of a command that only runs a here-document. */
export function scriptProgram(command: string): string | undefined {
  const [first = '', ...rest] = command.trim().split('\n');
  const at = first.indexOf('<<');
  const delimiter = /^<<-?\s*["']?(\w+)["']?\s*$/.exec(first.slice(Math.max(0, at)))?.[1];
  if (at <= 0 || delimiter === undefined || rest.at(-1)?.trim() !== delimiter) return undefined;
  if (rest.findIndex((line) => line.trim() === delimiter) !== rest.length - 1) return undefined;
  const program = /^[\w./-]+/.exec(first)?.[0];
  return program === undefined || /[;&|()$`]/.test(first.slice(0, at))
    ? undefined
    : path.posix.basename(program);
}

/** Shortens paths in a sentence: relative in the workspace, from home outside of it. */
function shortPaths(sentence: string, { cwd, home }: Workspace): string {
  return sentence.replaceAll(`${cwd}/`, '').replaceAll(`${home}/`, '~/');
}

/** Shortens a path: relative in the workspace, from home outside of it. */
function shownPath(file: string, { cwd, home }: Workspace): string {
  if (file !== cwd && isWithin(cwd, file)) return path.posix.relative(cwd, file);
  if (file !== home && isWithin(home, file)) return `~/${path.posix.relative(home, file)}`;
  return file;
}

/** The server and tool of `mcp__server__tool`. */
export function mcpName(name: string): readonly [server: string, tool: string] | readonly [name: string] {
  const [prefix, server, ...tool] = name.split('__');
  return prefix === 'mcp' && server && tool.length > 0 ? [server, tool.join('__')] : [name];
}

function changeOf(display: Display | undefined): string {
  if (display?.kind !== 'diff') return 'Edit';
  return { create: 'Create', delete: 'Delete', edit: 'Edit', rename: 'Rename' }[display.change ?? 'edit'];
}

function subjectOf({ request: { call, access }, display }: AskedPermission): string {
  if (display?.kind === 'diff') {
    const marks = { added: '+', removed: '-', context: ' ', gap: '…' };
    return display.lines.map(({ kind, text }) => `${marks[kind]} ${text}`.trimEnd()).join('\n');
  }
  if (display?.kind === 'text') return display.text;
  const [first] = access;
  if (first?.kind === 'run') return first.command;
  if (first?.kind === 'fetch') return first.url;
  // The title already names the file.
  if (first?.kind === 'read') return '';
  if (first?.kind === 'search') return tellingArgument(call);
  return isJsonObject(call.input) && Object.keys(call.input).length === 0
    ? ''
    : JSON.stringify(call.input, null, 2);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}

/** Lowercases the first letter of a sentence that continues another one. */
function uncapitalized(sentence: string): string {
  return /^[A-Z][a-z ]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
