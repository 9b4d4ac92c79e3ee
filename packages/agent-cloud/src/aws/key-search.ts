import type { AccountOptions, Expiring } from '../credential/credentials.ts';
import type { AwsKeys } from './sign-request.ts';

/** Keys of an AWS account and how long they hold. */
export interface AwsCredentials extends AwsKeys, Expiring {}

/** The account to find keys of, and the region of its requests. */
export interface KeySearch extends AccountOptions {
  readonly signal: AbortSignal;
  readonly region: string;
}
