import { AgentError, type Extension, jsonSchema, textOutput } from '@robota-sdk/agent-core';
import { createZodFunctionTool } from '@robota-sdk/agent-tools';
import type { ResourceHost } from '../source/resource-host.ts';

/** What a module of extensions is handed, so that it need not install the SDK to use its functions. */
export interface ExtensionKit {
  /** The directory the session works in. */
  readonly cwd: string;
  /** Makes the input of a tool from a JSON Schema. */
  readonly jsonSchema: typeof jsonSchema;
  /** Makes a tool from a zod schema. */
  readonly createZodFunctionTool: typeof createZodFunctionTool;
  /** Makes the output of a tool from a text. */
  readonly textOutput: typeof textOutput;
  /** An error whose message is meant for the model or the person. */
  readonly AgentError: typeof AgentError;
}

/** What a module exports as its default: an extension, or a function that makes one for each session. */
export type ExtensionModule<S = ResourceHost> =
  | Extension<S>
  | ((kit: ExtensionKit) => Extension<S> | Promise<Extension<S>>);

/** The kit for a session in a directory. */
export function extensionKit(cwd: string): ExtensionKit {
  return { cwd, jsonSchema, createZodFunctionTool, textOutput, AgentError };
}
