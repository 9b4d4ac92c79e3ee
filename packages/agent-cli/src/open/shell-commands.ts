import type { CommandRow, Extension, InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import { doctorRow, loginRow } from '../arguments/shell-rows.ts';

/** Commands of a conversation beside those of the SDK: `/cd`, `/trust`, and `/doctor` and `/login` of the shell. */
export const shellCommands: Extension<InteractiveSession> = {
  name: 'robota',
  setup: (host) => {
    host.command({
      ...factsOf(doctorRow),
      run: async (_args, { session }) => {
        const { doctorReport } = await import('../doctor/doctor-command.ts');
        return { kind: 'notice', text: await doctorReport(session.place) };
      },
    });
    host.command({
      name: 'cd',
      description: 'Continue this session in another directory; alone, show the present one',
      argumentHint: '[DIR]',
      needs: [],
      during: 'idle',
      yields: true,
      complete: async (prefix, { session }) => {
        const { completeDirectory } = await import('./move-session.ts');
        return completeDirectory(session, prefix);
      },
      run: async (args, { session }) => {
        const { changeDirectory } = await import('./move-session.ts');
        return changeDirectory(session, args);
      },
    });
    host.command({
      name: 'trust',
      description: 'Decide about items of this project that are not trusted yet',
      needs: [],
      during: 'idle',
      yields: true,
      run: async (_args, { session }) => {
        const { reviewTrust } = await import('./move-session.ts');
        return reviewTrust(session);
      },
    });
    host.command({
      ...factsOf(loginRow),
      run: async (args, { session, ui }) => {
        const { loginInSession } = await import('../login/login-command.ts');
        return { kind: 'notice', text: await loginInSession(args, { ui, cwd: session.place.cwd }) };
      },
    });
  },
};

/** Facts of a row that hold in a conversation too; options are for the shell only. A user's command comes first. */
function factsOf({ name, description, argumentHint, needs, during }: CommandRow) {
  const hint = argumentHint === undefined ? {} : { argumentHint };
  return { name, description, needs, during, yields: true, ...hint };
}
