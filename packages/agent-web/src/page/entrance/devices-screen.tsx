import { useState } from 'preact/hooks';
import type { DevicesPage, PairingCode, WebDevice } from '../../contract/devices.ts';
import { messageOf, post } from '../base/api.ts';
import { now } from '../base/clock.ts';
import { shortSpan } from '../base/format.ts';
import { useResource } from '../base/use-resource.ts';
import { AppShell, BackButton, TopTitle } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { ErrorCard, Loading } from '../components/notices.tsx';
import { Tag } from '../components/status.tsx';

/** The browsers that may use this server, and the way to add one. */
export function DevicesScreen() {
  const { value, error, reload } = useResource<DevicesPage>('/api/devices');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const revoke = async (device: WebDevice) => {
    try {
      await post('/api/devices/revoke', { id: device.id });
      setProblem(undefined);
    } catch (cause) {
      setProblem(messageOf(cause));
    }
    reload();
  };
  return (
    <AppShell
      title="Devices"
      detail
      bar={
        <>
          <BackButton />
          <TopTitle title="Devices" />
        </>
      }
    >
      <div class="devices">
        <AddDevice address={value?.address ?? location.origin} />
        {error !== undefined && (
          <ErrorCard title="Cannot read the devices." message={error} onRetry={reload} />
        )}
        {problem !== undefined && <ErrorCard title="Cannot revoke the device." message={problem} />}
        {value === undefined && error === undefined && <Loading />}
        <ul class="device-list">
          {value?.devices.map((device) => (
            <li key={device.id} class="card">
              <span class="grow">
                <b>{device.name}</b> {device.isThis && <Tag tone="accent">This browser</Tag>}
                <span class="small dim device-times">
                  Added {shortSpan(now.value - device.added)} ago · last seen{' '}
                  {shortSpan(now.value - device.lastSeen)} ago
                </span>
              </span>
              <Button kind="danger" onClick={() => void revoke(device)} label={`Revoke ${device.name}`}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </AppShell>
  );
}

/** Shows a code for another device. */
function AddDevice({ address }: { readonly address: string }) {
  const [pairing, setPairing] = useState<PairingCode | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const create = async () => {
    try {
      setPairing(await post<PairingCode>('/api/pair/new'));
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const isValid = pairing !== undefined && pairing.expires > now.value;
  return (
    <section class="card add-device" aria-label="Add a device">
      <div class="grow">
        <h2>Add a device</h2>
        {isValid ? (
          <p>
            Open <code>{address}</code> there and type the code. It expires in{' '}
            {shortSpan(pairing.expires - now.value)}.
          </p>
        ) : (
          <p>Show a code here, and type it on the other device.</p>
        )}
        {problem !== undefined && (
          <p class="bad-text" role="alert">
            {problem}
          </p>
        )}
      </div>
      {isValid ? (
        <output class="pairing-code">{pairing.code}</output>
      ) : (
        <Button kind="primary" onClick={() => void create()}>
          Show a code
        </Button>
      )}
    </section>
  );
}
