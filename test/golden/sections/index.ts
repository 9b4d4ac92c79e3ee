import type { Section } from '../tools.ts';
import { section as acp } from './acp.ts';
import { section as config } from './config.ts';
import { section as decisions } from './decisions.ts';
import { section as exitCodes } from './exit-codes.ts';
import { section as exports } from './exports.ts';
import { section as help } from './help.ts';
import { section as mcp } from './mcp.ts';
import { section as permissionQuestions } from './permission-questions.ts';
import { section as permissionsCommand } from './permissions-command.ts';
import { section as printMode } from './print-mode.ts';
import { section as sessions } from './sessions.ts';
import { section as streamJson } from './stream-json.ts';
import { section as trustQuestions } from './trust-questions.ts';

/** All sections of the corpus. */
export const sections: readonly Section[] = [
  acp,
  config,
  decisions,
  exitCodes,
  exports,
  help,
  mcp,
  permissionQuestions,
  permissionsCommand,
  printMode,
  sessions,
  streamJson,
  trustQuestions,
];
