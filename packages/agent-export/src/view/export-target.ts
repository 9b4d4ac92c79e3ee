import { existsSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { AgentError, homeDirectory } from '@robota-sdk/agent-core';
import type { ExportedSession } from '@robota-sdk/agent-sessions';
import {
  type ExportFormat,
  exportFileName,
  exportFormatNamed,
  exportFormatOf,
  exportFormats,
} from './export-session.ts';

export interface ExportRequest {
  readonly session: ExportedSession;
  /** The base of relative paths, and the folder of exports without a name. */
  readonly cwd: string;
  /** A file, a directory, or `-` for standard output. */
  readonly output?: string | undefined;
  readonly format?: string | undefined;
}

/** The file and format of an export. */
export interface ExportTarget {
  /** Absolute; nothing for standard output. */
  readonly file: string | undefined;
  readonly format: ExportFormat;
}

/** Settles file and format by what was said about either. */
export function exportTarget({ session, cwd, output, format }: ExportRequest): ExportTarget {
  const wanted = format === undefined ? undefined : knownFormat(format);
  // A page is of no use on a terminal.
  if (output === '-') return { file: undefined, format: wanted ?? 'md' };
  const named = (directory: string): ExportTarget => {
    const chosen = wanted ?? 'html';
    return { file: join(directory, exportFileName(session, chosen)), format: chosen };
  };
  if (output === undefined || output === '') return named(cwd);
  const file = resolve(cwd, output.replace(/^~(?=\/|$)/, homeDirectory()));
  if (/[/\\]$/.test(output) || (existsSync(file) && statSync(file).isDirectory())) return named(file);
  if (wanted === undefined) return { file, format: exportFormatOf(output) };
  assertAgreement(output, wanted);
  return { file, format: wanted };
}

/** The extension must match the format. */
function assertAgreement(output: string, wanted: ExportFormat): void {
  const ofName = exportFormatNamed(extname(output).slice(1).toLowerCase());
  if (ofName === undefined || ofName === wanted) return;
  throw new AgentError(
    'usage',
    `${output} is the name of ${ofName}, but ${wanted} was asked for. Leave the format away, or choose another name.`,
  );
}

function knownFormat(format: string): ExportFormat {
  const found = exportFormatNamed(format);
  if (found !== undefined) return found;
  throw new AgentError('usage', `Unknown format "${format}". Available: ${exportFormats.join(', ')}.`);
}
