import type { UserContent } from '@robota-sdk/agent-core';
import type { InstructionFile } from './instruction-reader.ts';
/** One instruction file with its path. */
export function instructionElement({ path, text }: InstructionFile): string {
  return `<project_instructions path="${withoutDelimiters(path)}">\n${withoutDelimiters(text)}\n</project_instructions>`;
}

/** The paths of instruction files included in a content. */
export function instructionPathsIn(content: readonly UserContent[]): string[] {
  return content.flatMap((part) =>
    part.type === 'text' && part.text.startsWith('<project_instructions path="')
      ? [...part.text.matchAll(/^<project_instructions path="(.*)">$/gm)].map(([, path = '']) => path)
      : [],
  );
}

/** Escapes delimiters, so that a file cannot end its section and imitate the system prompt. */
function withoutDelimiters(text: string): string {
  return text.replace(/<(?=\/?\s*(?:project_instructions|project_context|env)\b)/gi, '&lt;');
}
