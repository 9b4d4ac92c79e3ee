export { CertificateError, isCertificateFault } from './certificate/certificate-error.ts';
export {
  readCertificateFiles,
  trustedCertificates,
} from './certificate/own-certificates.ts';
export { checkNetwork, type NetworkFinding } from './check-network.ts';
export { GrowingBytes } from './growing-bytes.ts';
export { type FetchOptions, httpFetch } from './http-fetch.ts';
export { openRequest, type RouteOptions } from './open-request.ts';
export { type AnswerHeaders, bodySize, isSendable, type Post, type PostAnswer, post } from './post.ts';
export { connectThrough } from './proxy/connect-through.ts';
export {
  type Environment,
  findProxy,
  type ProxyAddress,
  proxyVariables,
} from './proxy/find-proxy.ts';
export { ProxyError } from './proxy/proxy-error.ts';
export { readAtMost } from './read-at-most.ts';
export { UnknownEncoding } from './uncompressed.ts';
