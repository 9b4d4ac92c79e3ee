import { type CertificateFile, readCertificateFiles } from './own-certificates.ts';

/** A certificate that was not accepted. The message names the host, the reason, and the variable that adds an authority. */
export class CertificateError extends Error {
  readonly code: string;

  constructor(host: string, cause: Error & { readonly code: string }, proxy?: string) {
    const through = proxy === undefined ? '' : ` through the proxy ${proxy}`;
    super(`the certificate of ${host}${through} was not accepted (${cause.code}). ${advice(cause.code)}`, {
      cause,
    });
    this.code = cause.code;
  }
}

/** True if an error is about a certificate rather than about the connection. */
export function isCertificateFault(thrown: unknown): thrown is Error & { readonly code: string } {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  return /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS/.test(String(thrown.code));
}

function advice(code: string): string {
  const broken = readCertificateFiles().filter(({ problem }) => problem !== undefined);
  if (broken.length > 0) return broken.map(describeBroken).join(' ');
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'Check the clock of this machine; otherwise its owner has to renew it.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'It belongs to another host: check the address.';
  return 'If your network uses its own certificate authority, name its file in SSL_CERT_FILE or NODE_EXTRA_CA_CERTS.';
}

/** A sentence on a file of certificates that is not used. */
export function describeBroken({ variable, path, problem }: CertificateFile): string {
  return `${variable} names ${path}, which ${problem ?? 'is not used'}: correct or unset it.`;
}
