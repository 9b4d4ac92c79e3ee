import type { FileDiff } from '@robota-sdk/agent-diff';
import type { OmittedOutput } from './shell-run.ts';

/** The visible form of a call or its result; every front end renders this union. */
export type Display =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** A short description of the failure, such as `not found`. */
      readonly brief?: string;
      /** Tokens used by an agent, its calls, and their cost in US dollars. */
      readonly tokens?: number;
      readonly calls?: number;
      readonly cost?: number;
      /** How many lines a search found. */
      readonly matches?: number;
      /** The id of the background task, such as `bash-1`. */
      readonly task?: string;
    }
  | ({ readonly kind: 'diff' } & FileDiff)
  | { readonly kind: 'file'; readonly path: string; readonly text: string; readonly firstLine: number }
  | {
      readonly kind: 'terminal';
      readonly command: string;
      readonly output: string;
      readonly exitCode: number | null;
      readonly omitted?: OmittedOutput;
    }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly total: number }
  | { readonly kind: 'todos'; readonly items: readonly { readonly text: string; readonly status: string }[] }
  | {
      readonly kind: 'plan';
      /** Markdown. */
      readonly text: string;
      readonly outcome?: 'approved' | 'presented';
      /** The permission mode for an approved plan. */
      readonly mode?: string;
      readonly comments?: string;
    }
  | { readonly kind: 'image'; readonly mimeType: string; readonly data: string; readonly path?: string };
