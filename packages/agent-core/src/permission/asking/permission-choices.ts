import { pluralize } from '../../problem/pluralize.ts';
import type { QuestionOption } from '../../tool/user-interface.ts';
import type { PermissionMode } from '../policy/mode.ts';
import { type AskedPermission, mcpName, scriptProgram } from './describe-question.ts';

/** An answer to a permission question, and how long the approval lasts. */
export interface PermissionChoice extends QuestionOption {
  readonly kind: 'once' | 'session' | 'project' | 'deny';
}

export interface PermissionChoicesOptions {
  /** The rules that a lasting approval adds; empty if it can be allowed only once. */
  readonly rules: readonly string[];
  /** The mode that an approval for the session switches to instead. */
  readonly sessionMode: PermissionMode | undefined;
  /** Rules can be saved for the project. */
  readonly canSave: boolean;
}

/** Longer subjects are not repeated in a choice. */
const longestSubject = 40;

/** The choices of a permission question, always in the same order. */
export function permissionChoices(
  asked: AskedPermission,
  { rules, sessionMode, canSave }: PermissionChoicesOptions,
): readonly PermissionChoice[] {
  const { what, isExact } = allowedSubject(asked, rules);
  const exact = isExact ? { description: 'any change asks again' } : {};
  const forSession: PermissionChoice =
    sessionMode === undefined
      ? { kind: 'session', label: `Allow ${what} in this session`, ...exact }
      : {
          kind: 'session',
          label: 'Allow all edits in this session',
          description: 'switches to accept edits',
        };
  const forProject: PermissionChoice = {
    kind: 'project',
    label: `Allow ${what} in this project`,
    description: savedText(rules),
  };
  return [
    { kind: 'once', label: 'Allow once', means: 'yes' },
    ...(rules.length > 0 ? [forSession] : []),
    ...(rules.length > 0 && canSave ? [forProject] : []),
    {
      kind: 'deny',
      label: 'Deny, and say what to do instead',
      means: 'no',
      asks: 'What to do instead:',
    },
  ];
}

/** Describes the calls that rules allow. */
function allowedSubject(
  { request: { access } }: AskedPermission,
  rules: readonly string[],
): { readonly what: string; readonly isExact: boolean } {
  const names = rules.map(nameOf);
  const what = names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const [first] = access;
  const isScript = first?.kind === 'run' && scriptProgram(first.command) !== undefined;
  if (isScript) return { what: 'exactly this script', isExact: true };
  if (what.length <= longestSubject && !what.includes('\n')) return { what, isExact: false };
  if (rules.length > 1) return { what: `these ${rules.length} commands`, isExact: false };
  if (first?.kind === 'run') return { what: 'exactly this command', isExact: true };
  if (first?.kind === 'write') return { what: 'edits to this file', isExact: false };
  return { what: 'exactly this call', isExact: true };
}

/** Describes the calls of a rule: `npm test`, `edits to src/cart.js`, `docs.example.com`. */
function nameOf(text: string): string {
  const open = text.indexOf('(');
  if (open === -1) return mcpName(text).at(-1) ?? text;
  const tool = text.slice(0, open);
  const specifier = text.slice(open + 1, -1);
  const file = specifier.replace(/^\/(?!\/)/, '').replace(/^\/\//, '/');
  if (tool === 'Edit' || tool === 'Write') return `edits to ${file}`;
  if (tool === 'Read') return `reading ${file}`;
  return tool === 'WebFetch' ? specifier.replace(/^domain:/, '') : specifier;
}

function savedText(rules: readonly string[]): string {
  const [only = ''] = rules;
  const isShort = rules.length === 1 && only.length <= longestSubject && !only.includes('\n');
  return isShort ? `saves ${only}` : `saves ${pluralize(rules.length, 'rule')}`;
}
