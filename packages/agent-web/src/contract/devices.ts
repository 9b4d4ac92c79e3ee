/** Carries the key of a device. A cookie is sent to every port of a host; the key stays with our own page. */
export const keyHeader = 'Robota-Key';

/** Reply of `POST /api/enter` and `POST /api/pair`. The page keeps the key in its local storage. */
export interface Entered {
  readonly key: string;
  readonly device: { readonly id: string; readonly name: string };
}

/** Reply of `GET /api/devices`. */
export interface DevicesPage {
  readonly devices: readonly WebDevice[];
  /** The address that other devices open, such as `https://192.168.1.4:8443`. */
  readonly address: string;
}

/** A browser that may use this server. */
export interface WebDevice {
  readonly id: string;
  /** The browser and its system, such as `Firefox on Android`. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly added: number;
  readonly lastSeen: number;
  /** The browser that asks. */
  readonly isThis: boolean;
}

/** Reply of `POST /api/pair/new`: the code that another device enters. */
export interface PairingCode {
  /** `ABCD-EFGH`. */
  readonly code: string;
  /** Unix milliseconds. */
  readonly expires: number;
}
