export { openAccount } from './cloud-account.ts';
export type { AccountOptions } from './credential/credentials.ts';
