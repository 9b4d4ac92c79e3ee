import { basename } from 'node:path';
import {
  type AnyTool,
  checkArguments,
  having,
  list,
  objectInstance,
  optional,
  pathShape,
  text,
} from '@robota-sdk/agent-core';
import type { ProjectContext } from '@robota-sdk/agent-resources';
import {
  contextShape,
  environmentSection,
  guidelineSection,
  instructionSection,
  languageSection,
  toolSections,
} from '../prompt/system-prompt.ts';

/** The parts of a subagent's prompt. */
export interface SubagentPromptFields {
  /** The agent's own prompt. */
  readonly agentBody: string;
  readonly context: ProjectContext;
  readonly cwd: string;
  readonly tools?: readonly AnyTool[];
  readonly language?: string;
  /** It does the work of a skill, whose answer joins the parent's conversation. */
  readonly isForkWorker?: boolean;
}

const reportSuffix =
  'You work for another agent, which sees nothing but your last message. End with a concise report: what you found or did, with paths, and what is left open. Ask no questions; where something is unclear, decide and say so.';

const forkSuffix =
  'You work on one task for another agent, which sees nothing but your last message. Answer in 500 words or less: the result first, then what it rests on. Ask no questions.';

/** Puts the prompt of a subagent together: its own text, CLAUDE.md, AGENTS.md, and how to report. */
export function assembleSubagentPrompt(parts: SubagentPromptFields): string {
  checkArguments('assembleSubagentPrompt', {
    parts: [
      parts,
      having({
        agentBody: text,
        context: contextShape,
        cwd: pathShape,
        tools: optional(list(objectInstance)),
      }),
    ],
  });
  const { instructions } = parts.context;
  const isClaude = ({ path }: { readonly path: string }) => basename(path).toUpperCase() === 'CLAUDE.MD';
  const sections = [
    parts.agentBody.trim(),
    guidelineSection(parts.tools ?? []),
    instructionSection({ instructions: instructions.filter(isClaude) }),
    instructionSection({ instructions: instructions.filter((file) => !isClaude(file)) }),
    toolSections(parts.tools ?? []),
    languageSection(parts.language),
    environmentSection(parts),
    parts.isForkWorker ? forkSuffix : reportSuffix,
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}
