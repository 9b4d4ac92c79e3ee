import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { AgentError, editorWords, trustedSearchPath } from '@robota-sdk/agent-sdk/front-end';

/** Opens a file in an editor. Its command may hold options, so a shell reads it; the file is handed over as it is. */
export function runEditor(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: trustedSearchPath().join(delimiter) };
    const [program = '', ...words] = editorWords(editor, file);
    const child = spawn(program, words, { stdio: 'inherit', env, windowsVerbatimArguments: true });
    child.once('error', (error) => reject(failed(editor, error.message)));
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(failed(editor, `it ended with code ${code ?? 'none'}`)),
    );
  });
}

function failed(editor: string, why: string): AgentError {
  return new AgentError(
    'config',
    `The editor "${editor}" could not be used: ${why}. Correct VISUAL or EDITOR.`,
  );
}
