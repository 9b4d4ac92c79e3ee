import type { HostEnvironment } from '@robota-sdk/agent-config';
import type { HiddenFiles, IgnoredFiles, Rule } from '@robota-sdk/agent-core';
import type { Conversation } from '@robota-sdk/agent-sessions';
import type { SessionMcp } from '../mcp/session-mcp.ts';

/** The session as seen by commands, skills and extensions from files. */
export interface ResourceHost {
  readonly place: { readonly cwd: string; readonly host: HostEnvironment };
  readonly permissions: {
    readonly rules: { readonly deny: readonly Rule[] };
    readonly ignored: IgnoredFiles;
    readonly hidden: HiddenFiles | undefined;
  };
  readonly mcp: SessionMcp;
  getSession(): Conversation;
  /** Publishes that a skill is in use. */
  publish(event: { readonly type: 'skill-start' } & SkillActivation): void;
}

/** A skill in use, and who requested it. */
export interface SkillActivation {
  readonly skill: string;
  readonly path?: string;
  readonly by: 'user' | 'model';
}
