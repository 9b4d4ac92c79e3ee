/** The branch of an agent's worktree: a name that git accepts, whatever the agent is called. */
export function agentBranch(agentType: string, agentId: string): string {
  const name = agentType
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `robota/${name === '' ? 'agent' : name.slice(0, 40)}-${agentId}`;
}
