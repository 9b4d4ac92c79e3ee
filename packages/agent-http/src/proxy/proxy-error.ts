import { CertificateError, isCertificateFault } from '../certificate/certificate-error.ts';
import type { ProxyAddress } from './find-proxy.ts';

/** A failure of a proxy. */
export interface ProxyFault {
  readonly code: string;
  readonly message: string;
  /** False if each attempt would end in the same way. */
  readonly retryable: boolean;
  /** The status of the proxy's answer. */
  readonly status?: number;
}

/** A connection that failed at the proxy. The message says which proxy, without its credentials, and what to do. */
export class ProxyError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly status: number | undefined;

  constructor({ code, message, retryable, status }: ProxyFault, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.retryable = retryable;
    this.status = status;
  }

  /** The variable holds something else than an address of a proxy; its value may hold a password and is not repeated. */
  static unusable(variable: string, why: string): ProxyError {
    const message = `${variable} ${why}. Set it to http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT, or unset it.`;
    return new ProxyError({ code: 'ERR_PROXY_VARIABLE', message, retryable: false });
  }

  /** The proxy itself cannot be reached, or does not answer as one. */
  static unreachable({ label, variable }: ProxyAddress, cause: Error): ProxyError | CertificateError {
    if (isCertificateFault(cause)) return new CertificateError(`the proxy ${label}`, cause);
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'ERR_PROXY';
    const reason = code === 'ECONNREFUSED' ? 'connection refused' : code;
    const message = isProtocolFault(code)
      ? `the proxy ${label} gave no valid answer (${code}). Check it, and the scheme and the port in ${variable}.`
      : `the proxy ${label} cannot be reached (${reason}). Start it, correct ${variable}, or name the host in NO_PROXY.`;
    return new ProxyError({ code, message, retryable: !isLasting(code) }, { cause });
  }

  /** A connection through the proxy ended early; the proxy or the host may have closed it. */
  static broken({ label }: ProxyAddress, host: string, cause: Error): ProxyError {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'ERR_PROXY';
    const message = `the connection to ${host} through the proxy ${label} failed (${code === 'ERR_PROXY' ? cause.message : code}). Check the network and the proxy.`;
    return new ProxyError({ code, message, retryable: true }, { cause });
  }

  /** The proxy accepted the connection and then said nothing. */
  static silent({ label, variable }: ProxyAddress, seconds: number): ProxyError {
    const message = `the proxy ${label} gave no connection within ${seconds} s. Check it, correct ${variable}, or name the host in NO_PROXY.`;
    return new ProxyError({ code: 'ETIMEDOUT', message, retryable: true });
  }

  /** The proxy answered a request for a connection with a status other than success. */
  static refused(proxy: ProxyAddress, status: number, target: string): ProxyError {
    // Tinyproxy refuses wrong credentials with 401; the answer to CONNECT is always the proxy's own.
    if (status === 407 || status === 401) return ProxyError.unauthorized(proxy, status);
    const message = `the proxy ${proxy.label} does not connect to ${target} (HTTP ${status}). Check its rules, or name the host in NO_PROXY.`;
    return new ProxyError({ code: 'ERR_PROXY_REFUSED', message, status, retryable: status >= 500 });
  }

  /** A SOCKS proxy does not connect to a host. */
  static declined({ label }: ProxyAddress, target: string, why: string): ProxyError {
    const message = `the proxy ${label} does not connect to ${target} (${why}). Check its rules, or name the host in NO_PROXY.`;
    return new ProxyError({
      code: 'ERR_PROXY_REFUSED',
      message,
      retryable: why !== 'not allowed by its rules',
    });
  }

  /** The proxy wants other credentials than it got; SOCKS has no status. */
  static unauthorized({ label, variable, login, protocol }: ProxyAddress, status?: number): ProxyError {
    const why = login ? 'refused the credentials' : 'wants a user name and a password';
    const host = label.slice(label.indexOf('//') + 2);
    const told = status === undefined ? '' : ` (HTTP ${status})`;
    const message = `the proxy ${label} ${why}${told}. Set ${variable}=${protocol}//USER:PASSWORD@${host}, with special characters encoded (@ as %40).`;
    return new ProxyError({
      code: 'ERR_PROXY_AUTH',
      message,
      retryable: false,
      ...(status === undefined ? {} : { status }),
    });
  }
}

/** True if something answered, but not in the protocol of the proxy's scheme. */
function isProtocolFault(code: string): boolean {
  return /^(?:HPE_|ERR_SSL|EPROTO$|ECONNRESET$)/.test(code);
}

/** Faults of the configuration rather than of the moment. */
function isLasting(code: string): boolean {
  return /^ERR_SSL|^EPROTO$|^ENOTFOUND$/.test(code);
}
