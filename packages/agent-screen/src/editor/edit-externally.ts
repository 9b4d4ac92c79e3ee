import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage, findProgram } from '@robota-sdk/agent-sdk/front-end';
import type { Stage } from '../stage/stage.ts';
import { runEditor } from './run-editor.ts';

/** Without a choice by the user, the editor that shows its keys comes first. */
const usualEditors = ['nano', 'vi'] as const;

interface EditServices {
  readonly stage: Stage;
  readonly env?: NodeJS.ProcessEnv;
}

/** Edits a text in the user's editor; undefined if it is unchanged or failed, which is reported. */
export async function editExternally(text: string, services: EditServices): Promise<string | undefined> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), 'robota-prompt-'));
    const file = join(folder, 'prompt.md');
    await writeFile(file, text, { mode: 0o600 });
    return (await editFileExternally(file, services)) ? await readFile(file, 'utf8') : undefined;
  } catch (thrown) {
    warn(services.stage, errorMessage(thrown));
    return undefined;
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Opens a file in the user's editor; resolves to whether it was changed. Failures are reported. */
export async function editFileExternally(
  file: string,
  { stage, env = process.env }: EditServices,
): Promise<boolean> {
  const editor = env.VISUAL || env.EDITOR || usualEditor(env);
  if (!editor) {
    warn(
      stage,
      `Set VISUAL or EDITOR to your editor before you start robota: there is no ${usualEditors.join(' or ')} here.`,
    );
    return false;
  }
  try {
    const before = await readFile(file, 'utf8');
    await stage.lend(() => runEditor(editor, file));
    return (await readFile(file, 'utf8')) !== before;
  } catch (thrown) {
    warn(stage, errorMessage(thrown));
    return false;
  }
}

function usualEditor(env: NodeJS.ProcessEnv): string | undefined {
  return usualEditors.find((name) => findProgram(name, { env }) !== undefined);
}

function warn(stage: Stage, text: string): void {
  stage.print({ kind: 'notice', level: 'warning', text });
}
