import type { AccountOptions, Expiring } from '../credential/credentials.ts';
import type { ServerClock } from './server-clock.ts';
import type { AwsKeys } from './sign-request.ts';

/** Keys of an AWS account and how long they hold. */
export interface AwsCredentials extends AwsKeys, Expiring {}

/** The account to find keys of, and the region of its requests. */
export interface KeySearch extends AccountOptions {
  readonly signal: AbortSignal;
  readonly region: string;
  readonly clock: ServerClock;
}

/** The host of a service in a region; China has a domain of its own. */
export function awsHost(service: string, region: string): string {
  return `${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
