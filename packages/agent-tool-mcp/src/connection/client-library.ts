import {
  auth,
  Client,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** The parts of the protocol's library that are used, so that a bundler can leave out the others. Load it on demand. */
export const clientLibrary = {
  auth,
  Client,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
};

export type ClientLibrary = typeof clientLibrary;
