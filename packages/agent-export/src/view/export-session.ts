import type { Redactor } from '@robota-sdk/agent-core';
import { AgentError } from '@robota-sdk/agent-core';
import type { ExportedSession } from '@robota-sdk/agent-sessions';
import { buildView } from './build-view.ts';

/** Export formats, named after the file extension. */
export const exportFormats = ['html', 'md', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Hides secrets; without one they stay. */
  readonly redact?: Redactor;
  /** Markdown shows the active branch unless told otherwise; the other formats hold every branch. */
  readonly allBranches?: boolean;
}

/** A session as text for others, piece by piece. */
export async function* exportSession(
  session: ExportedSession,
  { format, redact, allBranches = false }: ExportOptions,
): AsyncGenerator<string> {
  if (format === 'jsonl') {
    const { exportJsonl } = await import('./export-jsonl.ts');
    yield* exportJsonl(session, redact);
    return;
  }
  const view = buildView(session, redact);
  if (format === 'md') {
    const { exportMarkdown } = await import('./export-markdown.ts');
    yield* exportMarkdown(view, { allBranches });
    return;
  }
  const { exportHtml } = await import('./export-html.ts');
  yield* exportHtml(view);
}

/** The format a file's ending stands for. */
export function exportFormatOf(file: string): ExportFormat {
  const [, ending = ''] = /\.([^./\\]+)$/.exec(file) ?? [];
  const found = exportFormatNamed(ending.toLowerCase());
  if (found !== undefined) return found;
  throw new AgentError('usage', `${file} has no known export format. End it in .html, .md or .jsonl.`);
}

/** The format for a word that users type. */
export function exportFormatNamed(word: string): ExportFormat | undefined {
  if (word === 'htm') return 'html';
  if (word === 'markdown') return 'md';
  return exportFormats.find((format) => format === word);
}

/** The name an export gets where none was given: `robota-<name or id>-<date>.html`. */
export function exportFileName(session: ExportedSession, format: ExportFormat): string {
  const { name, header } = session;
  const words = (name ?? '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const title = [...words].slice(0, 40).join('') || header.id.replace(/[^\w-]+/g, '-').slice(0, 60);
  return `robota-${title}-${new Date().toISOString().slice(0, 10)}.${format}`;
}
