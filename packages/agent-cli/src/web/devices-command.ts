import { AgentError, localTime, type ReadOptions, userPaths } from '@robota-sdk/agent-sdk/front-end';
import { sessionOutput } from '../sessions/session-output.ts';

/** `robota web devices`: lists the browsers that were let in, and revokes them. */
export async function devicesCommand(options: ReadOptions): Promise<number> {
  const { DeviceFolder } = await import('@robota-sdk/agent-web');
  const devices = new DeviceFolder(userPaths().web);
  const { stdout, note } = sessionOutput();
  const [verb, ...ids] = options.words;
  if (verb === undefined) {
    const rows = devices.list();
    if (options.has('json')) await stdout.write(`${JSON.stringify(rows)}\n`);
    else if (rows.length === 0) await note('No devices. robota web prints an address to open.');
    for (const { id, name, origin, used } of options.has('json') ? [] : rows)
      await stdout.say(`${id}  ${name}  ${origin}  used ${localTime(used)}`);
    return 0;
  }
  if (verb !== 'revoke')
    throw new AgentError('usage', `Unknown word "${verb}".`, {
      hint: 'Use: robota web devices [revoke ID…]',
    });
  const listed = { hint: { text: 'List them with', run: ['web', 'devices'] } };
  if (ids.length === 0) throw new AgentError('usage', 'Missing device ID.', listed);
  const unknown = ids.filter((id) => !devices.list().some((device) => device.id === id));
  if (unknown.length > 0) throw new AgentError('usage', `Unknown device ${unknown.join(', ')}.`, listed);
  for (const id of ids) devices.remove(id);
  if (options.has('json')) await stdout.write(`${JSON.stringify({ revoked: ids })}\n`);
  else await note(ids.length === 1 ? 'Revoked.' : `Revoked ${ids.length} devices.`);
  return 0;
}
