import type { OAuthClientProvider } from '@modelcontextprotocol/client';

type Library = typeof import('@modelcontextprotocol/client');

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

/** Logs in for itself with the grants of the protocol's own library. */
export function machineProvider(library: Library, login: MachineLogin): OAuthClientProvider {
  const { clientId, scope } = login;
  const shared = { clientId, ...(scope === undefined ? {} : { scope }) };
  switch (login.kind) {
    case 'secret':
      return new library.ClientCredentialsProvider({ ...shared, clientSecret: login.clientSecret });
    case 'private-key':
      return new library.PrivateKeyJwtProvider({
        ...shared,
        privateKey: login.privateKey,
        algorithm: login.algorithm,
      });
    case 'cross-app':
      return new library.CrossAppAccessProvider({
        clientId,
        clientSecret: login.clientSecret,
        assertion: async (request) => {
          const grant = await library.requestJwtAuthorizationGrant({
            tokenEndpoint: login.idpTokenEndpoint,
            audience: request.authorizationServerUrl,
            resource: request.resourceUrl,
            idToken: login.idToken,
            clientId: login.idpClientId,
            ...(request.scope === undefined ? {} : { scope: request.scope }),
            fetchFn: request.fetchFn,
          });
          return grant.jwtAuthGrant;
        },
      });
  }
}
