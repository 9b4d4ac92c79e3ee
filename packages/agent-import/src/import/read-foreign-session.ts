import { AgentError } from '@robota-sdk/agent-core';
import { readCodex } from '../rows/read-codex.ts';
import { readGemini } from '../rows/read-gemini.ts';
import { readOpencode } from '../rows/read-opencode.ts';
import type { ForeignSession } from '../source/foreign-session.ts';
import type { SourceFile } from '../source/source-file.ts';
import { detectFormat } from './detect-format.ts';
import { readClaude } from './read-claude.ts';
import { readEidolonJson, readEidolonXnl } from './read-eidolon.ts';
import { readPi } from './read-pi.ts';

/** Reads the shape of another program's session, whichever program it was. */
export function readForeignSession(file: SourceFile): ForeignSession {
  const { format } = detectFormat(file);
  switch (format) {
    case 'pi':
    case 'pi-4':
    case 'flat':
      return readPi(file);
    case 'claude':
      return readClaude(file);
    case 'codex':
      return readCodex(file);
    case 'gemini':
      return readGemini(file);
    case 'opencode':
      return readOpencode(file);
    case 'eidolon-json':
      return readEidolonJson(file);
    case 'eidolon-xnl':
      return readEidolonXnl(file);
    case 'empty':
      throw new AgentError('session', `${file.path} is empty: nothing was ever saved in it.`);
    case 'robota':
      throw new AgentError(
        'session',
        `${file.path} is a session of Robota itself. Open it with --session, or continue in a copy with --fork.`,
      );
    case 'compressed':
    case 'database':
    case 'unknown':
      throw new AgentError(
        'session',
        `${file.path} is not a session of pi, rab, Claude Code, Codex, opencode, Gemini CLI or eidolon, judging by its content.`,
      );
  }
}
