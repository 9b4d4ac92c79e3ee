import { appendFile, chmod, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type Approval,
  atomicWrite,
  createRedactor,
  lazy,
  list,
  makeDirectories,
  object,
  parseJson,
  text,
  whole,
  words,
} from '@robota-sdk/agent-core';

/** An approval by the user, stored for suggestions. */
export interface ApprovalRecord {
  /** ISO 8601. */
  readonly time: string;
  readonly cwd: string;
  readonly tool: string;
  /** Its subject; the field that fits the tool. */
  readonly command?: string;
  readonly path?: string;
  readonly url?: string;
  readonly kind: Approval['kind'];
  /** Rules that would have spared the question. */
  readonly rules: readonly string[];
}

const maximumBytes = 512 * 1024;
const longestCommand = 4_000;

/** Appends an approval to the user's file, which only they can read and which is cut to its newer half when it grows too long. */
export async function recordApproval(
  file: string,
  approval: Approval,
  { cwd, secrets }: { cwd: string; secrets: readonly string[] },
): Promise<void> {
  const record = createRedactor(secrets)(recordOf(approval, cwd));
  makeDirectories(dirname(file), 0o700);
  await appendFile(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  if ((await stat(file)).size > maximumBytes) await keepNewerHalf(file);
}

/** The recorded approvals, the oldest first; lines that can't be read are left out. */
export async function readApprovals(file: string): Promise<readonly ApprovalRecord[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const record = parseRecord(line);
    return record === undefined ? [] : [record];
  });
}

function recordOf({ request, kind, rules }: Approval, cwd: string): ApprovalRecord {
  const [first] = request.access;
  const time = new Date().toISOString();
  const known = { time, cwd, tool: request.tool.name, kind, rules };
  if (first === undefined) return known;
  if (first.kind === 'run') return { ...known, command: first.command.slice(0, longestCommand) };
  if (first.kind === 'use') return known;
  return first.kind === 'fetch' ? { ...known, url: first.url } : { ...known, path: first.path };
}

async function keepNewerHalf(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  // The new file takes over the mode of the old one.
  await chmod(file, 0o600);
  await atomicWrite(file, Buffer.from(`${lines.slice(Math.floor(lines.length / 2)).join('\n')}\n`));
}

function parseRecord(line: string): ApprovalRecord | undefined {
  return approvalShape.parse(parseJson(line));
}

const approvalShape = lazy(() =>
  whole(
    object(
      { time: text, cwd: text, tool: text, kind: words('once', 'session', 'project'), rules: list(text) },
      { command: text, path: text, url: text },
    ),
  ),
);
