import { AgentError, type Extension, jsonSchema, textOutput } from '@robota-sdk/agent-core';
import { createZodFunctionTool } from '@robota-sdk/agent-tools';
import type { ResourceHost } from '../source/resource-host.ts';

/** Functions of the SDK handed to an extension module, so that it need not install the SDK. */
export interface ExtensionKit {
  /** The directory the session works in. */
  readonly cwd: string;
  /** Makes the input of a tool from a JSON Schema. */
  readonly jsonSchema: typeof jsonSchema;
  /** Makes a tool from a zod schema. */
  readonly createZodFunctionTool: typeof createZodFunctionTool;
  /** Makes the output of a tool from a text. */
  readonly textOutput: typeof textOutput;
  /** An error whose message is meant for the model or the user. */
  readonly AgentError: typeof AgentError;
}

/** The default export of an extension module: an extension, or a function that creates one per session. */
export type ExtensionModule<S = ResourceHost> =
  | Extension<S>
  | ((kit: ExtensionKit) => Extension<S> | Promise<Extension<S>>);

/** The kit for a session in a directory. */
export function extensionKit(cwd: string): ExtensionKit {
  return { cwd, jsonSchema, createZodFunctionTool, textOutput, AgentError };
}
