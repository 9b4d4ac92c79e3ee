import { AgentError, isJsonObject } from '@robota-sdk/agent-core';
import type { DeviceFolder } from '../access/device-folder.ts';
import type { Entrance } from '../access/entrance.ts';
import type { DevicesPage } from '../contract/devices.ts';
import type { WebRoute } from '../contract/route.ts';

/** Lists and revokes devices, and makes the code that lets in another one. */
export function deviceRoutes({
  devices,
  entrance,
  address,
}: {
  readonly devices: DeviceFolder;
  readonly entrance: Entrance;
  /** The address that other devices open. */
  readonly address: string;
}): readonly WebRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/devices',
      handle: ({ device }) => {
        const page: DevicesPage = {
          devices: devices.list().map(({ id, name, created, used }) => ({
            id,
            name,
            added: created,
            lastSeen: used,
            isThis: id === device,
          })),
          address,
        };
        return { json: page };
      },
    },
    {
      method: 'POST',
      path: '/api/devices/revoke',
      handle: ({ body }) => {
        const id = isJsonObject(body) ? body.id : undefined;
        if (typeof id !== 'string' || !devices.remove(id)) throw new AgentError('usage', 'No such device.');
        return { json: {} };
      },
    },
    {
      method: 'POST',
      path: '/api/pair/new',
      handle: ({ device }) => ({ json: entrance.createCode(device) }),
    },
  ];
}
