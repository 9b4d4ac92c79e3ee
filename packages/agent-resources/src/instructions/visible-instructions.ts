import { type IgnoredFiles, isWithin, type Problem, realPathOf, warning } from '@robota-sdk/agent-core';
import type { InstructionFile } from './instruction-reader.ts';

/** Leaves out instruction files of a repository that its ignore files hide from the agent, imported ones too. */
export interface VisibleInstructions {
  of<T extends InstructionFile>(files: readonly T[], problems: Problem[]): T[];
}

/** Files outside of `root` are the user's own, which no ignore file hides. */
export function visibleInstructions(ignored: IgnoredFiles, root: string): VisibleInstructions {
  return {
    of: (files, problems) =>
      files.filter(({ path }) => {
        const real = realPathOf(path);
        const rule = isWithin(root, real) ? (ignored.ruleFor(path) ?? ignored.ruleFor(real)) : undefined;
        if (rule === undefined) return true;
        const { source, line } = rule.origin;
        const message = `The file was not read: the line ${rule.text} (${source}:${line ?? 1}) hides it.`;
        problems.push(warning('instructions.unread', message, { source: { file: path }, isInactive: true }));
        return false;
      }),
  };
}
