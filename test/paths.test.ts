import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Access,
  type AnyTool,
  decide,
  errorMessage,
  hostFiles,
  type PermissionMode,
  parseRules,
} from '@robota-sdk/agent-core';
import {
  type LaidOutPathCase,
  layOutPathCase,
  loadPathCases,
  type PathCase,
  testToolContext,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { editTool, globTool, grepTool, readTool, writeTool } from '@robota-sdk/agent-tools';
import { afterEach, describe, expect, it } from 'vitest';

const tools: Readonly<Record<string, AnyTool>> = {
  Edit: editTool,
  Glob: globTool,
  Grep: grepTool,
  Read: readTool,
  Write: writeTool,
};

/** Our answer where products differ. */
const chosen: Readonly<Record<string, string>> = {
  // Reads outside the workspace are asked about.
  'path-005': 'ask OutsideWorkspace',
  'path-007': 'ask OutsideWorkspace',
  'path-011': 'ask OutsideWorkspace',
  'path-041': 'ask OutsideWorkspace',
  // The link is followed before the name is looked at.
  'path-047': 'deny OutsideWorkspace',
  // Files are replaced and not written into, so the other name of the file keeps its content.
  'path-059': 'allow ok',
};

/** The checklist lines a case proves besides E-41. */
function idsOf({ expected, group, path }: PathCase): string {
  if (group === 'rules') return 'E-41 R-12';
  if (expected === 'allow') return 'E-41 E-42';
  return path.includes('../..') ? 'E-2 E-41' : 'E-41';
}

let laid: LaidOutPathCase | undefined;
afterEach(() => {
  laid?.dispose();
  laid = undefined;
});

describe('paths from the call to the file', () => {
  it.each(
    loadPathCases().map((one) => ({
      ...one,
      ids: idsOf(one),
      answer: chosen[one.id] ?? `${one.expected} ${one.code}`,
    })),
  )('$ids $id $tool: $why', async (pathCase) => {
    laid = layOutPathCase(pathCase);
    expect(await play(laid)).toBe(pathCase.answer);
  });

  it('replacing a file leaves its other name outside the workspace as it was', async () => {
    proves('E-41');
    const pathCase = loadPathCases().find(({ code }) => code === 'HardLink');
    if (!pathCase) throw new Error('There is no case with a hard link.');
    laid = layOutPathCase(pathCase);
    expect(await play(laid)).toBe('allow ok');
    const { cwd } = laid.workspace;
    expect(readFileSync(join(cwd, 'hl'), 'utf8')).toBe('x\n');
    expect(readFileSync(join(cwd, '../out/secret.txt'), 'utf8')).toBe('s3cret\n');
  });
});

/** Decides about the call and, unless it was refused or asked about, runs it. */
async function play({ tool: name, path, mode, rules, workspace }: LaidOutPathCase): Promise<string> {
  const tool = tools[name];
  if (!tool) throw new Error(`Unknown tool ${name}.`);
  const context = testToolContext(workspace.cwd, { workspace });
  const input = inputOf(name, path) as never;
  const access = await tool.access(input, context);
  const policy = {
    mode: mode as PermissionMode,
    rules: parseRules(rules ?? {}, { source: 'case' }).rules,
    workspace,
    files: hostFiles,
  };
  const { verdict, reason, rule } = await decide(policy, { tool: name, access });
  if (verdict !== 'allow') return `${verdict} ${codeOf(access, reason, rule !== undefined)}`;
  // An existing file must be read before it is replaced.
  if (name === 'Write') await readTool.execute({ file_path: path }, context).catch(() => {});
  try {
    const { isError } = await tool.execute(input, context);
    return isError ? 'deny error' : 'allow ok';
  } catch (thrown) {
    const message = errorMessage(thrown);
    if (message.includes('binary')) return 'deny BinaryFile';
    return `deny ${/^(\w+):/.exec(message)?.[1] ?? message}`;
  }
}

function codeOf(access: readonly Access[], reason: string, hasRule: boolean): string {
  if (hasRule) return 'DenyRule';
  const problem = access.flatMap((one) => ('problem' in one && one.problem ? [one.problem] : []))[0];
  if (problem !== undefined && problem !== 'IsDirectory') return problem;
  if (reason.startsWith('OutsideWorkspace: ') || reason.includes('lies outside the workspace, so'))
    return 'OutsideWorkspace';
  if (reason.includes('is protected')) return 'ProtectedPath';
  return reason.toLowerCase().includes('no rule allows') ? 'NoRule' : reason;
}

function inputOf(tool: string, path: string): object {
  if (tool === 'Glob') return { pattern: path };
  if (tool === 'Grep') return { pattern: '.', path };
  if (tool === 'Write') return { file_path: path, content: 'x\n' };
  if (tool === 'Edit') return { file_path: path, old_string: 'K', new_string: 'L' };
  return { file_path: path };
}
