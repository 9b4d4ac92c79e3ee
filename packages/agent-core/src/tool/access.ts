import { isWithin } from '@robota-sdk/agent-shell';
import type { PathProblem } from '../file/path-problem.ts';

/**
 * An access of a call, declared by the tool and used by permissions, scheduling, checkpoints and the display. Paths are
 * absolute; `path` is as requested (normalized), `real` has symlinks resolved.
 */
export type Access =
  | { readonly kind: 'read'; readonly path: string; readonly real: string; readonly problem?: PathProblem }
  | { readonly kind: 'write'; readonly path: string; readonly real: string; readonly problem?: PathProblem }
  | { readonly kind: 'search'; readonly path: string; readonly real: string; readonly problem?: PathProblem }
  | { readonly kind: 'run'; readonly command: string; readonly cwd: string }
  | { readonly kind: 'fetch'; readonly url: string }
  /** A named agent or skill, which rules may name too. */
  | { readonly kind: 'use'; readonly name: string };

/**
 * True if two calls must keep their order. A command may touch anything, so it collides with every access except
 * `fetch` and `use`.
 */
export function accessesCollide(a: readonly Access[], b: readonly Access[]): boolean {
  return a.some((one) => b.some((other) => collide(one, other)));
}

function collide(a: Access, b: Access): boolean {
  if (a.kind === 'fetch' || b.kind === 'fetch' || a.kind === 'use' || b.kind === 'use') return false;
  if (a.kind === 'run' || b.kind === 'run') return true;
  if (a.kind !== 'write' && b.kind !== 'write') return false;
  return isWithin(a.real, b.real) || isWithin(b.real, a.real);
}
