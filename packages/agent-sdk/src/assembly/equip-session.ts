import { takesDocuments } from '@robota-sdk/agent-core';
import { chooseSandbox } from '@robota-sdk/agent-resources';
import type { Conversation } from '@robota-sdk/agent-sessions';
import {
  documentAccess,
  editorAccess,
  hiddenFromSearch,
  ignoredFiles,
  outputRoom,
  sandboxAccess,
  searchAccess,
  webAccess,
} from '@robota-sdk/agent-tools';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import { resultRoom } from '../prompt/small-window.ts';

/** Gives the tools of a session their settings. */
export function equipSession(
  session: Conversation,
  { config, sandbox, editor }: CreateSessionOptions,
  { hidden, ignored }: SessionPermissions,
): void {
  const { state, outputDir } = session;
  state.get(outputRoom).characters = () => resultRoom(session.model);
  const { mode, policy } = chooseSandbox(config, sandbox);
  const readable = [...policy.readable, outputDir];
  Object.assign(state.get(sandboxAccess), { mode, policy: { ...policy, readable } });
  if (editor) state.get(editorAccess).port = editor;
  state.get(searchAccess).env = config.host.env;
  state.get(documentAccess).accepts = () => takesDocuments(session.model);
  state.get(ignoredFiles).files = ignored;
  if (hidden) state.get(hiddenFromSearch).files = hidden;
  if (config.settings.webFetch.allowPrivate) state.get(webAccess).allowPrivate = true;
}
