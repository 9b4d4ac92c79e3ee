import type { SessionRequest } from '@robota-sdk/agent-screen';
import {
  describeProblems,
  errorMessage,
  type InteractiveSession,
  type SessionTarget,
} from '@robota-sdk/agent-sdk/front-end';
import { programName } from '../arguments/program-name.ts';
import { keepDirectories, keepGoal, keepModel } from './keep-choices.ts';
import { type Opened, openSession, type SessionUi } from './open-session.ts';
import { describeResumed, lastExchange } from './resumed-session.ts';

/**
 * Opens another session and returns the session to continue in; the caller closes the previous one. If the
 * other cannot be opened, that is the previous one.
 */
export async function switchSession(
  old: InteractiveSession,
  { to, notice = '', edit }: SessionRequest,
  services: SessionUi,
): Promise<InteractiveSession> {
  const { say } = services;
  try {
    if (to !== 'new' && to.moves && to.cwd !== undefined) return await move(old, to.cwd, services);
    const next = await open(old, to, services);
    if (next === undefined || next === 'watched') {
      await say('Staying in the current session.');
      return old;
    }
    await tellNewProblems(old, next, services);
    // A mode that was chosen in the session stays; else the command line and the settings decide.
    if (next.permissions.mode !== old.permissions.mode) next.permissions.mode = old.permissions.mode;
    if (to === 'new' || to.isCopy) await keepModel(old, next);
    if (to !== 'new' && to.isCopy) {
      keepDirectories(old, next);
      await keepGoal(old, next);
    }
    if (to !== 'new') await services.replay?.(next);
    await say(to === 'new' ? `New session · ${next.model.name}` : await arrival(next, notice, services));
    if (edit !== undefined) services.giveBack(edit);
    return next;
  } catch (thrown) {
    await say(`error: ${errorMessage(thrown)} Staying in the current session.`);
    return old;
  }
}

async function move(
  old: InteractiveSession,
  directory: string,
  services: SessionUi,
): Promise<InteractiveSession> {
  const { moveSession } = await import('./move-session.ts');
  const next = await moveSession(old, directory, services);
  if (next === old) return next;
  await tellNewProblems(old, next, services);
  if (next.place.cwd === old.place.cwd) return next;
  const { loadedFiles } = await import('./loaded-files.ts');
  const { names } = loadedFiles(next);
  const loaded = names.length === 0 ? '' : ` Loaded ${names.join(', ')}.`;
  const check = next.goal.hasIdleCheck ? ' The goal check does not run here: /goal.' : '';
  await services.say(`Working in ${next.place.cwd} now.${loaded}${check}`);
  return next;
}

async function tellNewProblems(
  old: InteractiveSession,
  next: InteractiveSession,
  { say }: SessionUi,
): Promise<void> {
  const program = programName();
  const told = new Set(describeProblems(old.problems, program));
  for (const text of describeProblems(next.problems, program))
    if (!told.has(text)) await say(`warning: ${text}`);
}

/** The other is opened first, so that there is always a session. */
async function open(old: InteractiveSession, to: SessionTarget, services: SessionUi): Promise<Opened> {
  const { options } = services;
  if (options.record !== undefined || options.replay !== undefined)
    throw new Error('A recording is of one session, so it cannot continue in another.');
  const keep = options.store !== 'none';
  const { cwd = process.cwd() } = options;
  const elsewhere = to === 'new' || to.cwd === undefined ? {} : { cwd: to.cwd, project: cwd };
  const next = {
    ...options,
    ...elsewhere,
    // The decision about the project still holds.
    trust: old.live?.config.trust,
    store: to,
    keep,
    fork: false,
  };
  return openSession(next, services);
}

/** Announces the new session and its state. */
async function arrival(
  next: InteractiveSession,
  notice: string,
  { options, replay }: SessionUi,
): Promise<string> {
  const isKept = options.store !== 'none';
  const unkept = 'This copy is not saved (--no-session); the session itself is unchanged.';
  const last = replay ? '' : lastExchange(next);
  const age = replay && (await import('@robota-sdk/agent-screen')).describeAge;
  const resumed = describeResumed(next, { verb: notice === '' ? 'Resumed' : 'Now in', age });
  return [notice, resumed, ...(isKept ? [] : [unkept]), last].filter(Boolean).join('\n');
}
