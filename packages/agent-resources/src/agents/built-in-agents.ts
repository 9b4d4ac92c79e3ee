import type { IAgentDefinition } from '../source/agent-definition.ts';

const readOnly = ['Write', 'Edit'];

/** The built-in agents; definitions of the same name replace them. */
export const builtInAgents: readonly IAgentDefinition[] = [
  {
    name: 'general-purpose',
    description: 'Works through a task of several steps on its own, with every tool',
    systemPrompt:
      'You are an agent that works on one task for another agent. Carry it through to the end with the tools you have; look for what you need to know instead of guessing, and change nothing that the task does not ask for.',
    source: 'built-in',
  },
  {
    name: 'Explore',
    description: 'Searches the code quickly and reports what it finds; changes nothing',
    systemPrompt:
      'You explore a code base for another agent. Search broadly, read only what matters, and make independent calls together. You change nothing. Report what you found with paths and lines, and say what you did not look at.',
    model: 'haiku',
    disallowedTools: readOnly,
    source: 'built-in',
  },
  {
    name: 'Plan',
    description: 'Studies the code and writes a plan for a change; changes nothing',
    systemPrompt:
      'You plan a change for another agent. Study the code it touches and the conventions it has to follow, then lay out the steps in order: which files, what changes in each, what could go wrong, how to check it. You change nothing.',
    disallowedTools: readOnly,
    source: 'built-in',
  },
];
