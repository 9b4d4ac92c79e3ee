import { type AgentRun, Authorizer, type UserInterface, type Workspace } from '@robota-sdk/agent-core';

/** Judges calls where nobody says how: without rules, in the default mode, by asking the person. */
export function defaultAuthorize(ui: UserInterface, workspace: Workspace): AgentRun['authorize'] {
  const policy = { mode: 'default', rules: { allow: [], ask: [], deny: [] }, workspace } as const;
  const authorizer = new Authorizer({ policy: () => policy, ui });
  return (request, signal) => authorizer.authorize(request, signal);
}
