/** How a program logs in to a server for itself, without a user. Its tokens are kept in memory only. */
export type MachineLogin = {
  readonly clientId: string;
  readonly scope?: string;
} & (
  | { readonly kind: 'secret'; readonly clientSecret: string }
  | { readonly kind: 'private-key'; readonly privateKey: string; readonly algorithm: string }
  | {
      /** A token of the company's identity provider is exchanged for one of the server. */
      readonly kind: 'cross-app';
      readonly clientSecret: string;
      readonly idpTokenEndpoint: string;
      readonly idpClientId: string;
      readonly idToken: string;
    }
);
