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
  readonly code: string;
  /** Unix milliseconds. */
  readonly expires: number;
}

/** Body of every reply with a status of 400 or more. */
export interface WebFailure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}
