import type { CommandRow, Extension, InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import { doctorRow, loginRow } from '../arguments/shell-rows.ts';

/** Commands of the shell that also work in a conversation: `/doctor` and `/login`. */
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
